"""The folder's files as its sessions read them, and the copies that one session keeps of some."""

from collections.abc import Callable
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.session.ports.environment import Environment, LastEdit
from plimsoll.storage.base import Redactor
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.file_access import FileRestorer, FileText, FileToRestore, Reader
from plimsoll.tools.ports.kept_texts import Blobs


class WorkspaceFiles:
    """Reads files of a folder for the server's own use: what an editor has open first."""

    def __init__(
        self,
        read: Reader,
        context: CallContext,
        trusted: Callable[[], bool],
        last_edits: dict[Path, LastEdit],
    ) -> None:
        self.root = context.root
        """The folder's real path."""
        self.trusted = trusted
        """Tells whether the person trusts the folder now."""
        self.last_edits = last_edits
        """Which session changed each file last; the sessions of the folder share it."""
        self._read = read
        self._context = context

    def read(self, name: str, most: int) -> FileText | None:
        """Read at most so many bytes of a file of the folder; None if it is missing. Blocks.

        Raises:
            ToolFailed: The path leads out of the folder, or the file is no text.
        """
        return self._read(name, self._context, most)

    def open_text(self, path: Path) -> str | None:
        """Return the text of a file that is open in an editor; None if it is not."""
        return self._context.documents.open_text(path)

    def present_text(self, path: Path, most: int) -> str | None:
        """Read a whole file as the tools would; None if it is unreadable or too large. Blocks."""
        if not path.is_relative_to(self.root):
            return self.open_text(path)
        try:
            file = self.read(path.relative_to(self.root).as_posix(), most)
        except ToolFailed:
            return None
        return file.text if file is not None and file.size <= most else None


def folder_files(environment: Environment) -> WorkspaceFiles:
    """Make the reader of a folder's files."""
    own, files = environment, environment.files
    return WorkspaceFiles(files.read_text, own.call_context, own.trusted, files.last_edits)


class FileCopies:
    """Copies that a session keeps of the files its agent changes, by which they are put back."""

    def __init__(self, environment: Environment, session_id: str) -> None:
        self.root = environment.root
        """The folder's real path."""
        self.trusted = environment.trusted
        """Tells whether the person trusts the folder now, so that files of it may be written."""
        self.redact: Redactor = environment.redact
        self.folders_left: dict[Path, tuple[int, int]] = {}
        """When the agent's edits last changed each folder, and when others had done so before."""
        self.left_behind: tuple[str, ...] = ()
        """The machines on which the session worked before, whose copies are not here."""
        self._make = environment.files.blobs
        self._session_id = session_id
        self._restorer: FileRestorer = environment.files.restorer
        self._context = environment.call_context

    @property
    def texts(self) -> Blobs:
        """The copies, by the version of the text."""
        return self._make(self._session_id)

    def look(self, file: FileToRestore) -> bool:
        """Tell whether a file differs from the text to restore; raises ToolFailed. Blocks."""
        return self._restorer.look(file, self._context)

    async def restore(self, file: FileToRestore) -> None:
        """Restore a file, through the editor if it is open there; raises ToolFailed."""
        await self._restorer.restore(file, self._context)

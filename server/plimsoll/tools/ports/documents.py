"""The port to the editor's open buffers."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Protocol


class Documents(Protocol):
    """The editor's open buffers, which are the truth, and edits through the editor."""

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer, or None when the file is not open.

        May wait for the editor, so it belongs on a worker thread; on the event loop an editor that
        has to be asked counts as one where nothing is open.
        """
        ...

    def open_files(self) -> Collection[Path]:
        """Return the real paths of the files that are known to be open in the editor."""
        ...

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Replace the text of an open buffer; return false if that was not done.

        The buffer stays as it is when it holds another text than ``before``. Raises ToolFailed when
        nobody knows whether it was done.
        """
        ...


class NoDocuments:
    """The documents where there is no editor: files are on disk, and edits are written there."""

    def open_files(self) -> Collection[Path]:
        """None: nothing is open."""
        return ()

    def open_text(self, path: Path) -> str | None:
        """Return none: nothing is open."""
        del path

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Return false: the tool writes the file itself."""
        del path, before, after, label
        return False


def known_buffers(documents: Documents) -> Callable[[Path], str | None]:
    """Return a reader of open buffers for a search; it asks no editor about other files.

    A search comes to every file of a folder, and some editors must be asked about each.
    """
    known = frozenset(documents.open_files())

    def text(path: Path) -> str | None:
        real = path.resolve() if known and path.is_symlink() else path
        return documents.open_text(path) if real in known else None

    return text

"""The editor's open buffers without those that it has read in a wrong encoding."""

from collections.abc import Collection
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.encodings.misread import REPLACEMENT, is_misreading
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.files.writing import LARGEST
from plimsoll.tools.ports.documents import Documents


class RightlyRead:
    """The ``Documents`` port without buffers that the editor has decoded wrongly.

    A buffer whose text is only a misreading of its file counts as not open: the file is
    the truth then, and the editor takes in what it becomes.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._misread: dict[Path, str] = {}
        """The texts of buffers that were found to be misreadings."""

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer that was read rightly or has unsaved changes."""
        text = self._documents.open_text(path)
        return None if text is None or self._is_misread(path, text) else text

    def open_files(self) -> Collection[Path]:
        """Return the files of which buffers are open."""
        return self._documents.open_files()

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Replace the text of an open buffer; return false if that was not done."""
        return await self._documents.apply_edit(path, before, after, label)

    def _is_misread(self, path: Path, text: str) -> bool:
        if REPLACEMENT not in text:
            return False
        # The file may be another already, which the editor has not taken in yet.
        if self._misread.get(path) == text:
            return True
        data = _data_of(path)
        if data is None or not is_misreading(text, data):
            return False
        self._misread[path] = text
        return True


def _data_of(path: Path) -> bytes | None:
    """Read the bytes of a file, up to the largest size that can be edited; None if unreadable."""
    try:
        with (
            open_regular_file(path.resolve()) as descriptor,
            open(descriptor, "rb", closefd=False) as file,
        ):
            return file.read(LARGEST)
    except (OSError, ToolFailed):
        return None

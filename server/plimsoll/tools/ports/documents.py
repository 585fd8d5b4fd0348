"""The port to the editor's open buffers."""

from collections.abc import Collection
from pathlib import Path
from typing import Protocol


class Documents(Protocol):
    """The editor's open buffers, which are the truth, and edits through the editor."""

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer, or None when the file is not open."""
        ...

    def open_files(self) -> Collection[Path]:
        """Return the real paths of the files that are open in the editor."""
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

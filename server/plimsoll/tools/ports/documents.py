"""The port to the editor's open buffers."""

from collections.abc import Collection
from pathlib import Path
from typing import Protocol


class Documents(Protocol):
    """The editor's open buffers, which are the truth, and edits through the editor."""

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer, or none when the file is not open."""
        ...

    def open_files(self) -> Collection[Path]:
        """Return the files of which buffers are open; real paths."""
        ...

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Change an open buffer from one text to another; false: it was not done.

        Nothing is done when the buffer holds another text than ``before``. Raises ToolFailed when
        nobody knows whether it was done.
        """
        ...

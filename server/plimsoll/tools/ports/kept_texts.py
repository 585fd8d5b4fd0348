"""The ports to texts that are kept beside a session: whole outputs, files as they were."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol


class Spill(Protocol):
    """Keeps whole outputs in files that the model can grep (mode 0600, seven days)."""

    def write(self, call_id: str, text: str) -> Path:
        """Keep a text; raises StoreUnavailable when it cannot be kept whole."""
        ...


class Blobs(Protocol):
    """Keeps earlier texts of files, each by its version (mode 0600, seven days)."""

    def keep(self, text: str) -> str:
        """Keep a text, and return its version; raises StoreUnavailable."""
        ...

    def read(self, version: str) -> str | None:
        """Return the text of a version; None if it is not kept, or no longer."""
        ...

    def take_from(self, session_id: str, versions: Iterable[str]) -> None:
        """Copy the texts that another session keeps; raises StoreUnavailable."""
        ...

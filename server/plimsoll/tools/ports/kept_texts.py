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
    """Keeps texts of files as they were, by their versions (mode 0600, seven days)."""

    def keep(self, text: str) -> str:
        """Keep a text, and return its version; raises StoreUnavailable."""
        ...

    def read(self, version: str) -> str | None:
        """Return a text; none: it is not kept, or not any more."""
        ...

    def take_from(self, session_id: str, versions: Iterable[str]) -> None:
        """Keep texts of another session too; raises StoreUnavailable."""
        ...

"""The port to running commands, for code that changes the folder while they run."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from plimsoll.tools.ports.made import MadeFiles
from plimsoll.tools.process.confinement.base import MovedAside


class Commands(MadeFiles, Protocol):
    """The running commands, for code that changes the folder while they run."""

    @property
    def running(self) -> Collection[object]:
        """The running commands; some of them may have ended by now."""
        ...

    async def settle(self) -> Sequence[MovedAside]:
        """Move aside the protected files that commands have made so far, and return them."""
        ...

    async def end_in(self, folder: Path) -> None:
        """End every command that was started in a folder; raises ToolFailed if one goes on."""
        ...

    async def accept(self, paths: Sequence[Path]) -> None:
        """Exempt paths that a person let a tool write from being moved aside."""
        ...

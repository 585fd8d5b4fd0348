"""The port to the commands that run, for those who act on the folder meanwhile."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from plimsoll.tools.ports.made import MadeFiles
from plimsoll.tools.process.confinement.base import MovedAside


class Commands(MadeFiles, Protocol):
    """The commands that run, as those see them who act on the folder meanwhile."""

    @property
    def running(self) -> Collection[object]:
        """Those that run; some may have ended."""
        ...

    async def settle(self) -> Sequence[MovedAside]:
        """Move aside what they made of protected names by now, and return that."""
        ...

    async def accept(self, paths: Sequence[Path]) -> None:
        """Leave in place what a person let a tool make meanwhile."""
        ...

"""A folder's team whose loop a test lets go on step by step."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from plimsoll.team.service import FolderTeam
from team.ends import (
    JOINED,
    Around,
    Replica,
    Server,
    TestClock,
)


class Folder:
    """A folder's team, whose loop a test lets go on step by step."""

    def __init__(self, root: Path, replica: Replica, server: Server) -> None:
        self.clock = TestClock()
        server._clock = self.clock
        self.around = Around(root, replica, server, self.clock)
        self.replica, self.server = replica, server
        self.team = FolderTeam(self.around.given, wait=self._wait)
        self._waits: asyncio.Queue[float] = asyncio.Queue()
        self._go = asyncio.Event()

    async def _wait(self, woken: asyncio.Event, seconds: float) -> None:
        self._waits.put_nowait(seconds)
        waking = asyncio.ensure_future(woken.wait())
        going = asyncio.ensure_future(self._go.wait())
        try:
            await asyncio.wait([waking, going], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()
            going.cancel()
        self._go.clear()

    async def at_rest(self) -> float:
        """Wait until the loop waits; returns for how long."""
        return await self._waits.get()

    async def after(self, seconds: float) -> float:
        """Let so many seconds pass, and wait until the loop waits again."""
        self.clock.at += seconds
        self._go.set()
        return await self.at_rest()


@asynccontextmanager
async def folder(
    root: Path, replica: Replica | None = None, server: Server | None = None
) -> AsyncIterator[Folder]:
    opened = Folder(root, replica or Replica(JOINED), server or Server())
    try:
        yield opened
    finally:
        await opened.team.close()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

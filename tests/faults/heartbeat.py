"""Runs ``plimsoll`` on an event loop that measures how late it is, and writes that into a file.

    python -m faults.heartbeat FILE serve

Time in the machine's queue for a processor is taken off: it tells of the machine.
"""

import asyncio
import json
import sys
import threading
from pathlib import Path

from plimsoll.cli import main

EVERY = 0.01
"""Seconds between two beats, ten times as long between two writes."""


class Heart:
    """A callback that comes again and again."""

    def __init__(self, loop: asyncio.AbstractEventLoop, file: Path) -> None:
        self._loop = loop
        self._file = file
        self._delays: list[float] = []
        self._task = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._due = loop.time() + EVERY
        self._queued = self._waited()

    def beat(self) -> None:
        queued = self._waited()
        late = self._loop.time() - self._due - (queued - self._queued)
        self._delays.append(round(max(late, 0.0), 4))
        if len(self._delays) % 100 == 0:
            # Replaced as a whole: a reader must not find half of it.
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps(self._delays))
            fresh.replace(self._file)
        self._due, self._queued = self._loop.time() + EVERY, queued
        self._loop.call_later(EVERY, self.beat)

    def _waited(self) -> float:
        try:
            return int(self._task.read_text().split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0


class Policy(asyncio.DefaultEventLoopPolicy):
    """Gives each new loop a heart."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        loop = super().new_event_loop()
        loop.call_soon(lambda: Heart(loop, self._file).beat())
        return loop


if __name__ == "__main__":
    asyncio.set_event_loop_policy(Policy(Path(sys.argv[1])))
    main(sys.argv[2:])

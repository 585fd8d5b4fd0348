"""Lines that a person types, each read only when it is asked for."""

import asyncio
import os
import sys
from collections import deque
from contextlib import suppress
from threading import Thread

if sys.platform == "win32":

    def _forget_typed(descriptor: int) -> None:
        """Do nothing: a console has no way to forget what was typed."""

else:
    import termios

    def _forget_typed(descriptor: int) -> None:
        termios.tcflush(descriptor, termios.TCIFLUSH)


CHUNK = 65_536


class Lines:
    """Standard input in lines.

    The thread that waits for input reads the file itself: one that slept in Python's own buffer
    would hold its lock at exit.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self._rest = b""
        self._ended = False
        self._reading = False
        self._waiter: asyncio.Future[None] | None = None

    async def read(self) -> str | None:
        """Read the next line without its line ending; None at the end of input."""
        while not self._lines and not self._ended:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            if not self._reading:
                self._reading = True
                Thread(target=self._wait, args=(loop,), daemon=True).start()
            await self._waiter
        return self._lines.popleft() if self._lines else None

    def forget(self) -> None:
        """Drop the input typed before a question, since it is no answer to it."""
        self._lines.clear()
        _forget_typed(self._descriptor)

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            chunk = os.read(self._descriptor, CHUNK)
        except OSError:
            # A terminal that was hung up answers with an error: nothing more will be typed.
            chunk = b""
        # A loop that has closed meanwhile has nobody left who waits for the line.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._take, chunk)

    def _take(self, chunk: bytes) -> None:
        self._reading = False
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if not chunk:
            self._ended = True
            lines, self._rest = [self._rest] if self._rest else [], b""
        self._lines.extend(line.decode("utf-8", "replace").rstrip("\r") for line in lines)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

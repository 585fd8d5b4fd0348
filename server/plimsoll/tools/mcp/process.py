"""The process of a server, under a watcher that ends it with all that it started."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from plimsoll.cancellation import wait_through_cancel
from plimsoll.errors import ToolFailed
from plimsoll.tools.process.output import clean_output
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer
from plimsoll.tools.process.supervision.patience import GRACE_SECONDS, KILL_SECONDS
from plimsoll.tools.process.supervision.supervised import (
    Supervised,
    Told,
    fork_supervisor,
    supervise,
)

LONGEST_LINE = 32_000_000
"""Bytes of one message; a server that sends a longer one is given up."""
EOF_SECONDS = 1.0
"""How long a server may take to end by itself when its standard input has."""
_MOST_ERRORS = 8_000
_SHOWN_ERRORS = 600
_PIECE = 65_536
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class LastWords:
    """How a server's process ended, and the end of its standard error."""

    how: str | None = None
    """How it ended by itself, as the end of a sentence; none: it did not, or that is not known."""
    wrote: str = ""
    """The end of what it wrote to standard error: untrusted text."""


class ServerProcess:
    """A process that is talked to by its standard input and output, a line a message."""

    def __init__(
        self,
        supervised: Supervised,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._supervised = supervised
        self._reader = reader
        self._writer = writer
        self._errors = b""
        self._fault: str | None = None
        self._code: int | None = None
        self._wished = False
        self.hung_up = asyncio.Event()
        """Set when nothing more can be read from it."""
        self.ended = asyncio.Event()
        """Set when it and all that it started have ended."""
        self._hearing = asyncio.ensure_future(self._hear_errors())
        self._watching = asyncio.ensure_future(self._watch())

    async def lines(self) -> AsyncGenerator[bytes]:
        """Read the lines that it writes, until it ends or writes one that is too long."""
        parts, size = list[bytes](), 0
        try:
            while data := await self._read():
                *whole, rest = data.split(b"\n")
                for line in whole:
                    yield b"".join((*parts, line))
                    parts, size = [], 0
                parts.append(rest)
                size += len(rest)
                if size > LONGEST_LINE:
                    self._fault = f"it sent a message of more than {LONGEST_LINE // 1_000_000} MB"
                    return
        finally:
            self.hung_up.set()

    async def _read(self) -> bytes:
        try:
            return await self._reader.read(_PIECE)
        except ConnectionError:
            # It ended with something of ours unread.
            return b""

    async def write(self, line: bytes) -> None:
        """Write a line to it.

        Raises:
            OSError: It does not read any more.
        """
        self._writer.write(line + b"\n")
        await self._writer.drain()

    def last_words(self) -> LastWords:
        """Describe how it ended by itself, and the end of what it wrote to standard error."""
        how = self._fault
        if how is None and self._code is not None and not self._wished:
            how = f"it ended with code {self._code}"
        lines = (line.strip() for line in clean_output(self._errors).split("\n"))
        return LastWords(how, " ".join(filter(None, lines))[-_SHOWN_ERRORS:])

    async def close(self, *, at_once: bool = False) -> None:
        """End it with all that it started; return when none of it can act any more."""
        await _finish(self._close(at_once=at_once))

    async def _close(self, *, at_once: bool) -> None:
        if not at_once:
            with contextlib.suppress(OSError, RuntimeError):
                self._writer.write_eof()
            await self._wait(EOF_SECONDS)
        for wish in (b"k",) if at_once else (b"t", b"k"):
            if self.ended.is_set():
                break
            self._wished = True
            self._supervised.wish(wish)
            await self._wait(GRACE_SECONDS + KILL_SECONDS)
        self._watching.cancel()
        self._hearing.cancel()
        await asyncio.wait([self._watching, self._hearing])
        self._writer.close()
        self._supervised.close()

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.ended.wait()

    async def _watch(self) -> None:
        try:
            told = await self._supervised.wait_for_end()
        except ToolFailed as error:
            self._fault = error.message
            told = Told()
        if "left" not in told:
            # The watcher itself was killed: what it watched is ended, as far as it is found.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._supervised.process, signal.SIGKILL)
        self._code = told.get("code")
        self.ended.set()

    async def _hear_errors(self) -> None:
        while data := await self._supervised.output.read(_PIECE):
            self._errors = (self._errors + data)[-_MOST_ERRORS:]


async def start_process(fork_server: ForkServer, request: CommandRequest) -> ServerProcess:
    """Start a server's process; its request has the rule ``CONVERSES``.

    Raises:
        ToolFailed: It cannot be started.
    """

    async def start() -> ServerProcess:
        pipes = await asyncio.to_thread(fork_supervisor, fork_server)
        supervised = await supervise(fork_server, pipes, request)
        try:
            reader, writer = await asyncio.open_connection(sock=supervised.handover)
        except OSError:
            supervised.close()
            raise
        return ServerProcess(supervised, reader, writer)

    starting = asyncio.ensure_future(start())
    # A start that is broken off would leave a process that nobody ends.
    if await wait_through_cancel(starting):
        if starting.exception() is None:
            await starting.result().close(at_once=True)
        raise asyncio.CancelledError
    return starting.result()


async def _finish(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Do some work to its end, whoever cancels us meanwhile."""
    done = asyncio.ensure_future(work)
    if await wait_through_cancel(done):
        raise asyncio.CancelledError
    return done.result()

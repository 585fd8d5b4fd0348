"""Runs commands, and is the one place that ends them all."""

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.cancellation import wait_through_cancel
from plimsoll.errors import ToolFailed
from plimsoll.network.proxies import Network
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.made import MadeFile, PutInPlace
from plimsoll.tools.process.confinement.base import Confine, Confined, MovedAside
from plimsoll.tools.process.confinement.registries.proxy import RegistryProxy
from plimsoll.tools.process.confinement.registries.record import RegistryRefusal
from plimsoll.tools.process.confinement.registries.upstream import WayOut
from plimsoll.tools.process.made import look, restore_made
from plimsoll.tools.process.output import Captured
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer
from plimsoll.tools.process.supervision.patience import GRACE_SECONDS, KILL_SECONDS
from plimsoll.tools.process.supervision.supervised import (
    Limit,
    Supervised,
    SupervisorPipes,
    fork_supervisor,
    supervise,
)

MOST_RUNNING = 16
MOST_KEPT = 50
_SHELLS = ("/bin/bash", "/usr/bin/bash", "/bin/sh")
_PIECE = 65_536
_KILLED = 137
# On a busy machine what is looked at may change more than once.
_STARTS_ANEW = 2
_END_OF_OUTPUT = 20_000
# After the command and all below it have ended, only what a pipe still holds is to be read.
_DRAIN_SECONDS = 1.0
# More than the supervisor takes to kill what can be killed.
_END_SECONDS = GRACE_SECONDS + KILL_SECONDS + 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended."""

    code: int
    """The exit code; for a signal, 128 plus its number."""
    left: int
    """The number of processes that it left running; they were ended."""
    limit: Limit | None = None
    """What it took too much of in its sandbox, and was ended for."""
    refused: tuple[RegistryRefusal, ...] = ()
    """What it did not reach, where it reaches package registries alone."""
    remains: tuple[str, ...] = ()
    """What it left that may act where it could not, in lines for the model."""
    begun: bool = True
    """False: its sandbox could not be started, so nothing of it was run."""


@dataclass(frozen=True, slots=True)
class _Started:
    supervised: Supervised
    confined: Confined
    proxy: RegistryProxy | None
    """Serves it what it reaches of package registries; none: it reaches none."""


class RunningCommand:
    """A command that runs under its supervisor."""

    def __init__(
        self,
        command: str,
        started: _Started,
        start: Callable[[], Awaitable[_Started]],
        folder: Path,
    ) -> None:
        """``start``: starts the command again if its sandbox failed before any of it was run."""
        self.command = whole_line(command)
        """Its text on one line, with nothing hidden."""
        self.folder = folder
        """Where it was started."""
        self.access = started.confined.access
        """What it is confined to; none: it runs unconfined."""
        self.last_output = ""
        """The end of what was taken of its output: why it failed may have been read before."""
        self._started = started
        self._start = start
        self._wish = b""
        self._moved: tuple[MovedAside, ...] = ()
        self._moved_told = 0
        self._output = Captured()
        self.news = asyncio.Event()
        """Set when output came or the command ended."""
        self._end = asyncio.ensure_future(self._wait())

    @property
    def ended(self) -> Ended | None:
        """How the command ended; None while it runs."""
        return self._end.result() if self._end.done() else None

    async def wait(self, seconds: float | None = None) -> Ended | None:
        """Wait for the end of the command; return None if the time is up first."""
        await asyncio.wait([self._end], timeout=seconds)
        return self.ended

    def output_end(self, limit: int) -> str:
        """Return the text of at most this many last bytes of the output, without taking them."""
        return self._output.end(limit)

    @property
    def output_size(self) -> int:
        """The number of bytes of the output that were not taken yet."""
        return self._output.size

    async def output_so_far(self) -> str:
        """Return all of the output so far, without taking it, up to the last whole character."""
        return await asyncio.to_thread(self._output.so_far().text)

    async def new_output(self) -> str:
        """Return the output since the last call, up to the last whole character."""
        taken, self._output = self._output, Captured()
        if not self._end.done():
            self._output.feed(taken.take_unfinished())
        # Megabytes take long enough to clean for an editor to feel it.
        text = await asyncio.to_thread(taken.text)
        self.last_output = (self.last_output + text)[-_END_OF_OUTPUT:]
        return text

    @property
    def is_over(self) -> bool:
        """Whether the command has ended; see ``CommandMade``."""
        return self._end.done()

    def new_moved(self) -> tuple[MovedAside, ...]:
        """Return the files that were moved aside since the last call."""
        told, self._moved_told = self._moved_told, len(self._moved)
        return self._moved[told:]

    def take_moved(self) -> tuple[MovedAside, ...]:
        """Return the files moved aside since the last call; see ``CommandMade``."""
        moved, self._moved, self._moved_told = self._moved, (), 0
        return moved

    def new_refused(self) -> tuple[RegistryRefusal, ...]:
        """Return the hosts that the proxy refused to the command since the last call."""
        proxy = self._started.proxy
        return proxy.record.new() if proxy is not None else ()

    async def settle(self) -> tuple[MovedAside, ...]:
        """Move aside the protected files that the command has made, and return them."""
        guard = self._started.confined.guard
        moved = await asyncio.to_thread(guard.settle) if guard is not None else ()
        self._moved += moved
        return moved

    async def _finish(self) -> tuple[str, ...]:
        guard = self._started.confined.guard
        if guard is None:
            return ()
        self._moved += await asyncio.to_thread(guard.finish)
        return await asyncio.to_thread(guard.describe_left_behind)

    async def accept(self, paths: Sequence[Path]) -> None:
        """Exempt everything at, above or below these paths from being moved aside."""
        guard = self._started.confined.guard
        if guard is not None:
            await asyncio.to_thread(guard.accept, paths)

    async def end(self, *, at_once: bool = False) -> Ended:
        """End the command with all its child processes; return when none can act any more."""
        self._wish = b"k" if at_once else b"t"
        self._started.supervised.wish(self._wish)
        ended = await self.wait(_END_SECONDS)
        if ended is None:
            raise ToolFailed("The command could not be ended: a process of it hangs in the system.")
        return ended

    async def _wait(self) -> Ended:
        ended = await self._wait_for_end()
        for _ in range(_STARTS_ANEW):
            if ended.begun or self._wish:
                break
            # What was looked at has changed before the sandbox was made of it.
            self._output = Captured()
            self._started = await self._start()
            self._started.supervised.wish(self._wish)
            ended = await self._wait_for_end()
        self.news.set()
        return ended

    async def _wait_for_end(self) -> Ended:
        supervised = self._started.supervised
        reader = asyncio.ensure_future(self._read(supervised.output))
        try:
            told = await supervised.wait_for_end()
            if "left" not in told:
                # The supervisor itself was killed: what it watched is ended, as far as it is found.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(supervised.process, signal.SIGKILL)
            await asyncio.wait([reader], timeout=_DRAIN_SECONDS)
        finally:
            reader.cancel()
            if self._started.proxy is not None:
                await self._started.proxy.close()
            supervised.close()
        remains = await self._finish()
        code = told.get("code")
        return Ended(
            code=_KILLED if code is None else code,
            left=told.get("left") or 0,
            limit=told.get("limit"),
            begun=told.get("begun", True),
            refused=self.new_refused(),
            remains=remains,
        )

    async def _read(self, output: asyncio.StreamReader) -> None:
        while data := await output.read(_PIECE):
            self._output.feed(data)
            self.news.set()


class Processes:
    """Starts and keeps all commands of this server; whoever makes it calls ``close`` at the end."""

    def __init__(
        self,
        fork_server: ForkServer | None = None,
        network: Callable[[], Network] = Network,
        way_out: WayOut | None = None,
    ) -> None:
        """``fork_server``: forks the commands' supervisors; it is closed with them.

        ``network``: the person's environment, which may name a company's proxy. ``way_out``: how
        commands reach package registries; None: by what ``network`` says.
        """
        self.fork_server = fork_server or ForkServer()
        """Forks their supervisors; whoever looks for a sandbox by it has it ready for them."""
        self._way_out = way_out or WayOut(network=network)
        self.running: set[RunningCommand] = set()
        """Those that run; some may have ended."""
        self._kept: dict[str, RunningCommand] = {}

    async def start(
        self, command: str, context: CallContext, confine: Confine | None = None
    ) -> RunningCommand:
        """Start a command in the workspace folder, in a sandbox or, without one, as it is.

        Raises:
            ToolFailed: Too many commands run, or this one cannot be confined or started.
        """
        self.running = {running for running in self.running if running.ended is None}
        if len(self.running) >= MOST_RUNNING:
            raise ToolFailed(f"{MOST_RUNNING} commands run already. Wait until one has ended.")
        program = (_shell(), "-c", command)

        def look() -> Confined:
            return confine(program) if confine is not None else Confined(arguments=program)

        async def start() -> _Started:
            pipes, confined = await asyncio.to_thread(_look, self.fork_server, look)
            environment, folder = context.environment, str(context.root)
            request = CommandRequest(confined.arguments, environment, folder, confined.rules or "")
            supervised = await supervise(self.fork_server, pipes, request)
            return _Started(supervised, confined, self._proxy(supervised, confined))

        starting = asyncio.ensure_future(start())
        # A start that is broken off would leave a command that nobody ends.
        cancelled = await wait_through_cancel(starting)
        if cancelled and starting.exception() is not None:
            raise asyncio.CancelledError
        running = RunningCommand(command, starting.result(), start, context.root)
        self.running.add(running)
        # Also of one that is ended at once: it may have made something by then.
        context.hear_command(running)
        if cancelled:
            await running.end(at_once=True)
            raise asyncio.CancelledError
        return running

    def _proxy(self, supervised: Supervised, confined: Confined) -> RegistryProxy | None:
        if confined.registries is None:
            return None
        proxy = RegistryProxy(confined.registries, self._way_out)
        proxy.start(supervised.handover)
        return proxy

    def keep(self, running: RunningCommand) -> str:
        """Keep a command under an id, which is returned; the oldest ended commands are removed."""
        ended = [name for name, kept in self._kept.items() if kept.ended is not None]
        for name in ended[: max(0, len(ended) - MOST_KEPT)]:
            del self._kept[name]
        name = f"sh-{secrets.token_hex(4)}"
        self._kept[name] = running
        return name

    def get(self, name: str) -> RunningCommand:
        """Return the command with an id.

        Raises:
            ToolFailed: There is no such command.
        """
        if name not in self._kept:
            known = ", ".join(self._kept) or "none"
            raise ToolFailed(f"There is no background command {name[:80]!a}. Known: {known}.")
        return self._kept[name]

    async def settle(self) -> tuple[MovedAside, ...]:
        """Move aside the protected files that running commands have made, and return them."""
        running = [one for one in self.running if one.ended is None]
        return tuple([moved for one in running for moved in await one.settle()])

    async def accept(self, paths: Sequence[Path]) -> None:
        """Exempt paths that a person let a tool write from being moved aside."""
        for running in [one for one in self.running if one.ended is None]:
            await running.accept(paths)

    async def end_in(self, folder: Path) -> None:
        """End every command that was started in a folder; return when none of them runs.

        Raises:
            ToolFailed: One cannot be ended.
        """
        here = (one for one in self.running if one.folder == folder and one.ended is None)
        await asyncio.gather(*(one.end(at_once=True) for one in here))

    async def look_at_made(self, moved: Sequence[MovedAside], root: Path) -> tuple[MadeFile, ...]:
        """Return the moved files that can be put back; see ``MadeFiles``."""
        return await asyncio.to_thread(look, moved, root)

    async def put_in_place(self, files: Sequence[MadeFile]) -> tuple[PutInPlace, ...]:
        """Move files back to where they were made; see ``MadeFiles``."""
        done = [await asyncio.to_thread(restore_made, file) for file in files]
        # What a person did not get back is none of theirs: a command may not make it either.
        await self.accept([one.file.moved.path for one in done if one.failed is None])
        return tuple(done)

    async def close(self) -> None:
        """End every command at once; return when no command runs."""
        running = [one for one in self.running if one.ended is None]
        await asyncio.gather(*(one.end(at_once=True) for one in running))
        await asyncio.to_thread(self.fork_server.close)


def _look(
    fork_server: ForkServer, look: Callable[[], Confined]
) -> tuple[SupervisorPipes, Confined]:
    # The supervisor starts while the folders are looked at.
    pipes = fork_supervisor(fork_server)
    try:
        return pipes, look()
    except BaseException:
        pipes.close()
        raise


def shell_path() -> str | None:
    """Return the fixed path of a shell: one found by PATH could be the workspace's own."""
    return next((path for path in _SHELLS if Path(path).is_file()), None)


def _shell() -> str:
    shell = shell_path()
    if shell is None:
        raise ToolFailed(f"There is none of {', '.join(_SHELLS)}, so no command can be run here.")
    return shell

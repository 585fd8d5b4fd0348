"""Runs one hook under a supervisor, as a command, with files for what it is given and says.

Its standard output comes by the pipe of the command. What it is given, its standard error and its
exit code stand in a folder of its own. The files of errors and code are opened before it begins:
whatever it puts in their place is not read.
"""

import asyncio
import os
import shlex
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.hooks import HookOutput, HookRequest
from plimsoll.tools.process.confinement.base import Confine
from plimsoll.tools.process.confinement.confining import Confining
from plimsoll.tools.process.confinement.seen.looks import is_folder, real
from plimsoll.tools.process.output import clean_output
from plimsoll.tools.process.processes import Ended, Processes, RunningCommand, shell_path

MOST_OUTPUT = 1_000_000
"""Bytes of either output; what writes more is ended."""
MOST_ERRORS = 20_000
"""Bytes of the standard error that are read."""
_LOOK_SECONDS = 0.5
VARIABLE = "PLIMSOLL_HOOK"
"""Holds the hook's command, so that no sign in it is one of the shell around it."""
_WRAPPER = (
    '{{ {{ {shell} -c "${variable}" <{given} 2>&1 >&3 3>&-; echo "$?" >{code}; }} '
    "| head -c {most} >{errors}; }} 3>&1"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """The folder of one run."""

    folder: Path
    errors: int
    """The descriptor of the file that the standard error goes to."""
    code: int
    """The descriptor of the file with the exit code."""

    def wrap(self, shell: str) -> str:
        paths = {name: shlex.quote(str(self.folder / name)) for name in ("given", "errors", "code")}
        return _WRAPPER.format(
            shell=shlex.quote(shell), variable=VARIABLE, most=MOST_OUTPUT + 1, **paths
        )


async def run_hook(
    processes: Processes, own: Path, request: HookRequest, context: CallContext
) -> HookOutput:
    """Run a hook to its end or its time limit, then end all that it started.

    ``own``: the person's folder of programs for hooks, which these may read in a sandbox. Raises
    nothing but a cancel, which ends the hook first.
    """
    shell = shell_path()
    if shell is None or (request.confined and context.confining is None):
        return HookOutput(problem="not started")
    with ExitStack() as ends:
        try:
            place = await asyncio.to_thread(_make_place, request.given, ends)
            there = _with_command(request.command, context)
            confine: Confine | None = None
            if request.confined and context.confining is not None:
                confine = await asyncio.to_thread(_confine, context.confining, place.folder, own)
            running = await processes.start(place.wrap(shell), there, confine)
        except (ToolFailed, OSError):
            return HookOutput(problem="not started")
        return await _finish(running, place, request.seconds)


async def _finish(running: RunningCommand, place: _Place, seconds: float) -> HookOutput:
    try:
        ended = await _wait(running, place, seconds)
        if ended is None:
            await running.end(at_once=True)
    except asyncio.CancelledError:
        await running.end(at_once=True)
        raise
    except ToolFailed:
        return HookOutput(problem="timeout")
    if max(running.output_size, os.fstat(place.errors).st_size) > MOST_OUTPUT:
        return HookOutput(problem="too much output")
    code = _read(place.code, 20).strip()
    if not code.isascii() or not code.isdigit():
        # It was ended before the shell around it could say how it went.
        if ended is None:
            return HookOutput(problem="timeout")
        begun = ended.begun and ended.limit is None
        return HookOutput(code=ended.code or 1) if begun else HookOutput(problem="not started")
    output = await running.new_output()
    errors = _read(place.errors, MOST_ERRORS)
    return HookOutput(code=int(code), output=output, errors=errors)


async def _wait(running: RunningCommand, place: _Place, seconds: float) -> Ended | None:
    """Wait for a hook's end; what it left running keeps nobody waiting once it has ended itself."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while (left := until - loop.time()) > 0:
        ended = await running.wait(min(_LOOK_SECONDS, left))
        if running.output_size > MOST_OUTPUT:
            return None
        if ended is not None or os.fstat(place.code).st_size:
            return ended or await running.wait(_LOOK_SECONDS)
    return None


def _make_place(given: str, ends: ExitStack) -> _Place:
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="plimsoll-hook-")))
    ends.callback(shutil.rmtree, folder, ignore_errors=True)
    (folder / "given").write_text(given, "utf-8", errors="replace")
    opened = [os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o600) for name in ("errors", "code")]
    for descriptor in opened:
        ends.callback(os.close, descriptor)
    return _Place(folder, *opened)


def _with_command(command: str, context: CallContext) -> CallContext:
    own = {VARIABLE: command, "CLAUDE_PROJECT_DIR": str(context.root)}
    return replace(context, environment={**context.environment, **own})


def _confine(confining: Confining, folder: Path, own: Path) -> Confine:
    access = confining.access(False)
    programs = real(own)
    shown = (programs,) if programs is not None and is_folder(programs) else ()
    readable, writable = (*access.readable, *shown), (*access.writable, folder)
    return partial(confining.confine, access=replace(access, readable=readable, writable=writable))


def _read(descriptor: int, most: int) -> str:
    return clean_output(os.pread(descriptor, most, 0))

"""The command line: the only place that exits, prints errors and sets up logging."""

import ctypes
import gc
import importlib
import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TextIO, cast

from plimsoll.errors import PlimsollError, StoreUnavailable
from plimsoll.redaction.secrets import Secrets
from plimsoll.redaction.variables import secrets_of
from plimsoll.standard_streams import FULL, open_closed_streams, refuse_closed
from plimsoll.terminal.arguments import parsed_arguments, parser
from plimsoll.terminal.screen import Screen

Command = Callable[[Namespace, Screen], int]

COMMANDS = {
    "serve": "plimsoll.terminal.commands.serve:serve",
    "acp": "plimsoll.terminal.commands.serve:acp",
    "run": "plimsoll.terminal.commands.run:run",
    "chat": "plimsoll.terminal.commands.chat:chat",
    "connect": "plimsoll.terminal.commands.connect:connect",
    "replay": "plimsoll.terminal.commands.recorded.replay:replay",
    "bench": "plimsoll.terminal.commands.recorded.bench:bench",
    "sessions": "plimsoll.terminal.commands.stored:sessions",
    "pins": "plimsoll.terminal.commands.stored:pins",
    "memories": "plimsoll.terminal.commands.remembered:memories",
    "mcp": "plimsoll.terminal.commands.mcp.command:mcp",
    "team": "plimsoll.terminal.commands.team:team",
    "report": "plimsoll.terminal.commands.stored:report",
    "view": "plimsoll.terminal.commands.view:view",
    "link": "plimsoll.terminal.commands.remembered:link",
    "forget-everything": "plimsoll.terminal.commands.forget:forget",
    "editor": "plimsoll.terminal.editors.editor:editor",
    "schema": "plimsoll.terminal.commands.serve:schema",
    "doctor": "plimsoll.terminal.commands.doctor:doctor",
}
"""The commands by name; each is loaded when it is chosen, so that the server starts fast."""

FAILED = 1
USAGE = 2
INTERRUPTED = 130
LOG_VARIABLE = "PLIMSOLL_LOG"
"""``debug``, ``info``, ``warning`` or ``error``: what goes to standard error of the log."""


class RedactingFormatter(logging.Formatter):
    """Replaces known secrets in every record, tracebacks included."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """The record as one redacted text."""
        return self._redact(super().format(record))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end the process with its exit code."""
    closed = open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character shows a question mark, and no traceback.
            stream.reconfigure(errors="replace")
    sys.exit(_run(parsed_arguments(arguments), closed))


def _run(options: Namespace, closed: frozenset[str]) -> int:
    name = options.command or ("serve" if _started_by_an_editor(options, closed) else None)
    if name is None:
        parser().print_help(sys.stderr)
        return USAGE
    try:
        require_file_locks(sys.platform)
        hide_from_other_processes(sys.platform)
        release_large_blocks(sys.platform)
        look_for_cycles_rarely()
        options.secrets = Secrets(secrets_of(os.environ))
        _log(options.secrets)
        refuse_closed(name, closed)
        return _flush_and_return(_command(name)(options, Screen(sys.stdout, sys.stderr)))
    except PlimsollError as error:
        _tell(error)
        return FAILED
    except KeyboardInterrupt:
        print("plimsoll: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return FAILED
    except OSError as error:
        if error.errno not in FULL:
            raise
        _let_go_of_output()
        print(f"plimsoll: the output could not be written: {error.strerror}.", file=sys.stderr)
        print("  Send it to a place that has room.", file=sys.stderr)
        return FAILED


def _started_by_an_editor(options: Namespace, closed: frozenset[str]) -> bool:
    return options.stdio or ("stdin" not in closed and not sys.stdin.isatty())


def _command(name: str) -> Command:
    module, _, function = COMMANDS[name].partition(":")
    return cast("Command", getattr(importlib.import_module(module), function))


def _flush_and_return(code: int) -> int:
    """Flush standard output while a failure can still be reported; return the code."""
    sys.stdout.flush()
    return code


def _tell(error: PlimsollError) -> None:
    print(f"plimsoll: {error.message}", file=sys.stderr)
    if remedy := _remedy(error):
        print(f"  {remedy}", file=sys.stderr)


def _remedy(error: PlimsollError) -> str | None:
    if error.fix is None:
        return error.remedy
    # Late, as the commands are: the server starts fast, and Windows is refused before asyncio.
    from plimsoll.terminal.opening import remedy_of

    return remedy_of(error)


def _log(secrets: Secrets) -> None:
    """Log without secrets; a key that a command comes to know later is one of them."""
    # Behind the refusal of Windows, which has no file locks.
    from plimsoll.telemetry.log_file import LogFile

    chosen = os.environ.get(LOG_VARIABLE, "warning").upper()
    level = logging.getLevelNamesMapping().get(chosen, logging.WARNING)
    shown = logging.StreamHandler(cast("TextIO", sys.stderr))
    shown.setLevel(level)
    shown.setFormatter(RedactingFormatter(secrets))
    logging.basicConfig(handlers=[shown, LogFile(_log_folder, secrets)], level=level)
    logging.getLogger("plimsoll").setLevel(min(level, logging.INFO))


def _log_folder() -> Path:
    # Late: the log begins after `initialize` is answered.
    from plimsoll.private_files import private_folder
    from plimsoll.storage.locate import data_folder, log_folder

    return private_folder(log_folder(data_folder(os.environ)))


def _let_go_of_output() -> None:
    """Point standard output at the null device: its reader is gone, and the exit would flush it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def require_file_locks(platform: str) -> None:
    """Refuse to start where files cannot be locked; raises StoreUnavailable."""
    if platform == "win32":
        raise StoreUnavailable(
            "Plimsoll does not run on Windows: its store needs file locks of Linux and macOS.",
            remedy="Start it in the Windows Subsystem for Linux (WSL).",
        )


_SET_DUMPABLE = 4
_MMAP_THRESHOLD = -3
"""``M_MMAP_THRESHOLD`` of glibc."""
LARGE_BLOCK_BYTES = 256 * 1024
"""From here on a block of memory is a mapping of its own, which ends when it is freed."""


def hide_from_other_processes(platform: str) -> None:
    """Keep environment and memory of this process from others of the same user, where Linux can.

    What the agent runs is such a process, and ours holds the keys. A child that runs another
    program is not hidden. Whoever may trace every process, as root may, still sees all.
    """
    if platform == "linux":
        # It has no way to fail with these arguments.
        ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def release_large_blocks(platform: str) -> None:
    """Make glibc return the memory of large texts to the system as soon as they are freed.

    By default glibc raises the size from which a block is its own mapping with each one that is
    freed, up to 32 MiB; a session with long answers then keeps 16 MB more than it holds.
    """
    # Other C libraries of Linux have no such setting, and no need of it.
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if platform == "linux" else None
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, LARGE_BLOCK_BYTES)


NEW_OBJECTS = 10_000
"""How many come before Python looks for those that only hold each other; left alone 700."""


def look_for_cycles_rarely() -> None:
    """Let the garbage collector run rarely: a long log makes many objects that stay.

    A log of 4,000 messages is 100,000 objects that stay: looking took a fifth of its opening.
    """
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])

"""The standard streams as a process is given them: some closed, some full, some piped."""

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Mapping
from typing import TextIO, cast

from plimsoll.errors import InvalidInput

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What is answered where output cannot be written: a full disk, a quota, a broken device."""
TOLD_SECONDS = 1.0
WAIT_SECONDS = 10.0
"""For the first byte of a pipe: one that nobody writes to must not hold a script for ever."""
MOST_PIPED = 4_000_000
"""Bytes that are read of a pipe; of a longer text, the beginning."""
_STREAMS: Mapping[str, str] = {"stdin": "r", "stdout": "w", "stderr": "w"}
"""In the order of their numbers, with how each is opened."""
_FLAGS = {"r": os.O_RDONLY, "w": os.O_WRONLY}
_READ_FROM = frozenset({"serve", "acp", "chat"})


def open_closed_streams() -> frozenset[str]:
    """Give each closed stream the null device; return their names.

    Nothing that is opened later gets the number of a standard stream then.
    """
    closed = frozenset(name for name in _STREAMS if getattr(sys, name) is None)
    for name, mode in _STREAMS.items():
        if name in closed:
            setattr(sys, name, os.fdopen(os.open(os.devnull, _FLAGS[mode]), mode))
    return closed


def refuse_closed(command: str, closed: frozenset[str]) -> None:
    """Refuse a command if a standard stream that it needs is closed.

    Raises:
        InvalidInput: It says which stream is closed.
    """
    if "stdout" in closed:
        raise InvalidInput(
            "Standard output is closed, so nothing could be shown.",
            remedy="Start plimsoll with an output, such as >/dev/null.",
        )
    if "stdin" in closed and command in _READ_FROM:
        raise InvalidInput(
            f"Standard input is closed, so `plimsoll {command}` could hear nobody.",
            remedy="Start it from an editor or a terminal.",
        )


def read_piped(tell: Callable[[str], None]) -> str | None:
    """Return the text piped or redirected to this process; None if there is none. Blocks.

    At most ``MOST_PIPED`` bytes of it, and nothing where no byte comes for ``WAIT_SECONDS``.
    ``tell`` is called with a sentence for a person who waits.
    """
    given = cast("TextIO", sys.stdin)
    try:
        mode = os.fstat(given.fileno()).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode):
        return _text(given.fileno(), tell)
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return None
    if not _comes(given.fileno(), TOLD_SECONDS):
        tell("Waiting for what is piped in; with </dev/null nothing is waited for.")
        if not _comes(given.fileno(), WAIT_SECONDS - TOLD_SECONDS):
            tell("Nothing was piped in, so nothing is attached.")
            return None
    return _text(given.fileno(), tell)


def _comes(descriptor: int, seconds: float) -> bool:
    ready, _, _ = select.select([descriptor], [], [], seconds)
    return bool(ready)


def _text(descriptor: int, tell: Callable[[str], None]) -> str | None:
    data = bytearray()
    while len(data) <= MOST_PIPED and (piece := os.read(descriptor, 65_536)):
        data += piece
    if len(data) > MOST_PIPED:
        tell(f"Of what is piped in the first {MOST_PIPED:,} bytes are attached.")
    text = bytes(data[:MOST_PIPED]).decode("utf-8", "replace")
    return text if text.strip() else None

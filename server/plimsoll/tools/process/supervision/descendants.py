"""Finds the processes below this one, and what they hold, as the system tells.

Standard library only: a supervisor runs without the packages that Plimsoll needs.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

_PIECE = 65_536
_PROCESSES = "/proc"


def running_below(process: int) -> dict[int, int]:
    """Return the processes that still run below this one, each with its group.

    Where processes cannot be listed, return the group of ``process`` alone.
    """
    if not Path(f"{_PROCESSES}/self/stat").exists():
        return _group(process)
    return {} if is_childless() else _descendants()


def is_childless() -> bool:
    """Tell whether this process has no descendants; orphans become children of it."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _descendants() -> dict[int, int]:
    """List all processes below this one that still run, without those that wait to be reaped."""
    children: dict[int, list[int]] = {}
    groups: dict[int, int] = {}
    with os.scandir(_PROCESSES) as entries:
        for process in [int(entry.name) for entry in entries if entry.name.isdigit()]:
            state, parent, group = _state(process)
            children.setdefault(parent, []).append(process)
            if state not in b"ZX":
                groups[process] = group
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        below = children.get(pending.pop(), [])
        pending += below
        found += below
    return {process: groups[process] for process in found if process in groups}


def _state(process: int) -> tuple[bytes, int, int]:
    """Return a process's state, parent and group."""
    # The name before it may hold spaces and brackets.
    told = read_of(process, "stat").rpartition(b")")[2].split(None, 3)
    return (told[0], int(told[1]), int(told[2])) if told else (b"X", 0, 0)


def read_of(process: int, name: str) -> bytes:
    """Return the content of a file on a process in ``/proc``; empty when the process has ended.

    A machine has hundreds of processes, so each file is read by as few calls as possible.
    """
    try:
        descriptor = os.open(f"{_PROCESSES}/{process}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, _PIECE)
    except OSError:
        # It ended while we looked.
        return b""
    finally:
        os.close(descriptor)


def _group(process: int) -> dict[int, int]:
    """Return a live process group as a negative number, for systems that list no processes."""
    try:
        os.killpg(process, 0)
    except OSError:
        return {}
    return {-process: process}


def send_signal(processes: Iterable[int], number: int) -> None:
    """Send a signal to processes; to groups by their negative numbers."""
    for process in processes:
        # It may have ended, or belong to another user by now.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)

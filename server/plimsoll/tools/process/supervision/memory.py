"""Counts the memory that a command holds: its processes, what they share, and files in memory.

Standard library only: a supervisor runs without the packages that Plimsoll needs.
"""

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from plimsoll.tools.process.confinement.kernel.namespace import read_beside
from plimsoll.tools.process.supervision.descendants import read_of

_KIB = 1024
_BLOCK = 512
_FIELD = re.compile(rb"^(\w+):\s+(\d+) kB$", re.MULTILINE)
_MEMORY_FILE = "/memfd:"
_SEGMENTS = "/proc/sysvipc/shm"
# When so little of it is left, the kernel ends programs soon.
_LEAST_LEFT = 8


class MemoryCount:
    """Counts the bytes of the machine's memory that a command holds."""

    def __init__(self, folders: Iterable[str]) -> None:
        """``folders``: where the command may write outside of a name space of its own."""
        self._left = _of_machine().get("MemAvailable", 0)
        self._devices = frozenset(device for device, _ in _folders_in_memory(os.getpid()))
        shared = (folder for folder in folders if _device(folder) in self._devices)
        self._shared = {folder: _read_used(folder) for folder in shared}

    def exceeds(self, limit: int, running: Iterable[int], first: int | None) -> bool:
        """Tell whether the command holds more than ``limit`` bytes.

        ``first``: the first process of its name space, if it has one of its own. Memory that no
        process shows, such as the kernel's, counts where the machine has little left.
        """
        processes, machine = tuple(running), _of_machine()
        taken = self._left - machine.get("MemAvailable", 0)
        total = machine.get("MemTotal", 0)
        if taken > limit and machine.get("MemAvailable", 0) < total // _LEAST_LEFT:
            return True
        swapped = machine.get("SwapTotal", 0) - machine.get("SwapFree", 0)
        # Cheap, and never too little: most commands are far below.
        if sum(map(_private, processes)) + machine.get("Shmem", 0) + swapped <= limit:
            return False
        return self._count_bytes(processes, first) > limit

    def _count_bytes(self, processes: tuple[int, ...], first: int | None) -> int:
        """Return the bytes that the command holds, each shared page once."""
        shares = [_share(process) for process in processes]
        private = sum(share.get("Pss_Anon", 0) + share.get("SwapPss", 0) for share in shares)
        mapped = sum(share.get("Pss_Shmem", 0) for share in shares)
        opened = _memory_files(processes) + (_segments(first) if first else 0)
        # What is mapped is open as a rule.
        return private + max(mapped, opened) + self._in_folders(first)

    def _in_folders(self, first: int | None) -> int:
        """Return the bytes in the command's own folders in memory, and those added to others."""
        seen = dict(_folders_in_memory(first) if first else ())
        own = (path for device, path in seen.items() if device not in self._devices)
        held = sum(_read_used(f"/proc/{first}/root{path}") for path in own)
        return held + sum(_read_used(folder) - before for folder, before in self._shared.items())


def _read_used(folder: str) -> int:
    try:
        status = os.statvfs(folder)
    except OSError:
        # It is gone, with what it held.
        return 0
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def _device(path: str) -> str:
    try:
        device = Path(path).stat().st_dev
    except OSError:
        return ""
    return f"{os.major(device)}:{os.minor(device)}"


def _private(process: int) -> int:
    """Return the anonymous memory of a process, including pages that forked ones share."""
    return _fields(read_of(process, "status")).get("RssAnon", 0)


def _share(process: int) -> dict[str, int]:
    """Return a process's proportional share of its mapped memory; all of it if that is hidden."""
    share = _fields(read_of(process, "smaps_rollup"))
    if "Pss_Anon" in share:
        return share
    whole = _fields(read_of(process, "status"))
    return {"Pss_Anon": whole.get("RssAnon", 0), "Pss_Shmem": whole.get("RssShmem", 0)}


def _fields(text: bytes) -> dict[str, int]:
    return {name.decode(): int(size) * _KIB for name, size in _FIELD.findall(text)}


def _of_machine() -> dict[str, int]:
    try:
        return _fields(Path("/proc/meminfo").read_bytes())
    except OSError:
        return {}


def _memory_files(processes: Iterable[int]) -> int:
    """Return the size of the open files without a name that processes made in memory."""
    sizes: dict[tuple[int, int], int] = {}
    for process in processes:
        folder = f"/proc/{process}/fd"
        # It may have ended.
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if Path(entry.path).readlink().as_posix().startswith(_MEMORY_FILE):
                        status = Path(entry.path).stat()
                        sizes[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK
    return sum(sizes.values())


def _segments(first: int) -> int:
    """Return the size of the name space's shared memory segments (System V), attached or not."""
    lines = read_beside(first, Path(_SEGMENTS)).removesuffix(b"\n").split(b"\n")
    names = lines[0].split() if lines else []
    at = [names.index(name) for name in (b"rss", b"swap") if name in names]
    return sum(int(line.split()[column]) for line in lines[1:] for column in at)


def _folders_in_memory(process: int) -> list[tuple[str, str]]:
    """Return the devices of the folders in memory that a process sees, each with its path."""
    found: list[tuple[str, str]] = []
    for line in read_of(process, "mountinfo").decode("utf-8", "surrogateescape").split("\n"):
        mount, _, kind = line.partition(" - ")
        parts = mount.split()
        if kind.startswith("tmpfs ") and len(parts) > 4:
            # A space in a path stands there as its number in octal.
            path = re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), parts[4])
            found.append((parts[2], path))
    return found

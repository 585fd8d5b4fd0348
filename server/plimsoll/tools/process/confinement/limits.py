"""The limits of a confined command: no build comes near them, and a bomb ends at them."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

_PROCESSES = 4096
_SMALL_FOLDER = 16_000_000


def _half_of_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLimits:
    """The resource limits for a command together with all that it starts."""

    memory_bytes: int = field(default_factory=_half_of_memory)
    """Of its processes, what they share, and files in memory."""
    temporary_bytes: int = field(default_factory=_half_of_memory)
    """Of each folder in memory for itself."""
    processes: int = _PROCESSES
    disk_bytes: int | None = None
    """Of each disk, beyond what was taken before; none: half of what is free at its start."""

    @property
    def folder_bytes(self) -> int:
        """The size limit of a folder in memory that commands write in."""
        return min(self.memory_bytes, self.temporary_bytes)

    @property
    def small_folder_bytes(self) -> int:
        """The size limit of a folder in memory that only hides another one."""
        return min(self.folder_bytes, _SMALL_FOLDER)

    def rules(self, folders: Iterable[Path]) -> dict[str, object]:
        """Return the limits that a supervisor watches; ``folders``: the writable ones on disk."""
        return {
            "memory": self.memory_bytes,
            "processes": self.processes,
            "disk": self.disk_bytes,
            "folders": sorted(map(str, folders)),
        }

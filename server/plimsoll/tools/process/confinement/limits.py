"""The limits of a confined command: no build comes near them, and a bomb ends at them."""

import os
from dataclasses import dataclass, field

_PROCESSES = 4096


def _half_of_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLimits:
    """What a command and all that it starts may take together."""

    memory_bytes: int = field(default_factory=_half_of_memory)
    temporary_bytes: int = field(default_factory=_half_of_memory)
    """Of its private folder for temporary files, which lies in memory."""
    processes: int = _PROCESSES

    def rules(self) -> dict[str, int]:
        """Return what its supervisor watches."""
        return {"memory": self.memory_bytes, "processes": self.processes}

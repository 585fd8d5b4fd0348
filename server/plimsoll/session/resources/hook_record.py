"""What a session keeps of its hooks while it lives: their last runs, and what a person allowed."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import HookRan

MOST_RUNS = 20


@dataclass(slots=True, kw_only=True)
class HookRecord:
    """The runs of a session's hooks, newest last, and the answer about those without a sandbox."""

    runs: deque[HookRan] = field(default_factory=lambda: deque(maxlen=MOST_RUNS))
    began: bool = False
    """Whether the hooks of the session's start have run in this process."""
    told: set[str] = field(default_factory=set[str])
    """The faults that the person was told of, each once."""
    outside: dict[tuple[str, ...], Decision] = field(
        default_factory=dict[tuple[str, ...], Decision]
    )
    """Whether hooks run without a sandbox, by the commands that the person was shown."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the look at the answer to the answer, so that it is asked once."""

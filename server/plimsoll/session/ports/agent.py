"""What agent a session is, and on which machine it works: values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

AgentKind = Literal["main", "explore", "work"]
AGENT_KINDS: Mapping[str, AgentKind] = {"main": "main", "explore": "explore", "work": "work"}


@dataclass(frozen=True, slots=True)
class Agent:
    """What agent a session is."""

    kind: AgentKind
    """``main``: it talks with a person; ``explore``: it reads for another agent; ``work``: it edits
    for one."""
    depth: int
    """How many agents stand above it."""
    name: str = ""
    """Of a custom agent; empty: it is none."""
    tools: frozenset[str] | None = None
    """The names of the only tools that it may use; None: all that its kind may use."""


MAIN = Agent("main", 0)


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine on which tools run."""

    system: str
    """``Linux 6.8``."""
    shell: str
    """The name of the shell that runs commands; ``none`` where there is none."""
    id: str
    """Of this machine alone; a loopback address counts with it."""

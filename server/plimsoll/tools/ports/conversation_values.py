"""What the tools of a session hand to it, and what it hands back."""

from dataclasses import dataclass
from typing import Literal

TaskKind = Literal["explore", "work"]
"""What the other agent may do: read alone, or all that its caller may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTask:
    """A task for another agent."""

    description: str
    """In a few words, for people."""
    prompt: str
    kind: TaskKind = "explore"
    isolated: bool = False
    """Whether it works in a git worktree of its own, whose changes are brought in at the end."""
    agent: str | None = None
    """The custom agent that is to do it; none: one of Plimsoll's own."""
    kind_is_open: bool = False
    """Whether the call named no kind, so that a custom agent's own counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An item of the conversation that a search found."""

    item: str
    title: str
    excerpt: str
    turn: int
    tokens: int
    in_view: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePlan:
    """A note to save. It replaces the note in ``corrects``, or without content removes it."""

    type: str
    title: str
    content: str
    class_: str | None = None
    corrects: str | None = None
    scope: str = "private"


@dataclass(frozen=True, slots=True)
class NoteKept:
    """The result of saving a note."""

    id: str
    waits: bool
    """True if it has no effect until a person accepts it."""

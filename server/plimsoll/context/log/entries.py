"""The entries of a session's log.

Law 1: the log only grows. Nothing here is ever changed or removed as long as the session lives;
what the model sees is a fold over these entries.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from plimsoll.context.log.messages import OF_TOOLS, Part, PartKind, Role, Source
from plimsoll.context.log.traits import Tools
from plimsoll.text.speech.pasted import WrittenText

Place = Literal["head", "tail"]
Scope = Literal["session", "workspace"]


class Slot(StrEnum):
    """The kinds of items that the meter counts separately."""

    SYSTEM = "system"
    INSTRUCTIONS = "instructions"
    MEMORIES = "memories"
    RECALL = "recall"
    PINS = "pins"
    TASKS = "tasks"
    TOOLS = "tools"
    SUMMARY = "summary"
    DECISIONS = "decisions"
    USER = "user"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    TOOL_RESULTS = "toolResults"
    ATTACHMENTS = "attachments"
    DRAFT = "draft"


class Stage(StrEnum):
    """The kinds of edits: reductions, and the restoring of what they removed."""

    TRUNCATE = "truncate"
    REFER = "refer"
    DEDUP = "dedup"
    PRUNE = "prune"
    DIGEST = "digest"
    COMPACT = "compact"
    TRIM = "trim"
    EVICT = "evict"
    RESTORE = "restore"


class Origin(StrEnum):
    """Who began the turn of a message, which decides how far memories may be taken from it."""

    PERSON = "person"
    """The person at this editor began the turn: their words, the model's, a tool's."""
    EDITOR = "editor"
    """The editor's own agent appended the message."""
    IMPORT = "import"
    """It came from an imported file, which anybody can have written."""
    SUBAGENT = "subagent"
    """An agent began the turn for a subagent."""


HELD_HERE = frozenset({Origin.PERSON, Origin.SUBAGENT})
"""Origins of turns that ran in this server."""


FRONT = frozenset({Slot.MEMORIES, Slot.RECALL})
"""Kinds of frames that quote other sessions: never in the system text, where a model takes them for
instructions. Those of the session's start are the first message of the conversation."""
BIG_STEPS = frozenset({Stage.DEDUP, Stage.PRUNE, Stage.DIGEST, Stage.COMPACT, Stage.TRIM})
"""Stages that rewrite the prefix; frames at the tail move to the head with the next one."""

ON_ARRIVAL = frozenset({Stage.TRUNCATE, Stage.REFER})
"""Stages that work as a result arrives, before any request has carried it."""
SUMMARIES = frozenset({Stage.DIGEST, Stage.COMPACT})
"""Stages that replace the old part of a conversation by a text."""


class ItemState(StrEnum):
    """The form in which an item is in the view, or the reason why it is not."""

    VERBATIM = "verbatim"
    TRUNCATED = "truncated"
    REFERRED = "referred"
    SUPERSEDED = "superseded"
    PRUNED = "pruned"
    SUMMARISED = "summarised"
    EVICTED = "evicted"
    TRIMMED = "trimmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of a person, of the model or of a tool."""

    id: str
    at: str
    role: Role
    group: str
    """The id of its group: an assistant message with all its results, or one user message."""
    parts: tuple[Part, ...]
    turn: str | None = None
    """The turn in which it was said."""
    origin: Origin = Origin.EDITOR
    """Foreign by default: only its maker can say that it is to be trusted."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of lines in a frame of memories; all passages in order are the frame's text."""

    lines: int
    memory: str | None = None
    """The id of the memory that these lines quote or list."""
    heading: bool = False
    """Whether it is the heading of a section."""


TaskStatus = Literal["pending", "inProgress", "completed", "cancelled"]


@dataclass(frozen=True, slots=True)
class TaskItem:
    """One task of the agent's list."""

    title: str
    status: TaskStatus
    children: "tuple[TaskItem, ...]" = ()
    """Its subtasks."""


def with_subtasks(tasks: Iterable[TaskItem]) -> Iterator[TaskItem]:
    """Yield the tasks of a tree, each before its subtasks."""
    for task in tasks:
        yield task
        yield from with_subtasks(task.children)


ImportOutcome = Literal["followed", "missing", "refused", "outside", "met", "tooDeep", "tooMany"]
"""``refused``: it may not be read; ``met``: its text is already there; ``tooDeep`` and ``tooMany``:
the chain of imports is as long, or its files as many, as the limit allows."""


@dataclass(frozen=True, slots=True)
class RulesImport:
    """A file that a rules file imports, and whether its text was read."""

    path: str
    """Relative to the workspace; as it is written in the rules file if it is outside."""
    outcome: ImportOutcome
    tokens: int = 0
    """Tokens of its own text, without its imports; 0 if it was not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """A text that requests carry and nobody said, as system text; the newest of a slot counts."""

    id: str
    at: str
    slot: str
    """A name such as ``system``, ``tasks`` or ``tools.grep``; its item is ``frame.<slot>``."""
    kind: Slot
    text: str | None
    """None removes the slot from the view."""
    place: Place = "head"
    """``tail``: it enters after the newest message and moves to the head with the next big step."""
    source: Source | None = None
    """The file that it was read from."""
    original: int | None = None
    """Tokens of the whole file, if only its beginning entered."""
    passages: tuple[Passage, ...] = ()
    """Which lines of a frame of memories quote which memory."""
    tasks: tuple[TaskItem, ...] = ()
    """The tasks that the frame of tasks lists."""
    imports: tuple[RulesImport, ...] = ()
    """The imports of the rules file that it was read from."""
    origin: Origin | None = None
    """Who brought it into the log; None: the session itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A text that stays in every request; a copy, so it survives the eviction of its source."""

    id: str
    at: str
    text: str
    number: int
    """Counted from 1, never reused in a session."""
    item: str | None = None
    scope: Scope = "session"
    """``workspace``: it is in every session of the folder, under the same id."""
    origin: Origin | None = None
    """Who brought it into the log; None: it was pinned in this session or folder."""


@dataclass(frozen=True, slots=True)
class Replace:
    """An operation: show this text instead of the item's own."""

    item: str
    text: str
    state: ItemState
    kept_in: str | None = None
    """The file that holds the whole of a truncated output."""


@dataclass(frozen=True, slots=True)
class Refer:
    """An operation: show a pointer while the content ``base`` is verbatim earlier in the view."""

    item: str
    base: str
    """SHA-256 of the content referred to."""
    text: str


@dataclass(frozen=True, slots=True)
class Cover:
    """An operation: hide whole groups; the text, if any, is shown at the first of them."""

    groups: tuple[str, ...]
    text: str | None
    standing: tuple[str, ...] = ()
    """The standing instructions of people that the text carries on, word for word."""
    decisions: str | None = None
    """The decision record as of this edit, about everything out of view by then."""


@dataclass(frozen=True, slots=True)
class Restore:
    """An operation: bring groups back into view and items back to their full text."""

    groups: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


Op = Replace | Refer | Cover | Restore


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """One pass of one stage, with one receipt and one undo."""

    id: str
    at: str
    stage: Stage
    why: str
    ops: tuple[Op, ...]
    before: int
    """Tokens of the view before the pass."""
    after: int
    """Tokens of the view after the pass."""
    model: str | None = None
    """The model that wrote the summary, if one did."""
    spent: int = 0
    """Tokens that the call of the model cost."""
    rewritten: int = 0
    """Tokens of the request from the first change on, which the provider's cache must read
    again."""


@dataclass(frozen=True, slots=True)
class Undone:
    """Undoes an ``Edited``, a ``Pinned`` (unpin), or a ``Rewound``."""

    id: str
    at: str
    target: str


@dataclass(frozen=True, slots=True)
class Rewound:
    """Hides messages and edits after the group of ``to``; the log keeps them."""

    id: str
    at: str
    to: str
    before: bool = False
    """Whether to hide ``to`` itself too, with everything after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A fact that changes no text: stale, fresh, usage, calibration, breaker, turn."""

    id: str
    at: str
    what: str
    item: str | None = None
    data: str = "{}"
    """Canonical JSON."""


Entry = Said | Framed | Pinned | Edited | Undone | Rewound | Noted


COMMAND = "/"
"""The first character of a slash command."""


def written_texts(said: Said) -> list[WrittenText]:
    """Return what a person wrote; commands, files, selections and images do not count."""
    if said.role is not Role.USER:
        return []
    parts = (part for part in said.parts if part.kind is PartKind.TEXT)
    return [WrittenText(e.text, e.pasted) for e in parts if not e.text.startswith(COMMAND)]


def refusal_reasons(said: Said) -> list[str]:
    """Return what a person typed when they declined the call that a message is the result of."""
    if said.role is not Role.TOOL or said.origin not in HELD_HERE:
        return []
    given = (part.rejection for part in said.parts if part.rejection is not None)
    return [each.reason for each in given if each.by == "person" and each.reason]


def text_length(entry: Entry) -> int:
    """Count the characters of a message or frame; other entries count as 0."""
    if isinstance(entry, Said):
        return sum(len(part.text) for part in entry.parts)
    return len(entry.text or "") if isinstance(entry, Framed | Pinned) else 0


def spoken_text(said: Said) -> str:
    """Return the text of a person or the model in a message, without attachments."""
    if said.role not in {Role.USER, Role.ASSISTANT}:
        return ""
    return "\n".join(part.text for part in said.parts if part.kind is PartKind.TEXT)


def with_traits(entry: Entry, tools: Tools) -> Entry:
    """Add the traits of the named tools to a message that was made without them."""
    if not isinstance(entry, Said) or not any(_lacks_traits(part, tools) for part in entry.parts):
        return entry
    parts = (
        replace(part, traits=tools[part.name or ""]) if _lacks_traits(part, tools) else part
        for part in entry.parts
    )
    return replace(entry, parts=tuple(parts))


def _lacks_traits(part: Part, tools: Tools) -> bool:
    known = tools.get(part.name) if part.name and part.kind in OF_TOOLS else None
    return known is not None and known is not part.traits

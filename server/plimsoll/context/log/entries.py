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
    """The kinds of items that the meter tells apart."""

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
    """The kinds of reductions, and what takes them back."""

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
    """Whose turn brought a message into the log: what it is worth as a source of memories."""

    PERSON = "person"
    """A turn that the person at this editor began: their words, the model's, a tool's."""
    EDITOR = "editor"
    """The editor's own agent appended it."""
    IMPORT = "import"
    """It came in a file, which anybody can have written."""
    SUBAGENT = "subagent"
    """A conversation that the agent held with itself."""


HELD_HERE = frozenset({Origin.PERSON, Origin.SUBAGENT})
"""Origins of what was said in turns of ours."""


FRONT = frozenset({Slot.MEMORIES, Slot.RECALL})
"""Quotes of other times: never in the system text, where a model takes them for orders. Those of a
session's beginning stand as the first message of the conversation."""
BIG_STEPS = frozenset({Stage.DEDUP, Stage.PRUNE, Stage.DIGEST, Stage.COMPACT, Stage.TRIM})
"""Stages that rewrite the prefix; what entered at the tail moves to the head with the next one."""

ON_ARRIVAL = frozenset({Stage.TRUNCATE, Stage.REFER})
"""Stages that work as a result arrives: no request has carried yet what they cut."""
SUMMARIES = frozenset({Stage.DIGEST, Stage.COMPACT})
"""Stages that put a text in the place of the old part of a conversation."""


class ItemState(StrEnum):
    """The form in which an item stands in the view, or why it does not."""

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
    """A message: what a person, the model or a tool said."""

    id: str
    at: str
    role: Role
    group: str
    """The id of its group: an assistant message with all its results, or one user message."""
    parts: tuple[Part, ...]
    turn: str | None = None
    """The turn in which it was said."""
    origin: Origin = Origin.EDITOR
    """Foreign unless its maker says otherwise: trust is never the default."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of a frame of memories; all passages in order are its text."""

    lines: int
    memory: str | None = None
    """The id of the memory that is told or listed there."""
    heading: bool = False
    """Whether it begins a section."""


TaskStatus = Literal["pending", "inProgress", "completed", "cancelled"]


@dataclass(frozen=True, slots=True)
class TaskItem:
    """One task of the agent's list."""

    title: str
    status: TaskStatus
    children: "tuple[TaskItem, ...]" = ()
    """The smaller tasks that it is made of."""


def with_subtasks(tasks: Iterable[TaskItem]) -> Iterator[TaskItem]:
    """Yield the tasks of a tree, each before its own."""
    for task in tasks:
        yield task
        yield from with_subtasks(task.children)


ImportOutcome = Literal["followed", "missing", "refused", "outside", "met", "tooDeep", "tooMany"]
"""``refused``: it may not be read; ``met``: its text stands there already; ``tooDeep`` and
``tooMany``: what led there is as long, or as much, as is followed."""


@dataclass(frozen=True, slots=True)
class RulesImport:
    """A file that a rules file points on to, and what became of it."""

    path: str
    """Below the workspace; as it is written there where it leads out."""
    outcome: ImportOutcome
    tokens: int = 0
    """Of its own text, without that of the files that it points on to in turn; 0: not followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """What a request carries that nobody said; the newest of a slot counts."""

    id: str
    at: str
    slot: str
    """A name such as ``system``, ``tasks`` or ``tools.grep``; its item is ``frame.<slot>``."""
    kind: Slot
    text: str | None
    """None takes the slot out of the view."""
    place: Place = "head"
    """``tail``: it enters after what was said last and moves to the head with the next big step."""
    source: Source | None = None
    """The file that it was read from."""
    original: int | None = None
    """Tokens of the whole file, where only its beginning entered."""
    passages: tuple[Passage, ...] = ()
    """Which lines of a frame of memories tell which memory."""
    tasks: tuple[TaskItem, ...] = ()
    """The tasks that the frame of tasks lists."""
    imports: tuple[RulesImport, ...] = ()
    """What the rules file that it was read from points on to."""
    origin: Origin | None = None
    """Who brought it into the log; None: the session made it itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A text that stays in every request; copied, so it outlives item, eviction and rewind."""

    id: str
    at: str
    text: str
    number: int
    """From 1, never given twice in a session."""
    item: str | None = None
    scope: Scope = "session"
    """``workspace``: it stands in every session of the folder, under the same id."""
    origin: Origin | None = None
    """Who brought it into the log; None: it was pinned in this session or folder."""


@dataclass(frozen=True, slots=True)
class Replace:
    """A form: this text stands for the item."""

    item: str
    text: str
    state: ItemState
    kept_in: str | None = None
    """The file that holds the whole of an output that was cut."""


@dataclass(frozen=True, slots=True)
class Refer:
    """A form, only while the content ``base`` stands verbatim earlier in the view."""

    item: str
    base: str
    """SHA-256 of the content referred to."""
    text: str


@dataclass(frozen=True, slots=True)
class Cover:
    """Visibility: whole groups leave the view; the text, if any, stands at the first of them."""

    groups: tuple[str, ...]
    text: str | None
    standing: tuple[str, ...] = ()
    """The instructions of people that stand in the text, word for word."""
    decisions: str | None = None
    """The decision record as it was with this step: of all that were out of view by then."""


@dataclass(frozen=True, slots=True)
class Restore:
    """Form and visibility: groups come back into view, items to their full text."""

    groups: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


Op = Replace | Refer | Cover | Restore


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """One pass of one stage: one receipt, one undo."""

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
    """Tokens that the model call cost."""
    rewritten: int = 0
    """Tokens of the request behind the first change, which a provider's cache must read anew."""


@dataclass(frozen=True, slots=True)
class Undone:
    """Takes back an ``Edited``, a ``Pinned`` (unpin), or a ``Rewound``."""

    id: str
    at: str
    target: str


@dataclass(frozen=True, slots=True)
class Rewound:
    """Hides what was said and edited after the group of ``to``; the log keeps it."""

    id: str
    at: str
    to: str
    before: bool = False
    """Whether ``to`` leaves too, with all that came after itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Changes no text: stale, fresh, usage, calibration, breaker, turn."""

    id: str
    at: str
    what: str
    item: str | None = None
    data: str = "{}"
    """Canonical JSON."""


Entry = Said | Framed | Pinned | Edited | Undone | Rewound | Noted


COMMAND = "/"
"""Begins what a person types for the session itself."""


def written_texts(said: Said) -> list[WrittenText]:
    """Return what a person wrote; commands, files, selections and images are not their words."""
    if said.role is not Role.USER:
        return []
    parts = (part for part in said.parts if part.kind is PartKind.TEXT)
    return [WrittenText(e.text, e.pasted) for e in parts if not e.text.startswith(COMMAND)]


def refusal_reasons(said: Said) -> list[str]:
    """Return what a person typed as they declined the call whose result this is."""
    if said.role is not Role.TOOL or said.origin not in HELD_HERE:
        return []
    given = (part.rejection for part in said.parts if part.rejection is not None)
    return [each.reason for each in given if each.by == "person" and each.reason]


def text_length(entry: Entry) -> int:
    """Count the characters of what was said or framed in an entry; of any other there are few."""
    if isinstance(entry, Said):
        return sum(len(part.text) for part in entry.parts)
    return len(entry.text or "") if isinstance(entry, Framed | Pinned) else 0


def spoken_text(said: Said) -> str:
    """Return what a person or the model said in a message, without what came along."""
    if said.role not in {Role.USER, Role.ASSISTANT}:
        return ""
    return "\n".join(part.text for part in said.parts if part.kind is PartKind.TEXT)


def with_traits(entry: Entry, tools: Tools) -> Entry:
    """Put the traits of the named tools into a message that was made without them."""
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

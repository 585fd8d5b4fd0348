"""What is said in a conversation, the ids of its items, and the messages of a request.

This is the one place that knows how item ids are spelled: a part of a message is
`<message>.<number>`, a frame `frame.<slot>`, an older version of a frame that still stands
`frame.<slot>~<entry>`, a pin `pin.<id>`. A summary has the id of its edit as it is, the decision
record beside it `<edit>.decisions`. Stored logs, pins and clients hold these ids, so the spelling
stays.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NoReturn, cast

from plimsoll.context.log.call_end import CallEnd, Rejection
from plimsoll.context.log.counts import Counts
from plimsoll.context.log.traits import UNKNOWN, ToolTraits
from plimsoll.text.speech.pasted import Ranges

ToolChoice = Literal["auto", "none"]


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class PartKind(StrEnum):
    """What a part is."""

    TEXT = "text"
    REASONING = "reasoning"
    CALL = "call"
    RESULT = "result"
    IMAGE = "image"
    FILE = "file"
    SELECTION = "selection"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text comes from."""

    uri: str
    """A file URI or a web address."""
    lines: tuple[int, int] | None = None
    """First and last line, from 1, both included; none: the whole."""
    version: str | None = None
    """SHA-256 of the whole content that was read."""
    lines_version: str | None = None
    """SHA-256 of the lines alone, where only some were read; by it they are found again."""


OF_TOOLS = frozenset({PartKind.CALL, PartKind.RESULT})
"""What names a tool."""
ATTACHED = frozenset({PartKind.FILE, PartKind.SELECTION})
"""What goes along with what a person writes, under a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One item; its id is the id of its message, a dot, and its place from 0."""

    kind: PartKind
    text: str
    """Whole and untouched; a call is the canonical JSON of its arguments, an image its base64."""
    call_id: str | None = None
    """The id of a call, on the call and on its result."""
    name: str | None = None
    """The tool of a call or result; the MIME type of an image, or of a document read as text."""
    source: Source | None = None
    failed: bool = False
    """A result that reports an error; it is never pruned while it is short."""
    opaque: str | None = None
    """What a provider wants back untouched (a signature), or the raw text of broken arguments."""
    exit_code: int | None = None
    """The exit code of the command whose result it is."""
    milliseconds: int | None = None
    """How long the command ran whose result it is."""
    counts: Counts | None = None
    """How much the search found, or the read brought, whose result it is."""
    attached: str | None = None
    """The name that a person sees of a file or selection, with its lines."""
    changed: tuple[str, ...] = ()
    """The files that a call changed, where its result stands for several of them."""
    ended: CallEnd = CallEnd.RAN
    """How the call came to its end whose result it is."""
    rejection: Rejection | None = None
    """Who declined the call whose result it is, and why."""
    approved: str | None = None
    """What a person allowed for the rest of the session when they were asked about the call, in
    words for people."""
    refused: str | None = None
    """The hunks that a person refused of the change whose result it is."""
    pasted: Ranges | None = None
    """What of a person's text was pasted, in characters; none: nobody said."""
    traits: ToolTraits = field(default=UNKNOWN, compare=False)
    """The traits of the tool of a call or result; the fold adds them, no log stores them."""


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON Schema of the arguments."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call in a request."""

    id: str
    name: str
    arguments: str
    """Canonical JSON of an object."""
    raw: str | None = None
    """The text that the model sent, where it was no JSON object."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image in a request."""

    mime_type: str
    data: str
    """Base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a request, as every provider can send it."""

    id: str
    role: Role
    text: str
    items: tuple[str, ...] = ()
    """The items whose text stands here, in order."""
    reasoning: str | None = None
    signature: str | None = None
    """What the provider wants back beside the reasoning."""
    calls: tuple[Call, ...] = ()
    call_id: str | None = None
    name: str | None = None
    images: tuple[Image, ...] = ()

    @property
    def framed(self) -> bool:
        """Whether nobody said it: frames and pins that entered at the tail."""
        own = [is_frame(item) or is_pin(item) for item in self.items]
        return bool(own) and all(own)

    @property
    def summary(self) -> bool:
        """Whether it stands for an earlier part of the conversation."""
        own = [is_summary(item) or is_decision_record(item) for item in self.items]
        return bool(own) and all(own)


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no escapes beyond need."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def changed_json(text: str, change: Callable[[str], str]) -> str:
    """Rewrite a JSON text so that it stays JSON: where the change breaks it, value by value.

    A text that is no JSON is rewritten as text.
    """
    found = change(text)
    if found == text or _parsed(found) is not None:
        return found
    value = _parsed(text)
    if value is None:
        return found
    try:
        whole = canonical(_changed_value(value, change))
    except RecursionError:
        whole = text
    return whole if change(whole) == whole else canonical({"changed": found})


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _changed_value(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {change(name): _changed_value(each, change) for name, each in members.items()}
    if isinstance(value, list):
        return [_changed_value(each, change) for each in cast("list[object]", value)]
    text = json.dumps(value)
    return value if change(text) == text else change(text)


DEEPEST = 64
"""Levels of a tool's parameters and of a call's arguments; what is deeper no provider takes, and
walking it needs a stack."""


def object_in(text: str) -> dict[str, object] | None:
    """Parse the arguments of a call; none where they are no object that a request can carry."""
    try:
        found: object = json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite_number
        )
    except (ValueError, RecursionError):
        return None
    carried = isinstance(found, dict) and _is_shallow(cast("object", found))
    return cast("dict[str, object]", found) if carried else None


def _refuse_constant(name: str) -> NoReturn:
    # Python reads NaN and Infinity, but they are no JSON: every request with them would be refused.
    raise ValueError(name)


def _finite_number(text: str) -> float:
    # 1e999 is JSON, but Python reads it as an infinity, which it would then write as none.
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def schema_of(text: str) -> ToolSchema | None:
    """Parse the text of a tool's frame; none where it is no schema that a request can carry."""
    try:
        found: object = json.loads(text)
        sent = json.dumps(found, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or clean(sent) != sent:
        return None
    fields = cast("dict[str, object]", found)
    match fields:
        case {"name": str(name), "description": str(description), "parameters": dict(), **rest}:
            parameters = cast("dict[str, object]", fields["parameters"])
            whole = name and not rest and _is_shallow(parameters)
            return ToolSchema(name, description, parameters) if whole else None
        case _:
            return None


def _is_shallow(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [each for inner in level for each in _inside(inner)]
        if not level:
            return True
    return False


def _inside(value: object) -> Sequence[object]:
    if isinstance(value, dict):
        return list(cast("dict[str, object]", value).values())
    return cast("list[object]", value) if isinstance(value, list) else ()


def clean(text: str) -> str:
    """Replace lone surrogates, which no request can carry, so that the text is valid Unicode."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


_FRAME = "frame."
_PIN = "pin."
_VERSION = "~"
_MOST_DIGITS = 9
"""The most digits of a part's number; what is longer names no part."""


def part_item(message: str, number: int) -> str:
    """Build the item id of a message's part, counted from 0."""
    return f"{message}.{number}"


def part_items(message: str, parts: Sequence[object]) -> list[str]:
    """Build the item ids of all parts of a message, in their order."""
    return [part_item(message, number) for number in range(len(parts))]


def message_of(item: str) -> str:
    """Split off the message in whose part an item stands; empty when it stands in none."""
    return item.rpartition(".")[0]


def part_number(item: str) -> int | None:
    """Split off the number of the part from 0; None when the id does not end in one."""
    number = item.rpartition(".")[2]
    return int(number) if number.isdecimal() and len(number) <= _MOST_DIGITS else None


def is_first(item: str) -> bool:
    """Tell whether the item is the first part of its message, which carries its overhead."""
    return part_number(item) == 0


def frame_item(slot: str, version: str | None = None) -> str:
    """Build the item id of a slot's frame; ``version``: the entry of one that is not the newest."""
    return f"{_FRAME}{slot}" if version is None else f"{_FRAME}{slot}{_VERSION}{version}"


def is_frame(item: str) -> bool:
    """Tell whether the item is a frame."""
    return item.startswith(_FRAME)


def frame_name(item: str) -> str:
    """Return the slot of a frame's item, with its version unless newest; other ids unchanged."""
    return item.removeprefix(_FRAME)


def frame_slot(item: str) -> str:
    """Return the slot of a frame's item, whichever version it is."""
    return frame_name(item).partition(_VERSION)[0]


def is_summary(item: str) -> bool:
    """Tell whether the item is a summary: it has the id of its edit, and no number."""
    return "." not in item


DECISIONS = "decisions"
"""Names the whole decision record of a session, where an item's text is asked for."""


def decision_record_item(edit: str) -> str:
    """Build the item id of the decision record that came with an edit."""
    return f"{edit}.{DECISIONS}"


def is_decision_record(item: str) -> bool:
    """Tell whether the item is a decision record, or names the whole one."""
    return item.rpartition(".")[2] == DECISIONS


def pin_item(pin: str) -> str:
    """Build the item id of a pin."""
    return f"{_PIN}{pin}"


def is_pin(item: str) -> bool:
    """Tell whether the item is a pin."""
    return item.startswith(_PIN)

"""Messages of a conversation, the ids of their items, and the messages of a request.

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
    """The speaker of a message: the system, the user, the assistant or a tool."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class PartKind(StrEnum):
    """The kind of a part."""

    TEXT = "text"
    REASONING = "reasoning"
    CALL = "call"
    RESULT = "result"
    IMAGE = "image"
    FILE = "file"
    SELECTION = "selection"


@dataclass(frozen=True, slots=True)
class Source:
    """The file or web address that a text comes from."""

    uri: str
    """A file URI or a web address."""
    lines: tuple[int, int] | None = None
    """First and last line, counted from 1, both included; none for the whole file."""
    version: str | None = None
    """SHA-256 of the whole content when it was read."""
    lines_version: str | None = None
    """SHA-256 of the lines alone if only some were read, to find them again."""


OF_TOOLS = frozenset({PartKind.CALL, PartKind.RESULT})
"""The kinds of parts that name a tool."""
ATTACHED = frozenset({PartKind.FILE, PartKind.SELECTION})
"""The kinds of parts that are attached to a prompt, with a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a message; its item id is the id of its message, a dot, and its index from 0."""

    kind: PartKind
    text: str
    """Never shortened; a call has the canonical JSON of its arguments, an image its base64."""
    call_id: str | None = None
    """The id of a call, on the call and on its result."""
    name: str | None = None
    """The tool of a call or result; the MIME type of an image, or of a document read as text."""
    source: Source | None = None
    failed: bool = False
    """Whether a result reports an error; a short one is never pruned."""
    opaque: str | None = None
    """Data to send back to the provider unchanged (a signature), or the raw text of broken
    arguments."""
    exit_code: int | None = None
    """The exit code of the command, on its result."""
    milliseconds: int | None = None
    """How long the command ran, on its result."""
    counts: Counts | None = None
    """What a search found or a read returned, on its result."""
    attached: str | None = None
    """The displayed name of an attached file or selection, with its lines."""
    changed: tuple[str, ...] = ()
    """The files that a call changed, if there are several."""
    ended: CallEnd = CallEnd.RAN
    """How the call ended, on its result."""
    rejection: Rejection | None = None
    """Who declined the call and why, on its result."""
    approved: str | None = None
    """What a person allowed for the rest of the session when asked about the call, as text for
    people."""
    refused: str | None = None
    """The hunks of the change that a person refused, on its result."""
    pasted: Ranges | None = None
    """The character ranges of a prompt that were pasted; none if unknown."""
    traits: ToolTraits = field(default=UNKNOWN, compare=False)
    """The traits of the tool of a call or result; added by the fold, never stored."""


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as it is described to the model."""

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
    """The text that the model sent, if it was not a JSON object."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image in a request."""

    mime_type: str
    data: str
    """Base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a request, independent of the provider."""

    id: str
    role: Role
    text: str
    items: tuple[str, ...] = ()
    """The ids of the items whose text it has, in order."""
    reasoning: str | None = None
    signature: str | None = None
    """Data that the provider needs back with the reasoning."""
    calls: tuple[Call, ...] = ()
    call_id: str | None = None
    name: str | None = None
    images: tuple[Image, ...] = ()

    @property
    def framed(self) -> bool:
        """Whether it is a frame or pin at the tail, which nobody said."""
        own = [is_frame(item) or is_pin(item) for item in self.items]
        return bool(own) and all(own)

    @property
    def summary(self) -> bool:
        """Whether it is the summary of an earlier part of the conversation."""
        own = [is_summary(item) or is_decision_record(item) for item in self.items]
        return bool(own) and all(own)


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value: sorted keys, no spaces, minimal escapes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rewrite_json(text: str, change: Callable[[str], str]) -> str:
    """Rewrite a JSON text so that it stays valid, changing single values where needed.

    A text that is not JSON is rewritten as text.
    """
    found = change(text)
    if found == text or _parse_json(found) is not None:
        return found
    value = _parse_json(text)
    if value is None:
        return found
    try:
        whole = canonical(_rewrite_value(value, change))
    except RecursionError:
        whole = text
    return whole if change(whole) == whole else canonical({"changed": found})


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _rewrite_value(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {change(name): _rewrite_value(each, change) for name, each in members.items()}
    if isinstance(value, list):
        return [_rewrite_value(each, change) for each in cast("list[object]", value)]
    text = json.dumps(value)
    return value if change(text) == text else change(text)


DEEPEST = 64
"""Most levels of a tool's parameters and of a call's arguments; no provider accepts deeper ones,
and recursion would overflow the stack."""


def object_in(text: str) -> dict[str, object] | None:
    """Parse the arguments of a call; None if a request cannot carry them as an object."""
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
    """Parse the schema in the text of a tool's frame; None if a request cannot carry it."""
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
        level = [each for inner in level for each in _children(inner)]
        if not level:
            return True
    return False


def _children(value: object) -> Sequence[object]:
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
"""The most digits of a part's index in an item id."""


def part_item(message: str, number: int) -> str:
    """Build the item id of a message's part, its index counted from 0."""
    return f"{message}.{number}"


def part_items(message: str, parts: Sequence[object]) -> list[str]:
    """Build the item ids of all parts of a message, in order."""
    return [part_item(message, number) for number in range(len(parts))]


def message_of(item: str) -> str:
    """Return the message id of an item id; empty if the item is not a part of a message."""
    return item.rpartition(".")[0]


def part_number(item: str) -> int | None:
    """Return the index of a part in its message; None if the id is not one of a part."""
    number = item.rpartition(".")[2]
    return int(number) if number.isdecimal() and len(number) <= _MOST_DIGITS else None


def is_first(item: str) -> bool:
    """Tell whether an item is the first part of its message, which includes its overhead."""
    return part_number(item) == 0


def frame_item(slot: str, version: str | None = None) -> str:
    """Build the item id of a slot's frame; ``version``: the entry's id of an older frame."""
    return f"{_FRAME}{slot}" if version is None else f"{_FRAME}{slot}{_VERSION}{version}"


def is_frame(item: str) -> bool:
    """Tell whether the item is a frame."""
    return item.startswith(_FRAME)


def frame_name(item: str) -> str:
    """Return the slot and version in the id of a frame; other ids unchanged."""
    return item.removeprefix(_FRAME)


def frame_slot(item: str) -> str:
    """Return the slot in the id of a frame, without the version."""
    return frame_name(item).partition(_VERSION)[0]


def is_summary(item: str) -> bool:
    """Tell whether an item is a summary: its id is that of its edit, without a number."""
    return "." not in item


DECISIONS = "decisions"
"""The name that asks for the whole decision record of a session in place of an item id."""


def decision_record_item(edit: str) -> str:
    """Build the item id of the decision record that came with an edit."""
    return f"{edit}.{DECISIONS}"


def is_decision_record(item: str) -> bool:
    """Tell whether an item id is that of an edit's decision record, or of the whole record."""
    return item.rpartition(".")[2] == DECISIONS


def pin_item(pin: str) -> str:
    """Build the item id of a pin."""
    return f"{_PIN}{pin}"


def is_pin(item: str) -> bool:
    """Tell whether the item is a pin."""
    return item.startswith(_PIN)

"""Makes entries of our log of the messages that another agent made."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

from plimsoll.context.log.entries import Entry, Origin, Said, Slot
from plimsoll.context.log.json_fields import exit_code_in
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.rendering import pair_results
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.foreign import our_arguments, our_name
from plimsoll.session.ports.ids import new_message_id


@dataclass(frozen=True, slots=True)
class IncomingCall:
    """A tool call as another agent recorded it."""

    id: str
    name: str
    arguments: dict[str, object]
    raw: str | None = None
    """The arguments as text, where they were no JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as another agent recorded it."""

    role: Role
    parts: tuple[Part, ...]
    """Text, images and attachments, or the text of a result."""
    calls: tuple[IncomingCall, ...] = ()
    call_id: str | None = None
    name: str | None = None
    id: str | None = None
    reasoning: str | None = None
    exit_code: int | None = None
    """The exit code of a command's result; where it is none, the text is searched for it."""


def entries_of(
    messages: Sequence[Incoming], fold: Fold, clock: Clock, *, system: bool = False
) -> tuple[Entry, ...]:
    """Make the entries of a batch of messages, all or none.

    Messages whose id the log knows already are left out. ``system``: a system message becomes the
    system frame (a recorded session); otherwise it is refused.

    Raises:
        InvalidInput: A system message, a result that answers no open call, or an empty message.
    """
    batch = _AppendBatch(fold, clock)
    for number, message in enumerate(messages):
        if message.id is not None and batch.knows(message.id):
            continue
        if message.role is Role.SYSTEM:
            if not system:
                raise _refusal(number, "has the role system, which only Plimsoll sets")
            batch.frame(message)
        elif message.role is Role.TOOL:
            batch.result(number, message)
        else:
            batch.add_message(number, message)
    return tuple(batch.entries)


class _AppendBatch:
    """The entries of a batch so far, and the calls that are still open."""

    def __init__(self, fold: Fold, clock: Clock) -> None:
        self.entries: list[Entry] = []
        self._fold = fold
        self._clock = clock
        self._ids: set[str] = set()
        self._open: dict[str, str] = {}
        """The groups of the batch's own calls, by call."""
        self._answered: set[str] = set()

    def knows(self, name: str) -> bool:
        return name in self._ids or self._fold.group_of_message(name) is not None

    def frame(self, message: Incoming) -> None:
        text = "\n\n".join(part.text for part in message.parts)
        frame = new_frame(self._clock, "system", Slot.SYSTEM, text, origin=Origin.EDITOR)
        self.entries.append(frame)

    def result(self, number: int, message: Incoming) -> None:
        group = self._asking(message.call_id or "")
        if group is None:
            raise _refusal(number, f"answers no open call (toolCallId {message.call_id!r})")
        text = "\n".join(part.text for part in message.parts) or "(no output)"
        name = our_name(message.name) if message.name else self._name_of(message.call_id)
        code = exit_code_in(text) if message.exit_code is None else message.exit_code
        part = Part(
            kind=PartKind.RESULT, text=text, call_id=message.call_id, name=name, exit_code=code
        )
        self._add(message, group, (part,))

    def add_message(self, number: int, message: Incoming) -> None:
        parts = (*_reasoning(message), *message.parts, *(_call(call) for call in message.calls))
        if not parts:
            raise _refusal(number, "is empty")
        said = self._add(message, None, parts)
        for call in message.calls:
            self._open[call.id] = said.group

    def _asking(self, call: str) -> str | None:
        """Return the group of an open call; each call is answered once."""
        group = self._open.pop(call, None)
        if group is None and call not in self._answered:
            group = _asking_in(self._fold, call)
        self._answered.add(call)
        return group

    def _name_of(self, call_id: str | None) -> str | None:
        for entry in chain(reversed(self.entries), reversed(self._fold.entries)):
            if isinstance(entry, Said):
                for part in entry.parts:
                    if part.kind is PartKind.CALL and part.call_id == call_id:
                        return part.name
        return None

    def _add(self, message: Incoming, group: str | None, parts: tuple[Part, ...]) -> Said:
        name = message.id or new_message_id(self._clock)
        self._ids.add(name)
        now, origin = self._clock.now(), Origin.EDITOR
        said = Said(
            id=name,
            at=now,
            role=message.role,
            group=group or name,
            parts=parts,
            turn=None,
            origin=origin,
        )
        self.entries.append(said)
        return said


def _asking_in(fold: Fold, call: str) -> str | None:
    """Find the newest group with the open call, without walking a long log for each result."""
    for group in reversed(fold.groups):
        if any(call in closing for _, closing in pair_results(group.visible)):
            return group.id
    return None


def _reasoning(message: Incoming) -> Iterable[Part]:
    return (Part(kind=PartKind.REASONING, text=message.reasoning),) if message.reasoning else ()


def _call(call: IncomingCall) -> Part:
    name, arguments = our_arguments(call.name, call.arguments)
    return Part(kind=PartKind.CALL, text=arguments, call_id=call.id, name=name, opaque=call.raw)


def _refusal(number: int, why: str) -> InvalidInput:
    return InvalidInput(
        f"Message {number + 1} of the batch {why}; nothing was appended.",
        remedy="Correct the batch and send it again.",
    )


def spoken_in(entries: Iterable[Entry]) -> Iterator[Incoming]:
    """Yield the messages of a log of ours, without its edits and notes."""
    for said in entries:
        if isinstance(said, Said):
            results = [part for part in said.parts if part.kind is PartKind.RESULT]
            calls = [_recorded_call(part) for part in said.parts if part.kind is PartKind.CALL]
            texts = [part for part in said.parts if part.kind is PartKind.TEXT]
            for part in results:
                text = replace(part, kind=PartKind.TEXT, call_id=None, name=None)
                yield Incoming(role=Role.TOOL, parts=(text,), call_id=part.call_id, name=part.name)
            if not results and (texts or calls):
                yield Incoming(role=said.role, parts=tuple(texts), calls=tuple(calls))


def _recorded_call(part: Part) -> IncomingCall:
    value: object = json.loads(part.text)
    arguments = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return IncomingCall(part.call_id or "", part.name or "a tool", arguments)

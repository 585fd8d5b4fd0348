"""Makes a session of an export's conversation, without anything that speaks for us.

A file can have been written by anybody. So its frames (system text, tool schemas, instructions,
memories, tasks) and its notes stay outside, and so does a message that claims the system's role.
Messages, edits, pins, undo and rewind come in when they are what a log of ours can hold; an edit of
something that stays outside loses that part. Pure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from plimsoll.context.log.entries import (
    Cover,
    Edited,
    Entry,
    Framed,
    Noted,
    Op,
    Origin,
    Pinned,
    Refer,
    Replace,
    Restore,
    Rewound,
    Said,
    Undone,
)
from plimsoll.context.log.json_fields import IMPORTED
from plimsoll.context.log.messages import (
    Part,
    PartKind,
    Role,
    is_frame,
    is_pin,
    object_in,
    part_item,
)
from plimsoll.errors import LogInvalid

REMEDY = "Export the session again; nothing was imported."
MOST_PINS = 100_000
"""The largest number that a pin may have."""
LONGEST_ID = 200
FOREIGN_RECORD = (
    "[What follows came in with an imported conversation: a stranger's record, in which nothing is "
    "said or decided by this user.]"
)

_SPOKEN: Mapping[Role, frozenset[PartKind]] = {
    Role.USER: frozenset({PartKind.TEXT, PartKind.IMAGE, PartKind.FILE, PartKind.SELECTION}),
    Role.ASSISTANT: frozenset(PartKind) - {PartKind.RESULT},
    Role.TOOL: frozenset({PartKind.RESULT, PartKind.IMAGE}),
}
"""Which parts a message of each role can have."""


@dataclass(frozen=True, slots=True)
class Destination:
    """The folder into which a session is imported."""

    now: str
    """Takes the place of a time that is none."""
    pins: Mapping[str, str]
    """The texts of the folder's own pins by id."""
    new_id: Callable[[], str]
    """Names a pin that has the id of one of the folder and another text."""


def admit_entries(entries: Iterable[Entry], destination: Destination) -> tuple[Entry, ...]:
    """Return the entries of an export that may be imported, marked as words of strangers.

    Raises:
        LogInvalid: A message, pin or id is none that a log of ours can hold.
    """
    admission = _Admission(destination)
    return tuple(found for entry in entries if (found := admission.entry(entry)) is not None)


class _Admission:
    """The entries admitted so far; an edit can only be of those."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination
        self._items: dict[str, Part] = {}
        self._messages: set[str] = set()
        self._groups: set[str] = set()
        self._undoable: dict[str, str] = {}
        """Edits, pins and rewinds: the id in the export, and the id here."""

    def entry(self, entry: Entry) -> Entry | None:
        """Return an entry as it is imported; None: it is left out."""
        _refuse_id(entry)
        if not _is_time(entry.at):
            entry = replace(entry, at=self._destination.now)
        match entry:
            case Said():
                return self._admit_message(entry)
            case Pinned():
                return self._admit_pin(entry)
            case Edited():
                return self._admit_edit(entry)
            case Undone():
                target = self._undoable.get(entry.target)
                return None if target is None else replace(entry, target=target)
            case Rewound():
                return self._rewound(entry)
            case Framed() | Noted():
                return None
            case _:
                assert_never(entry)

    def _admit_message(self, said: Said) -> Said | None:
        if said.role is Role.SYSTEM or _is_silent(said):
            return None
        _refuse_shape(said)
        self._items.update((part_item(said.id, n), part) for n, part in enumerate(said.parts))
        self._messages.add(said.id)
        self._groups.add(said.group)
        # An older version that opens the same store knows an import by the turn alone.
        turn = None if said.turn is None else IMPORTED + said.turn.removeprefix(IMPORTED)
        return replace(said, turn=turn, origin=Origin.IMPORT)

    def _admit_pin(self, pin: Pinned) -> Pinned | None:
        if not pin.text.strip():
            return None
        if not 0 < pin.number <= MOST_PINS:
            raise _invalid(f"the pin {pin.id!r} has the number {pin.number}")
        held = self._destination.pins.get(pin.id)
        if pin.scope == "workspace" and held == pin.text:
            self._undoable[pin.id] = pin.id
            return replace(pin, origin=None)
        name = pin.id if held is None else self._destination.new_id()
        self._undoable[pin.id] = name
        return replace(pin, id=name, scope="session", origin=Origin.IMPORT)

    def _admit_edit(self, edit: Edited) -> Edited | None:
        ops = tuple(self._ops(edit.ops))
        if not ops:
            return None
        self._undoable[edit.id] = edit.id
        return replace(edit, ops=ops)

    def _ops(self, ops: Iterable[Op]) -> Iterator[Op]:
        """Yield an edit's operations, only on items that were imported."""
        for op in ops:
            match op:
                case Replace() | Refer():
                    part = self._items.get(op.item)
                    if part is not None and _can_stand(op.text, part):
                        # The file is one of another session, or of another machine.
                        yield replace(op, kept_in=None) if isinstance(op, Replace) else op
                case Cover():
                    groups = tuple(name for name in op.groups if name in self._groups)
                    if groups and (op.text is None or op.text.strip()):
                        yield replace(op, groups=groups, decisions=_foreign(op.decisions))
                case Restore():
                    groups = tuple(name for name in op.groups if name in self._groups)
                    items = tuple(name for name in op.items if name in self._items)
                    if groups or items:
                        yield Restore(groups, items)
                case _:
                    assert_never(op)

    def _rewound(self, rewound: Rewound) -> Rewound | None:
        if rewound.to not in self._messages:
            return None
        self._undoable[rewound.id] = rewound.id
        return rewound


def _foreign(record: str | None) -> str | None:
    """Mark a decision record as the words of an imported file."""
    if record is None or not record.strip():
        return None
    return record if record.startswith(FOREIGN_RECORD) else f"{FOREIGN_RECORD}\n{record}"


def _refuse_id(entry: Entry) -> None:
    """Refuse an id that is malformed, or that would pass for a frame or a pin."""
    names = (entry.id, entry.group) if isinstance(entry, Said) else (entry.id,)
    for name in names:
        ours = is_frame(name) or is_pin(name) or name == "frame"
        if ours or not name.strip() or len(name) > LONGEST_ID:
            raise _invalid(f"no entry can have the id {name[:40]!r}")


def _refuse_shape(said: Said) -> None:
    wrong = next((part for part in said.parts if part.kind not in _SPOKEN[said.role]), None)
    if wrong is not None:
        raise _invalid(f"the {said.role.value} message {said.id!r} has a {wrong.kind.value}")
    if said.role is Role.TOOL and len(said.parts) != 1:
        raise _invalid(f"the tool message {said.id!r} is not one result")
    for part in said.parts:
        if part.kind is PartKind.CALL and object_in(part.text) is None:
            raise _invalid(f"a call of the message {said.id!r} has arguments that are no object")


def _is_silent(said: Said) -> bool:
    """Tell whether a message is empty, so that no request could carry it."""
    return said.role is not Role.TOOL and not any(
        part.text.strip() or part.kind is PartKind.CALL for part in said.parts
    )


def _can_stand(text: str, part: Part) -> bool:
    """Tell whether a text is allowed as a replacement of a part."""
    return object_in(text) is not None if part.kind is PartKind.CALL else bool(text.strip())


def _is_time(at: str) -> bool:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True


def _invalid(why: str) -> LogInvalid:
    return LogInvalid(f"The export cannot be read: {why}.", remedy=REMEDY)

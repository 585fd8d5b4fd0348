"""What a person was shown beside the conversation, kept so that it is there after a reload.

Notices and answers of slash commands are notes, and the note of a turn says how it ended. None of
it is ever sent to a model.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

from plimsoll.context.log.entries import HELD_HERE, Entry, Noted, Rewound, Said
from plimsoll.context.log.notes import SHOWN, TURN, NoteFields, note_fields
from plimsoll.context.view.fold import Fold
from plimsoll.errors import PlimsollError
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import (
    CommandAnswered,
    Level,
    NoticeGiven,
    RewindTold,
    StopReason,
    TurnEnded,
)

MOST_KEPT: Final = 20_000
"""Characters kept of a notice."""
_LEVELS: Final[Mapping[str, Level]] = {each: each for each in get_args(Level)}
_REASONS: Final[Mapping[str, StopReason]] = {each: each for each in get_args(StopReason)}


@dataclass(frozen=True, slots=True)
class Shown:
    """A notice or turn's end that was shown, with its time and the message before it."""

    at: str
    after: str | None
    event: NoticeGiven | TurnEnded


def shown_note(notice: NoticeGiven, clock: Clock) -> Noted:
    """Make the note of a shown notice, without its data."""
    text = notice.markdown
    markdown = text if len(text) <= MOST_KEPT else f"{text[:MOST_KEPT]}…"
    fields = {
        "markdown": markdown,
        "level": notice.level,
        **_without_none(turn=notice.turn),
        **({"command": notice.command} if isinstance(notice, CommandAnswered) else {}),
    }
    return new_note(clock, SHOWN, fields)


def rewind_note(rewind: str, markdown: str, clock: Clock) -> Noted:
    """Make the note of a rewind's notice, which is shown until the rewind is undone."""
    fields = {"markdown": markdown, "level": "info", "rewind": rewind}
    return new_note(clock, SHOWN, fields)


def turn_note(ended: TurnEnded, used: int, clock: Clock) -> Noted:
    """Make the note of a turn's end: its reason, and the load."""
    error = ended.error
    told = (
        _without_none(kind=error.kind, message=error.message, remedy=error.remedy) if error else {}
    )
    fields = {"turn": ended.turn, "used": used, "reason": ended.reason, **told}
    return new_note(clock, TURN, fields)


def _without_none(**fields: str | None) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value is not None}


def open_turn(entries: Sequence[Entry], since: str = "") -> str | None:
    """Return the id of the last turn if the log has no end of it; otherwise None.

    ``since``: ignore earlier messages, whose turns ended in another session.
    """
    for entry in reversed(entries):
        if isinstance(entry, Noted) and entry.what == TURN:
            return None
        if isinstance(entry, Said) and entry.turn is not None and entry.origin in HELD_HERE:
            return entry.turn if entry.at >= since else None
    return None


def shown_earlier(fold: Fold) -> list[Shown]:
    """Return the shown notices and failed turns' ends that no rewind hides."""
    visible = {said.id for group in fold.groups for said in group.visible}
    newest = fold.rewinds.keys() - _said_since(fold)
    found: list[Shown] = []
    after, hidden = None, False
    for entry in fold.entries:
        if isinstance(entry, Said):
            hidden = entry.id not in visible
            after = after if hidden else entry.id
        elif isinstance(entry, Rewound) and entry.id in fold.rewinds:
            hidden = False
            # What was shown of the message that stays came of what has left.
            found = found if entry.before else [each for each in found if each.after != after]
        elif isinstance(entry, Noted) and not hidden:
            event = _read_note(entry, fold.rewinds.keys(), newest)
            found.extend([Shown(entry.at, after, event)] if event is not None else [])
    return found


def _said_since(fold: Fold) -> frozenset[str]:
    """Return the ids of rewinds with later messages, which can no longer be undone."""
    last = max((i for i, entry in enumerate(fold.entries) if isinstance(entry, Said)), default=0)
    return frozenset(entry.id for entry in fold.entries[:last] if isinstance(entry, Rewound))


def _read_note(
    note: Noted, live: Collection[str], undoable: Collection[str]
) -> NoticeGiven | TurnEnded | None:
    fields = note_fields(note) if note.what in (SHOWN, TURN) else None
    if fields is None:
        return None
    if note.what == TURN:
        return _end(fields)
    rewind = fields.maybe_text("rewind")
    if rewind is None:
        return _notice(fields)
    told = RewindTold(rewind) if rewind in undoable else None
    return replace(_notice(fields), data=told) if rewind in live else None


def _notice(fields: NoteFields) -> NoticeGiven:
    level = _LEVELS.get(fields.text("level"), "info")
    turn, command = fields.maybe_text("turn"), fields.maybe_text("command")
    if command is None:
        return NoticeGiven(fields.text("markdown"), level, turn)
    return CommandAnswered(fields.text("markdown"), level, turn, command=command)


def _end(fields: NoteFields) -> TurnEnded | None:
    """Return the end of a turn; None for a normal end, and for a note of an older version."""
    reason = _REASONS.get(fields.maybe_text("reason") or "")
    turn = fields.maybe_text("turn")
    if reason is None or reason == "endTurn" or turn is None:
        return None
    error = None
    if (message := fields.maybe_text("message")) is not None:
        error = PlimsollError(message, remedy=fields.maybe_text("remedy"))
        error.kind = fields.maybe_text("kind") or error.kind
    return TurnEnded(turn, reason, error)

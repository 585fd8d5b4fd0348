"""Counts each request of a subagent in the session that has called it.

A note names the one that it repeats, so what a process that died has left out is added once.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from plimsoll.context.log.entries import Entry, Noted, Origin, Said
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import UNREPORTED, USAGE, note_fields
from plimsoll.providers.base import CacheWrites, Usage
from plimsoll.session.agents.called import agents_called
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import renew
from plimsoll.session.ports.events import UsageReported
from plimsoll.session.state.session_state import Caller, SessionState
from plimsoll.storage.base import SessionStore

REPEATS = "of"
"""The field of a note that names the note of the subagent that it repeats."""


def charging_notes(entries: Iterable[Entry], session: str, turn: str, clock: Clock) -> list[Noted]:
    """Make the usage notes of a subagent's requests for its caller's log."""
    return [
        replace(renew(each, clock), data=canonical(data))
        for each in entries
        if isinstance(each, Noted) and (data := _data(each, session, turn)) is not None
    ]


def _data(note: Noted, session: str, turn: str) -> dict[str, object] | None:
    fields = note_fields(note) if note.what in (USAGE, UNREPORTED) else None
    if fields is None:
        return None
    kept = {name: value for name, value in fields.values.items() if name in _COUNTS}
    return {**kept, "purpose": "subagent", "turn": turn, "session": session, REPEATS: note.id}


_COUNTS = frozenset({"model", "input", "cached", "output", "written", "writtenHour"})


async def charge(caller: Caller, entries: Sequence[Entry]) -> None:
    """Add the usage of a subagent's latest requests to its caller's session."""
    state = caller.state
    if any(isinstance(each, Noted) and each.what in (USAGE, UNREPORTED) for each in entries):
        state.approvals.allowances.under_way.pop(caller.shown.session, None)
    notes = charging_notes(entries, caller.shown.session, caller.place.turn, state.clock)
    if not notes:
        return
    await state.log.append(*notes)
    for note in notes:
        fields = note_fields(note) if note.what == USAGE else None
        if fields is not None:
            hour = fields.maybe_count("writtenHour") or 0
            minutes = max(0, (fields.maybe_count("written") or 0) - hour)
            usage = Usage(
                input=fields.count("input"),
                output=fields.count("output"),
                cached=fields.count("cached"),
                written=CacheWrites(minutes, hour),
            )
            state.voice.emit(
                UsageReported(caller.place.turn, "subagent", fields.text("model"), usage)
            )


async def charge_what_is_missing(state: SessionState) -> None:
    """Add the usage of subagents that a process which died had not added yet."""
    store, clock = state.environment.store, state.clock
    known = set(_find_repeats(state.log.fold.entries))
    for record in await store.agents_of(state.id):
        taken = await _collect_usage(store, record.id)
        notes = charging_notes(_drop_known(taken, known), record.id, "", clock)
        if notes:
            await state.log.append(*notes)


async def _collect_usage(store: SessionStore, session: str) -> list[Entry]:
    """Return a subagent's entries, and those of its own subagents that it has not counted."""
    served = _in_service(await store.entries(session))
    known, called = set(_find_repeats(served)), agents_called(served).values()
    below = [await _collect_usage(store, each.session) for each in called]
    return [*served, *(each for entries in below for each in _drop_known(entries, known))]


def _drop_known(entries: Iterable[Entry], known: Container[str]) -> list[Entry]:
    """Filter out usage notes that are counted already, directly or by the note they repeat.

    A caller may count the notes of its agent's own agent before that agent has repeated them.
    """
    return [
        each
        for each in entries
        if not any(name in known for name in (each.id, *_find_repeats([each])))
    ]


def _in_service(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return a subagent's entries up to the first prompt of a person in its session."""
    for index, entry in enumerate(entries):
        if isinstance(entry, Said) and entry.origin is Origin.PERSON:
            return entries[:index]
    return entries


def _find_repeats(entries: Iterable[Entry]) -> Iterable[str]:
    for entry in entries:
        fields = note_fields(entry) if isinstance(entry, Noted) else None
        found = fields.maybe_text(REPEATS) if fields else None
        if found is not None:
            yield found

"""Notes which subagents a log has called, and by which calls."""

from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import CALLED_AGENT, note_fields
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import AgentShown


def called_note(item: str, agent: AgentShown, clock: Clock) -> Noted:
    """Make the note of the session that a call has begun."""
    data: dict[str, object] = {
        "session": agent.session,
        "kind": agent.kind,
        "description": agent.description,
        **({"isolated": True} if agent.isolated else {}),
    }
    return new_note(clock, CALLED_AGENT, data, item=item)


def agents_called(entries: Iterable[Entry]) -> dict[str, AgentShown]:
    """Return the subagents of a log, by the items of the calls that began them."""
    found: dict[str, AgentShown] = {}
    for entry in entries:
        if not isinstance(entry, Noted) or entry.what != CALLED_AGENT or entry.item is None:
            continue
        note = note_fields(entry)
        if note is not None:
            found[entry.item] = AgentShown(
                session=note.text("session"),
                kind=note.text("kind"),
                description=note.text("description"),
                isolated=note.values.get("isolated") is True,
            )
    return found

"""Sessions on the wire, as lists and the update of one show them."""

from plimsoll.lsp.wire.sessions import SessionInfo
from plimsoll.session.ports.events import SessionChanged
from plimsoll.session.session import Session
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.travel import Elsewhere


def changed_info(event: SessionChanged) -> SessionInfo:
    """Convert the changed record of a session."""
    return session_info(event.record, event.held_by, runs_there=event.runs_there)


def listed_info(record: SessionRecord, live: Session | None, *, unread: bool) -> SessionInfo:
    """Convert a session for a list, with its activity if it is open in this server."""
    listed = session_info(record).model_copy(update={"unread": unread})
    if live is None:
        return listed
    asking = live.state.approvals.waiting
    state = "asking" if asking else "running" if live.running else "idle"
    return listed.model_copy(update={"state": state})


def elsewhere_info(session: Elsewhere) -> SessionInfo:
    """Convert a session that is on another machine alone."""
    return session_info(session.record).model_copy(update={"elsewhere": session.machine})


def session_info(
    record: SessionRecord, held_by: str | None = None, *, runs_there: bool = False
) -> SessionInfo:
    """Convert a session.

    ``held_by``: the other process or machine that writes it; ``runs_there``: whether a turn runs
    there.
    """
    there = "running" if runs_there else "idle"
    held = record.addresses[0] if record.addresses else None
    return SessionInfo(
        id=record.id,
        title=record.title,
        workspace_folder=record.workspace,
        mode=record.mode,
        model=record.model,
        created_at=record.created_at,
        updated_at=record.updated_at,
        turns=record.turns,
        parent_id=record.parent_id,
        preview=record.preview,
        held_by=held_by,
        state=None if held_by is None else there,
        agent=record.agent,
        address=held and held.address,
        machine=held and held.machine,
    )

"""What is done next with a session that travels, decided by where its log is. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from plimsoll.context.log.entries import Entry
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.travelling import SessionPlaces


class TravelStep(Enum):
    """One step that brings a session's log here and the server's together."""

    NOTHING = "nothing"
    TAKE = "take the lease"
    RENEW = "renew the lease"
    RELEASE = "give the lease back"
    SEND = "send what the server does not have"
    BRING = "bring what the server has more"
    DELETE = "delete what was deleted on another machine"


def next_step(places: SessionPlaces, *, in_use: bool) -> TravelStep:
    """Decide the next step for a session; ``in_use``: a person shows it here, or a turn runs.

    A lease that this machine has lost shows when it is used.
    """
    if places.stays or places.record is None:
        return TravelStep.NOTHING
    if places.deleted:
        return TravelStep.DELETE
    if places.there is None:
        return TravelStep.SEND if was_used(places.record) else TravelStep.NOTHING
    if places.unsent:
        return TravelStep.TAKE if places.fence is None else TravelStep.SEND
    if not in_use:
        # Its end is brought when somebody opens it.
        return TravelStep.NOTHING if places.fence is None else TravelStep.RELEASE
    if places.ahead:
        return TravelStep.BRING
    return TravelStep.TAKE if places.fence is None else TravelStep.RENEW


def was_used(record: SessionRecord) -> bool:
    """Tell whether a person has said something in a session: an empty one is not sent."""
    return bool(record.turns or record.preview)


def brought_record(there: SessionRecord, workspace: str) -> SessionRecord:
    """Return the record of a session that comes here, to be stored with the folder here."""
    return replace(there, workspace=workspace)


def branch_record(record: SessionRecord, *, new_id: str, machine: str, now: str) -> SessionRecord:
    """Return the record of the session that keeps the diverged entries of this machine."""
    title = f"{record.title} (on {machine})" if record.title else f"On {machine}"
    return replace(
        record, id=new_id, title=title, parent_id=record.id, created_at=now, updated_at=now
    )


def same_length(here: Sequence[Entry], there: Sequence[Entry]) -> int:
    """Count how many entries two ends of a log have in common, from their first on."""
    for place, (one, other) in enumerate(zip(here, there, strict=False)):
        if one != other:
            return place
    return min(len(here), len(there))

"""Brings a session's log here from the team's server; diverged entries go to a branch."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from plimsoll.errors import Busy, PlimsollError
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.ids import new_session_id
from plimsoll.storage.base import SessionRecord, SessionStore
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.base import TravellingSessions
from plimsoll.storage.shared.travel import OpenSessions
from plimsoll.storage.shared.travelling import Arrival, SessionCopies, SessionPlaces
from plimsoll.team.travelling.deciding import branch_record, brought_record, same_length
from plimsoll.team.travelling.holders import Holders
from plimsoll.team.travelling.machines import shown_machine

PARTED = (
    "While this machine was away, {there} went on with this session. What was written here is kept "
    "as a session of its own, “{title}”; this one is as it is on {there}."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSessions:
    """The sessions of a folder on this machine, and what is known of them elsewhere."""

    store: SessionStore
    copies: SessionCopies
    clock: Clock
    workspace: str
    """URI of the folder."""
    holders: Holders
    opened: list[OpenSessions] = field(default_factory=list[OpenSessions])
    """Who has the sessions that are open; empty until the folder's are loaded."""
    alone: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """One lock a session: who sends it, and who opens it, wait for each other."""

    def in_use(self) -> frozenset[str]:
        """Return the ids of the sessions that a person shows here, or that run a turn."""
        return frozenset(each for one in self.opened for each in one.in_use())

    async def part(self, session_id: str, branch: SessionRecord, machine: str) -> None:
        """Tell the person that a session diverged, and which session keeps the old log."""
        told = PARTED.format(there=machine, title=branch.title)
        for each in self.opened:
            await each.release_diverged(session_id, branch.id, told)


def local_sessions(store: ProjectStore, clock: Clock, workspace: str, label: str) -> LocalSessions:
    """Make the sessions of a folder; ``label``: the name of this machine at the server."""
    return LocalSessions(
        store=store,
        copies=store.session_copies,
        clock=clock,
        workspace=workspace,
        holders=Holders(label, clock),
    )


async def bring(
    local: LocalSessions,
    server: TravellingSessions,
    places: SessionPlaces,
    *,
    force: bool = False,
) -> None:
    """Make a session's log here equal to the server's, under its lease if that is free.

    What was written here alone becomes a session of its own where it cannot be added there.

    Raises:
        Busy: A turn of it runs on this machine.
        NotFound: It was deleted at the server.
        StoreError: The server or the folder's store cannot be used.
    """
    async with _alone(local.store, places):
        fence = await lease_of(local, server, places, force=force)
        shared, theirs = await server.read(places.id, places.sent)
        here = await local.store.entries(places.id, places.sent) if places.record else []
        same = same_length(here, theirs)
        start = places.sent + same
        branch = None
        if len(here) > same:
            assert places.record is not None
            if fence is not None and same == len(theirs):
                # Nobody else wrote: what is here alone can be sent.
                await local.copies.note_sent(shared, start, fence)
                return
            branch = _branch(local, places.record)
        arrival = Arrival(
            record=brought_record(shared.record, local.workspace),
            shared=shared,
            here=places.here,
            start=start,
            entries=theirs[same:],
            fence=fence,
            branch=branch,
        )
        await local.copies.store(arrival)
    if branch is not None:
        there = local.holders.name_of(places.id) or shown_machine(shared.machine, local.holders.own)
        await local.part(places.id, branch, there)


def is_session_gone(error: PlimsollError) -> bool:
    """Tell whether an error says that a session was deleted, and not its whole project."""
    return error.kind == "sessionNotFound"


async def lease_of(
    local: LocalSessions,
    server: TravellingSessions,
    places: SessionPlaces,
    *,
    force: bool = False,
) -> int | None:
    """Take the lease of a session, or keep the one that is held; None: another machine has it."""
    if places.fence is not None and await server.renew(places.id, places.fence):
        local.holders.clear(places.id)
        return places.fence
    try:
        fence = await server.take(places.id, force=force)
    except Busy as error:
        local.holders.note(places.id, str(error.data.get("heldBy", "")))
        return None
    local.holders.clear(places.id)
    return fence


def _branch(local: LocalSessions, record: SessionRecord) -> SessionRecord:
    clock = local.clock
    own = shown_machine(local.holders.own)
    return branch_record(record, new_id=new_session_id(clock), machine=own, now=clock.now())


@asynccontextmanager
async def _alone(store: SessionStore, places: SessionPlaces) -> AsyncGenerator[None]:
    """Keep turns of a session from beginning on this machine; raises Busy while one runs."""
    if places.record is None:
        yield
        return
    lease = await store.acquire(places.id)
    try:
        yield
    finally:
        await store.release(lease)

"""Sends the logs of sessions to the team's server as they grow, and keeps the leases on them."""

from collections.abc import Callable
from dataclasses import replace

from plimsoll.errors import Busy, LogConflict, NotFound
from plimsoll.storage.shared.base import TeamServer, TravellingSessions
from plimsoll.storage.shared.news import SharedSession
from plimsoll.storage.shared.travelling import SessionPlaces
from plimsoll.team.travelling.bringing import LocalSessions, bring, is_session_gone, lease_of
from plimsoll.team.travelling.deciding import TravelStep, next_step

ENTRIES_AT_ONCE = 200
"""Entries that are sent in one transaction of the server."""
MOST_STEPS = 6
"""Steps with one session before the others have theirs."""


class SessionSending:
    """Brings the logs of a folder's sessions and those of the server together, beside the turns.

    Raises:
        StoreError: The server or the folder's store cannot be used; the rest comes later.
    """

    def __init__(self, local: LocalSessions, is_on: Callable[[], bool]) -> None:
        """``is_on``: tells whether the person wants sessions to travel."""
        self.local = local
        self.is_on = is_on

    @property
    def is_holding(self) -> bool:
        """Whether a session is open here whose lease must be kept."""
        return self.is_on() and bool(self.local.in_use())

    async def run(self, server: TeamServer) -> None:
        """Send logs that have grown, renew and release leases, bring missing entries."""
        in_use = self.local.in_use()
        found = await self.local.copies.all()
        # What a person looks at comes first.
        for places in sorted(found, key=lambda each: each.id not in in_use):
            if next_step(places, in_use=places.id in in_use) is not TravelStep.NOTHING:
                async with self.local.alone[places.id]:
                    await self._advance(server.sessions, places.id)

    async def let_go(self, server: TeamServer) -> None:
        """Send the last entries and release the leases of open sessions, as the process ends."""
        await self.run(server)
        for session_id in self.local.in_use():
            places = await self.local.copies.find(session_id)
            if places is not None and places.fence is not None:
                await self._release(server.sessions, places)

    async def _advance(self, server: TravellingSessions, session_id: str) -> None:
        for _ in range(MOST_STEPS):
            places = await self.local.copies.find(session_id)
            if places is None:
                return
            step = next_step(places, in_use=session_id in self.local.in_use())
            try:
                if not await self._do(step, server, places):
                    return
            except NotFound as error:
                if not is_session_gone(error):
                    raise
                if places.there is None:
                    await self.local.copies.keep_here(session_id)
                else:
                    await self.local.copies.note_deleted(session_id)
            except Busy:
                # A turn runs: what has to wait for its end is done afterwards.
                return

    async def _do(
        self, step: TravelStep, server: TravellingSessions, places: SessionPlaces
    ) -> bool:
        """Do a step with a session; tell whether another one may follow at once."""
        match step:
            case TravelStep.NOTHING:
                return False
            case TravelStep.TAKE:
                return await self._take(server, places)
            case TravelStep.RENEW:
                return await self._renew(server, places)
            case TravelStep.RELEASE:
                await self._release(server, places)
                return False
            case TravelStep.SEND:
                return await self._send(server, places)
            case TravelStep.BRING:
                await bring(self.local, server, places)
                return False
            case TravelStep.DELETE:
                await self._delete(places)
                return False

    async def _take(self, server: TravellingSessions, places: SessionPlaces) -> bool:
        fence = await lease_of(self.local, server, places)
        if fence is not None:
            await self.local.copies.note_fence(places.id, fence)
            return True
        if places.unsent and self.local.holders.name_of(places.id) is not None:
            await bring(self.local, server, places)
        # Else it was this machine, in a process that has ended: its lease runs out.
        return False

    async def _renew(self, server: TravellingSessions, places: SessionPlaces) -> bool:
        if places.fence is not None and await server.renew(places.id, places.fence):
            self.local.holders.clear(places.id)
            return False
        await self.local.copies.note_fence(places.id, None)
        return True

    async def _release(self, server: TravellingSessions, places: SessionPlaces) -> None:
        if places.fence is not None:
            await server.release(places.id, places.fence)
            await self.local.copies.note_fence(places.id, None)

    async def _send(self, server: TravellingSessions, places: SessionPlaces) -> bool:
        record, fence, sent = places.record, places.fence, places.sent
        assert record is not None
        fresh = await self.local.store.entries(places.id, sent)
        for first in range(0, len(fresh), ENTRIES_AT_ONCE):
            some = fresh[first : first + ENTRIES_AT_ONCE]
            try:
                length = await server.ship(record, some, sent, fence)
            except (Busy, LogConflict):
                # It grew otherwise there, or another machine has the lease.
                await bring(self.local, server, replace(places, sent=sent))
                return True
            sent = min(length, sent + len(some))
            shared = SharedSession(record, length, self.local.holders.own, fence is not None)
            await self.local.copies.note_sent(shared, sent, fence)
        return True

    async def _delete(self, places: SessionPlaces) -> None:
        for each in self.local.opened:
            if not await each.delete_here(places.id):
                await self.local.copies.keep_here(places.id)
                return

"""The travel of a folder's sessions by a team's server."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from plimsoll.errors import Busy, NotFound, PlimsollError, StoreError, StoreUnavailable
from plimsoll.storage.shared.base import TeamServer
from plimsoll.storage.shared.travel import CameFrom, Elsewhere, OpenSessions
from plimsoll.storage.shared.travelling import SessionPlaces
from plimsoll.team.travelling.bringing import LocalSessions, bring, is_session_gone
from plimsoll.team.travelling.deciding import brought_record
from plimsoll.team.travelling.machines import shown_machine

AWAY = "The session “{title}” is on {machine}, and the team's server cannot be used: {why}"
DELETED = "The session “{title}” was deleted on another machine."

MOST_SECONDS = 5.0
"""For which the opening of a session that is here waits for what another machine has added."""

log = logging.getLogger(__name__)


class Travel:
    """The person's sessions on their other machines, by a team's server."""

    def __init__(
        self,
        local: LocalSessions,
        server: Callable[[], Awaitable[TeamServer]],
        is_on: Callable[[], bool],
    ) -> None:
        """``server``: opens the team's server; ``is_on``: tells whether the person wants this."""
        self.local = local
        self._server = server
        self._is_on = is_on

    def attend(self, sessions: OpenSessions) -> None:
        """Take care of the sessions of this folder from now on."""
        self.local.opened.append(sessions)

    def held_by(self, session_id: str) -> str | None:
        """Return the name of the other machine that writes a session, as far as is known."""
        return self.local.holders.name_of(session_id) if self._is_on() else None

    async def elsewhere(self) -> Sequence[Elsewhere]:
        """List the sessions that are not here, the one used last first."""
        if not self._is_on():
            return ()
        found = [self._elsewhere(each) for each in await self.local.copies.all()]
        away = [each for each in found if each is not None]
        return sorted(away, key=lambda each: each.record.updated_at, reverse=True)

    async def bring(self, session_id: str, *, force: bool = False) -> None:
        """Make the log here the newest, and become its writer if no other machine is."""
        places = await self._travelling(session_id)
        if places is None or not (force or places.record is None or places.ahead):
            return
        can_wait = not force and places.record is not None
        try:
            async with asyncio.timeout(MOST_SECONDS if can_wait else None):
                await self._bring(places, force=force)
        except (Busy, NotFound, StoreError) as error:
            if is_session_gone(error):
                await self._note_deleted(places, error)
            elif not can_wait:
                raise error if isinstance(error, Busy) else self._away(places, error) from error
            else:
                log.warning("%s: its newest entries cannot be had: %s", session_id, error.message)
        except TimeoutError:
            log.warning("%s: its newest entries cannot be had in time", session_id)

    async def came_from(self, session_id: str) -> CameFrom | None:
        """Tell which other machine wrote a session last; None if this one did."""
        places = await self._travelling(session_id)
        if places is None or places.there is None:
            return None
        own, label = self.local.holders.own, places.there.machine
        if label == own or places.sent < places.there.length:
            return None
        return CameFrom(
            machine=shown_machine(label, own),
            here=shown_machine(own),
            workspace=places.there.record.workspace,
        )

    async def delete(self, session_id: str) -> bool:
        """Delete a session whose log is not here from the other machines."""
        places = await self._travelling(session_id)
        if places is None or places.record is not None:
            return False
        await self.local.copies.delete_there(session_id)
        return True

    async def _bring(self, places: SessionPlaces, *, force: bool) -> None:
        async with self.local.alone[places.id]:
            server = await self._server()
            await bring(self.local, server.sessions, places, force=force)

    async def _note_deleted(self, places: SessionPlaces, error: PlimsollError) -> None:
        await self.local.copies.note_deleted(places.id)
        if places.record is None:
            raise _make_deleted(places) from error

    async def _travelling(self, session_id: str) -> SessionPlaces | None:
        if not self._is_on():
            return None
        places = await self.local.copies.find(session_id)
        gone = places is None or places.stays or places.deleted or places.there is None
        return None if gone else places

    def _elsewhere(self, places: SessionPlaces) -> Elsewhere | None:
        if places.record is not None or places.there is None or places.deleted:
            return None
        record = brought_record(places.there.record, self.local.workspace)
        return Elsewhere(record, shown_machine(places.there.machine, self.local.holders.own))

    def _away(self, places: SessionPlaces, error: PlimsollError) -> StoreUnavailable:
        assert places.there is not None
        machine = shown_machine(places.there.machine, self.local.holders.own)
        title = places.there.record.title
        return StoreUnavailable(
            AWAY.format(title=title, machine=machine, why=error.message),
            remedy=error.remedy or "Try again when the server is back.",
            data=error.data,
        )


def _make_deleted(places: SessionPlaces) -> NotFound:
    assert places.there is not None
    message = DELETED.format(title=places.there.record.title)
    return NotFound("session", places.id, message=message, remedy="Choose another session.")

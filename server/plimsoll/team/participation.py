"""A folder's part in one project: the background loop, and the effects of each exchange."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from plimsoll.errors import PlimsollError, StoreError
from plimsoll.storage.shared.base import Joined, Membership, TeamServer
from plimsoll.storage.shared.project_file import read_suggestion
from plimsoll.storage.shared.status import TeamState
from plimsoll.team.connection import TeamConnection
from plimsoll.team.exchange import Exchanged, ExchangeEnds, Step, exchange
from plimsoll.team.loop import Asked, ExchangeLoop, Wait
from plimsoll.team.standing import Standing
from plimsoll.team.surroundings import TeamSurroundings
from plimsoll.team.travelling.sending import SessionSending
from plimsoll.team.troubles import is_of_server

_LAST_SENDING = 1.0
"""Seconds for what sessions have to send as the folder is closed."""
_ANSWERS = frozenset({TeamState.OK, TeamState.SLOW, TeamState.READ_ONLY})

log = logging.getLogger(__name__)


class Participation:
    """Exchanges with the server from the beginning until it is closed or the project is left."""

    def __init__(
        self,
        around: TeamSurroundings,
        standing: Standing,
        joined: Joined,
        *,
        steps: Sequence[Step],
        wait: Wait,
        sending: SessionSending | None = None,
    ) -> None:
        """``sending``: sends the sessions that travel."""
        self.has_ended = False
        """Whether another process has left the project."""
        self._around = around
        self._standing = standing
        self._steps = steps
        self._position = joined.position
        """How far the news were taken in when this process last looked."""
        self._connection = TeamConnection(around)
        self._asking = asyncio.Lock()
        self._sending = sending
        self._loop = ExchangeLoop(
            self._ask, self._is_sending, around.clock, wait, is_holding=self._is_holding
        )

    def wake(self) -> None:
        """Note that somebody has done something in the folder."""
        self._loop.wake()

    async def look(self) -> None:
        """Exchange with the server now, or after the exchange that is under way."""
        await self._loop.ask_now()

    async def server(self, joined: Joined) -> TeamServer:
        """Return the project's server; raises as ``TeamConnection.open``."""
        return (await self._connection.open(joined))[0]

    async def close(self) -> None:
        """End the loop and the connection, after sending what sessions have and their leases."""
        await self._loop.close()
        server = self._connection.server
        if self._is_holding() and self._sending is not None and server is not None:
            try:
                async with asyncio.timeout(_LAST_SENDING):
                    await self._sending.let_go(server)
            except (PlimsollError, TimeoutError):
                log.info("the last entries of sessions were not sent; their leases run out")
        await self._connection.close()

    async def _ask(self) -> Asked:
        async with self._asking:
            return await self._exchange()

    async def _exchange(self) -> Asked:
        joined = await self._around.replica.read_joined()
        if joined is None:
            self.has_ended = True
            await self._connection.close()
            self._standing.end(await asyncio.to_thread(read_suggestion, self._around.root))
            await self._around.arrived(True)
            return "ended"
        membership: Membership | None = None
        try:
            server, membership = await self._connection.open(joined)
            settings = self._around.settings().team
            ends = ExchangeEnds(
                server=server,
                replica=self._around.replica,
                membership=membership,
                clock=self._around.clock,
                accept=settings.accept,
            )
            done = await exchange(ends, self._steps)
        except PlimsollError as error:
            done = Exchanged(trouble=error)
        return await self._note(joined, done, membership)

    async def _note(self, joined: Joined, done: Exchanged, membership: Membership | None) -> Asked:
        await self._spread(done)
        for told in done.told:
            self._around.say(told)
        if done.trouble is not None and not is_of_server(done.trouble):
            log.warning("the folder's store fails the team: %s", done.trouble.message)
            return "failed"
        self._standing.note(joined, done, membership)
        self._standing.count(await self._around.replica.count_queued())
        if self._standing.status.state in _ANSWERS:
            return "answered"
        # A role, a password or the server itself may be another one when it is tried again.
        await self._connection.close()
        return "failed"

    async def _spread(self, done: Exchanged) -> None:
        """Tell the rest of the process of news, also of those that another process took in."""
        now = await self._around.replica.read_joined()
        if now is not None and (done.changed or now.position != self._position):
            self._position = now.position
            try:
                await self._around.arrived(done.removed)
            except PlimsollError as error:
                # What came is stored; a session sees it before its next request at the latest.
                log.warning("what a team's server brought is not spread: %s", error.message)

    def _is_holding(self) -> bool:
        return self._sending is not None and self._sending.is_holding

    async def _is_sending(self) -> bool:
        with suppress(StoreError):
            queued = await self._around.replica.count_queued()
            self._standing.count(queued)
            return queued > 0 and self._standing.status.state in {TeamState.OK, TeamState.SLOW}
        return False

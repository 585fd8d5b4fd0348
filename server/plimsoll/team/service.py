"""The part that a folder takes in a team: joining, leaving, and how it stands with the server."""

import asyncio
from collections.abc import Sequence

from plimsoll.errors import InvalidInput, StoreUnavailable
from plimsoll.storage.shared.base import Joined, TeamServer
from plimsoll.storage.shared.project_file import (
    read_suggestion,
    refuse_other_suggestion,
    write_suggestion,
)
from plimsoll.storage.shared.status import SuggestedProject, TeamStatus
from plimsoll.storage.shared.team import not_joined
from plimsoll.team.addresses import ServerAddress, read_address
from plimsoll.team.exchange import STEPS, Step
from plimsoll.team.loop import Wait, wait_for
from plimsoll.team.naming import checked_name
from plimsoll.team.participation import Participation
from plimsoll.team.passwords import keep_password, refuse_unkept
from plimsoll.team.standing import Standing
from plimsoll.team.surroundings import TeamSurroundings
from plimsoll.team.travelling.sending import SessionSending
from plimsoll.team.travelling.step import SessionsStep
from plimsoll.team.travelling.travel import Travel


class FolderTeam:
    """The ``Team`` of an open folder."""

    def __init__(
        self, around: TeamSurroundings, steps: Sequence[Step] = STEPS, wait: Wait = wait_for
    ) -> None:
        self.travel: Travel | None = None
        """The folder's sessions on the person's other machines; None: they do not travel."""
        self._around = around
        self._steps = steps
        self._sending: SessionSending | None = None
        if around.sessions is not None:
            self.travel = Travel(around.sessions, self._server, self._may_travel)
            self._sending = SessionSending(around.sessions, self._may_travel)
            self._steps = (*steps, SessionsStep(self._sending))
        self._wait = wait
        self._standing = Standing(around)
        self._changing = asyncio.Lock()
        self._part: Participation | None = None

    def status(self) -> TeamStatus:
        """Return the status of the team, without asking the server."""
        return self._standing.status

    async def begin(self) -> None:
        """Go on with the project that the folder has joined, in this or another process."""
        async with self._changing:
            joined = await self._around.replica.read_joined()
            if joined is None:
                suggested = await asyncio.to_thread(read_suggestion, self._around.root)
                self._standing.end(suggested)
            elif self._part is None or self._part.has_ended:
                await self._take_up(joined)

    async def join(self, name: str | None = None, url: str | None = None) -> TeamStatus:
        """Take part in a project of a server from now on; raises as ``Team.join``."""
        async with self._changing:
            address, named = self._address(url), await self._name_project(name)
            way = await self._prepare(address, named)
            return await self._join(await self._around.engine.find(way, named), address)

    async def create(
        self, name: str, url: str | None = None, *, write_file: bool = False
    ) -> TeamStatus:
        """Make a project on a server and join it; raises as ``Team.create``."""
        async with self._changing:
            address, named = self._address(url), checked_name(name)
            if write_file:
                await asyncio.to_thread(refuse_other_suggestion, self._around.root)
            way = await self._prepare(address, named)
            made = await self._around.engine.create(way, named)
            status = await self._join(made, address)
            if write_file:
                await asyncio.to_thread(write_suggestion, self._around.root, made)
            return status

    async def leave(self) -> TeamStatus:
        """Leave the project: colleagues' texts are removed, the person's own become private."""
        async with self._changing:
            await self._stop()
            await self._around.replica.leave()
            self._standing.end(await asyncio.to_thread(read_suggestion, self._around.root))
            await self._around.arrived(True)
            return self.status()

    async def accept(self, author: str) -> None:
        """Accept a colleague; raises as ``Team.accept``."""
        replica = self._around.replica
        if await replica.read_joined() is None:
            raise not_joined()
        await replica.accept_author(author, self._around.clock.now())
        await self._around.arrived(False)

    async def look(self) -> TeamStatus:
        """Exchange changes with the server now, and return the status of the team."""
        await self.begin()
        if self._part is not None:
            await self._part.look()
        return self.status()

    def wake(self) -> None:
        """Note that the folder is in use or changed; a due exchange runs in the background."""
        if self._part is not None:
            self._part.wake()

    async def close(self) -> None:
        """End the background work; changes that were not sent wait in the store."""
        async with self._changing:
            await self._stop()

    def _address(self, url: str | None) -> ServerAddress:
        given = url or self._around.settings().team.url
        if not given:
            raise InvalidInput(
                "No server is named.",
                remedy="Name its address, or set team.url: postgresql://ROLE@HOST:PORT/DATABASE.",
            )
        return read_address(given)

    async def _name_project(self, name: str | None) -> str:
        """Return the name of a project, or the UUID of the one that the folder suggests."""
        if name is not None:
            return checked_name(name)
        suggested = await asyncio.to_thread(read_suggestion, self._around.root)
        named = suggested.project if suggested else self._around.settings().team.project
        if not named:
            raise InvalidInput(
                "No project is named, and this folder suggests none.",
                remedy="Name it: `plimsoll team join NAME URL`.",
            )
        return named

    async def _prepare(self, address: ServerAddress, named: str) -> str:
        """Check a join without asking the server; return the complete address."""
        joined = await self._around.replica.read_joined()
        if joined is not None and named not in {joined.name, joined.project}:
            raise InvalidInput(
                f"This folder takes part in {joined.name!r} already.",
                remedy="Leave it first: `plimsoll team leave`.",
            )
        await refuse_unkept(address)
        return await self._around.complete(address)

    async def _join(self, found: SuggestedProject, address: ServerAddress) -> TeamStatus:
        await self._stop()
        await keep_password(address, self._around.secrets)
        now = self._around.clock.now()
        await self._around.replica.join(
            Joined(project=found.project, name=found.name, url=address.url, joined_at=now)
        )
        joined = await self._around.replica.read_joined()
        if joined is not None:
            await self._take_up(joined)
        return self.status()

    async def _take_up(self, joined: Joined) -> None:
        self._standing.begin(joined, await self._around.replica.count_queued())
        self._part = Participation(
            self._around,
            self._standing,
            joined,
            steps=self._steps,
            wait=self._wait,
            sending=self._sending,
        )

    async def _server(self) -> TeamServer:
        joined = await self._around.replica.read_joined()
        if joined is None or self._part is None:
            raise StoreUnavailable("This folder takes part in no team any more.")
        return await self._part.server(joined)

    def _may_travel(self) -> bool:
        return self._around.settings().team.sessions

    async def _stop(self) -> None:
        part, self._part = self._part, None
        if part is not None:
            await part.close()

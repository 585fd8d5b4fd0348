"""A folder's team, whose code is loaded only where the folder takes part in one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from plimsoll.app.lazy_travelling import LazyTravelling
from plimsoll.errors import StoreError
from plimsoll.session.ports.clock import Clock
from plimsoll.storage.shared.base import TeamReplica
from plimsoll.storage.shared.project_file import read_suggestion
from plimsoll.storage.shared.status import TeamState, TeamStatus
from plimsoll.storage.shared.team import Team, not_joined
from plimsoll.storage.shared.travel import Travelling

_SETTLING = 1.0
"""Seconds from the first use on before anything is loaded: the driver's takes a tenth of a second
of the processor, which a first request would wait for."""
_EVERY = 30.0
"""Seconds between two looks whether another process has joined a project for the folder."""

log = logging.getLogger(__name__)


class LoadedTeam(Team, Protocol):
    """The loaded ``Team`` of a folder, which can resume the project that it has joined."""

    @property
    def travel(self) -> Travelling | None:
        """The folder's sessions on the person's other machines; None: they do not travel."""
        ...

    async def begin(self) -> None:
        """Go on with the project that the folder has joined, in this or another process."""
        ...


class LazyTeam:
    """A ``Team`` that passes calls on to the real one, which ``load`` imports and builds."""

    def __init__(
        self,
        root: Path,
        replica: TeamReplica,
        clock: Clock,
        load: Callable[[], Awaitable[LoadedTeam]],
        *,
        changed: Callable[[TeamStatus], None],
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        may_travel: Callable[[], bool] = lambda: False,
    ) -> None:
        """``changed``: called when the status of the team changes.

        ``may_travel``: tells whether the person wants sessions to travel.
        """
        self.travelling = LazyTravelling(may_travel, self._begin_if_joined)
        """The folder's sessions on the person's other machines."""
        self._root = root
        self._replica = replica
        self._clock = clock
        self._load = load
        self._changed = changed
        self._wait = wait
        self._status = TeamStatus()
        self._team: LoadedTeam | None = None
        self._loading = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._looked_at: float | None = None

    async def recall(self) -> None:
        """Show the project that the folder has joined, as its store has it.

        What a session offers depends on it from its first request on, long before a server answers.
        """
        joined = await self._replica.read_joined()
        if joined is not None:
            self._status = TeamStatus(
                state=TeamState.OK,
                project=joined.name,
                url=joined.url,
                seen_at=joined.seen_at,
            )

    def status(self) -> TeamStatus:
        """Return the status of the team, without asking the server."""
        return self._status if self._team is None else self._team.status()

    async def join(self, name: str | None = None, url: str | None = None) -> TeamStatus:
        """Take part in a project of a server from now on; raises as ``Team.join``."""
        return await (await self._load_team()).join(name, url)

    async def create(
        self, name: str, url: str | None = None, *, write_file: bool = False
    ) -> TeamStatus:
        """Make a project on a server and join it; raises as ``Team.create``."""
        return await (await self._load_team()).create(name, url, write_file=write_file)

    async def leave(self) -> TeamStatus:
        """Leave the project: colleagues' texts are removed, the person's own become private."""
        if await self._replica.read_joined() is None:
            return self.status()
        return await (await self._load_team()).leave()

    async def accept(self, author: str) -> None:
        """Accept a colleague; raises as ``Team.accept``."""
        if await self._replica.read_joined() is None:
            raise not_joined()
        await (await self._load_team()).accept(author)

    async def look(self) -> TeamStatus:
        """Exchange changes with the server now, and return the status of the team."""
        await self._begin_if_joined()
        return self._status if self._team is None else await self._team.look()

    def wake(self) -> None:
        """Note that the folder is in use or changed; a due exchange runs in the background."""
        if self._team is not None and self._team.status().state is not TeamState.OFF:
            self._team.wake()
            return
        now, at = self._clock.seconds(), self._looked_at
        if at is None or now - at >= _EVERY:
            self._looked_at = now
            self._looking = asyncio.create_task(self._begin_beside())

    async def close(self) -> None:
        """End the background work; changes that were not sent wait in the store."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self._team is not None:
            await self._team.close()

    async def _begin_beside(self) -> None:
        try:
            joined = await self._replica.read_joined()
            if self._team is None and joined is not None:
                self._show(
                    TeamStatus(
                        state=TeamState.OK,
                        project=joined.name,
                        url=joined.url,
                        seen_at=joined.seen_at,
                    )
                )
                await self._wait(_SETTLING)
            await self._begin_if_joined()
        except StoreError as error:
            log.warning("whether the folder takes part in a team is not known: %s", error.message)

    async def _begin_if_joined(self) -> None:
        if await self._replica.read_joined() is not None:
            await (await self._load_team()).begin()
        elif self._team is None:
            suggested = await asyncio.to_thread(read_suggestion, self._root)
            self._show(TeamStatus(suggested=suggested))

    def _show(self, status: TeamStatus) -> None:
        before, self._status = self._status, status
        if status != before:
            self._changed(status)

    async def _load_team(self) -> LoadedTeam:
        async with self._loading:
            if self._team is None:
                loaded = await self._load()
                # What it shows takes the place of what was recalled: not before it knows it too.
                await loaded.begin()
                self._team = loaded
                if loaded.travel is not None:
                    self.travelling.take(loaded.travel)
            return self._team

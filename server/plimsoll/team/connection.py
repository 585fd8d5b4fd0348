"""The connection to the server of the project that a folder takes part in."""

import asyncio

from plimsoll.storage.shared.base import Joined, Membership, TeamServer
from plimsoll.team.addresses import ServerAddress
from plimsoll.team.surroundings import TeamSurroundings


class TeamConnection:
    """Connects when first asked, and anew after it was closed or another project was joined."""

    def __init__(self, around: TeamSurroundings) -> None:
        self._around = around
        self._open: tuple[str, TeamServer, Membership] | None = None
        """The address without a password, and who one is there."""
        self._opening = asyncio.Lock()

    @property
    def server(self) -> TeamServer | None:
        """The server, if there is a connection."""
        return self._open[1] if self._open is not None else None

    async def open(self, joined: Joined) -> tuple[TeamServer, Membership]:
        """Return the server of a project, and the membership there.

        Raises:
            NotFound: The project is gone.
            StoreError: The server cannot be used.
        """
        async with self._opening:
            return await self._open_once(joined)

    async def _open_once(self, joined: Joined) -> tuple[TeamServer, Membership]:
        place = f"{joined.project} {joined.url}"
        if self._open is not None and self._open[0] != place:
            await self.close()
        if self._open is None:
            way = await self._around.complete(ServerAddress(joined.url))
            server = await self._around.engine.open(way, joined.project)
            try:
                self._open = place, server, await server.membership()
            except BaseException:
                await server.close()
                raise
        return self._open[1:]

    async def close(self) -> None:
        """Close the connection, if there is one."""
        was, self._open = self._open, None
        if was is not None:
            await was[1].close()

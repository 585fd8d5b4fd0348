"""The acts of an administrator in a folder's project: on its members and on their texts."""

from collections.abc import AsyncIterator, Iterator, Mapping
from uuid import uuid4

from plimsoll.storage.shared.base import Joined, Rights, TeamServer
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    Done,
    ForgetMemory,
    Operation,
    Queued,
    RemovePin,
)
from plimsoll.team.engine import TeamEngine


class TeamAdministration:
    """Changes the members of one project; ``address``: complete, the password included.

    Raises:
        InvalidInput: The role is no administrator, or the other one cannot be changed.
        NotFound: The project is gone.
        StoreError: The server cannot be used.
    """

    def __init__(self, engine: TeamEngine, joined: Joined, address: str) -> None:
        self._engine = engine
        self._joined = joined
        self._address = address

    async def members(self) -> Mapping[str, Rights]:
        """Read the rights of each member, by role."""
        return await self._engine.members(self._address, self._joined.name)

    async def add(self, role: str, rights: Rights) -> None:
        """Make a role a member, or change its rights."""
        await self._engine.add_member(self._address, self._joined.name, role, rights)

    async def remove(self, role: str) -> None:
        """Take all rights from a role; what it has shared stays."""
        await self._engine.remove_member(self._address, self._joined.name, role)

    async def forget_all_of(self, role: str) -> int:
        """Remove the memories and pins that a role shares with the team; return how many.

        What it keeps for itself alone only whoever runs the server can remove.
        """
        server = await self._engine.open(self._address, self._joined.project)
        try:
            operations = [each async for news in read_all(server) for each in _of(role, news)]
            outcomes = [await server.push(Queued(str(uuid4()), each)) for each in operations]
            return sum(isinstance(outcome, Done) for outcome in outcomes)
        finally:
            await server.close()


async def read_all(server: TeamServer) -> AsyncIterator[News]:
    """Read all that a project has, page by page."""
    position, more = 0, True
    while more:
        news = await server.news(position)
        yield news
        more = news.more and news.position > position
        position = news.position


def _of(role: str, news: News) -> Iterator[Operation]:
    for shared in news.memories:
        if shared.author_name == role:
            yield ForgetMemory(shared.memory.id)
    for pin in news.pins:
        if pin.author_name == role:
            yield RemovePin(pin.pin.id)

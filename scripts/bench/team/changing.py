"""Changes of many machines at once to one project, and what a look for news costs on the wire."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from plimsoll.storage.postgres.opening import open_team
from plimsoll.storage.postgres.team.server import PostgresTeam
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.operations import Done, Queued, ShareMemory
from storage.postgres.rig.proxy import Proxy, between
from team.measuring import Took, Work, at_once
from team.notes import Notes

CHANGES = 400
NEWS = (0, 1, 100, 500)
FIRST = 10_000_000
"""Numbers of memories that nobody searches for."""


class Changes:
    """Shares memories in one project, each once."""

    def __init__(self, url: str, project: str) -> None:
        self._url, self._project = url, project
        self._notes = Notes()
        self._next = FIRST

    async def share(self, clients: int) -> Took:
        """Have so many machines share memories at once."""
        servers = [self._server(self._url) for _ in range(clients)]
        for server in servers:
            await server.membership()
        numbers = range(self._next, self._next + CHANGES)
        self._next += CHANGES
        try:
            return await at_once([*map(self._work, servers)], numbers)
        finally:
            for server in servers:
                await server.close()

    def _work(self, server: PostgresTeam) -> Work:
        async def push(number: int) -> object:
            shared = ShareMemory(self._notes.memory(number))
            outcome = await server.push(Queued(str(uuid4()), shared))
            assert outcome == Done(1), outcome
            return outcome

        return push

    async def news(self) -> list[list[str]]:
        """Measure looks for news of so many changes on the wire, and one change that is sent."""
        rows: list[list[str]] = []
        async with self._watched() as (proxy, server):
            position = await self._newest(server)
            for count in NEWS:
                numbers = range(self._next, self._next + count)
                self._next += count
                await at_once([self._work(server)], numbers)
                before = (proxy.exchanges, proxy.sent, proxy.received)
                position = (await server.news(position)).position
                rows.append([f"news of {count} changes", *_spent(proxy, before)])
            before = (proxy.exchanges, proxy.sent, proxy.received)
            await at_once([self._work(server)], [self._next])
            self._next += 1
            rows.append(["a memory is shared", *_spent(proxy, before)])
        return rows

    async def _newest(self, server: PostgresTeam) -> int:
        news = await server.news(0)
        while news.more:
            news = await server.news(news.position)
        return news.position

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[tuple[Proxy, PostgresTeam]]:
        port = int(self._url.partition("port=")[2].split()[0])
        async with between(port) as proxy:
            server = self._server(proxy.before(self._url))
            try:
                yield proxy, server
            finally:
                await server.close()

    def _server(self, url: str) -> PostgresTeam:
        machine = MachineName("bench", str(uuid4()))
        return open_team(url, self._project, lambda text: text, machine=machine)


def _spent(proxy: Proxy, before: tuple[int, int, int]) -> list[str]:
    trips, sent, received = before
    spent = (proxy.exchanges - trips, proxy.sent - sent, proxy.received - received)
    return [f"{each:,}" for each in spent]

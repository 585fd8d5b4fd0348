"""Nothing acknowledged is lost and nothing is done twice, however connections break."""

import asyncio
import random
from collections.abc import Callable

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.conformance.teams import everything, note, with_key
from plimsoll.storage.shared.operations import ChangeMemory, Done, Queued, ShareMemory
from storage.postgres.crew import Crew
from storage.postgres.rig.proxy import Cut, between
from storage.samples import record, said

pytestmark = pytest.mark.slow
CLIENTS, CHANGES = 4, 25


def now_and_then(seed: int) -> Callable[[], Cut | None]:
    """Cut a third of the commits, some before the engine has them and some after."""
    chance = random.Random(seed)
    return lambda: chance.choice((Cut.BEFORE, Cut.AFTER, None, None, None, None))


async def test_each_change_is_there_once_though_commits_are_cut(crew, engine, seed):
    async with between(engine.port) as proxy:
        proxy.cut_at_commit = now_and_then(seed)
        through = Crew(proxy.before(crew.url), crew.project, crew.ending)

        async def work(name: str, number: int) -> None:
            team = through.team(name)
            for turn in range(CHANGES):
                memory = note(f"k{number}-{turn}")
                assert await sent(team, with_key(ShareMemory(memory))) == Done(1)
                change = ChangeMemory(note(memory.id, f"{memory.content} Still."), 1)
                assert await sent(team, with_key(change)) == Done(2)

        await asyncio.gather(*(work(("ada", "bob")[n % 2], n) for n in range(CLIENTS)))
        assert proxy.cuts > CLIENTS
        for team in through.teams:
            await team.close()

    news = await everything(crew.team("ada"), limit=7)
    assert len(news.memories) == len({each.memory.id for each in news.memories})
    assert {each.memory.id for each in news.memories} == {
        f"k{number}-{turn}" for number in range(CLIENTS) for turn in range(CHANGES)
    }
    assert {each.version for each in news.memories} == {2}
    done = crew.as_administrator("SELECT count(*) FROM plimsoll.operations")
    assert done == [(2 * CLIENTS * CHANGES,)]


async def test_a_log_has_no_hole_and_no_fork_though_commits_are_cut(crew, engine, seed):
    async with between(engine.port) as proxy:
        proxy.cut_at_commit = now_and_then(seed)
        through = Crew(proxy.before(crew.url), crew.project, crew.ending)
        sessions = through.team("ada").sessions
        length = 0
        while length < CHANGES:
            try:
                length = await sessions.ship(record(), [said(f"e{length}")], length, None)
            except StoreUnavailable:
                continue
        for team in through.teams:
            await team.close()

    _, log = await crew.team("ada").sessions.read("s1")
    assert [each.id for each in log] == [f"e{n}" for n in range(CHANGES)]


async def test_an_idle_connection_that_was_cut_is_not_told_as_trouble(crew):
    team = crew.team("ada")
    await asyncio.gather(*(team.news(0) for _ in range(4)))
    crew.as_administrator(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %(role)s",
        role=crew.role("ada"),
    )

    assert await team.push(with_key(ShareMemory(note()))) == Done(1)


async def sent(team, one: Queued):
    """Send an operation until the server has answered, as a machine does with its queue."""
    while True:
        try:
            return await team.push(one)
        except StoreUnavailable:
            continue

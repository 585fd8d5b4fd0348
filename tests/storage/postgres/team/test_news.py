"""What a machine is told: all of it, in order, once, whoever writes meanwhile."""

import asyncio
import random

import pytest

from plimsoll.errors import NotFound, StoreNewer
from plimsoll.storage.conformance.teams import MINE, everything, note, pin, push
from plimsoll.storage.postgres.opening import remove_member
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    DeleteSession,
    ForgetMemory,
    RemovePin,
    ShareMemory,
    SharePin,
)
from storage.samples import record, said

pytestmark = pytest.mark.slow
WRITERS = (("ada", "laptop"), ("ada", "desk"), ("bob", "laptop"))


class Follower:
    """What a machine has after the news that it was told, one page after another."""

    def __init__(self, team, limit: int) -> None:
        self.position = 0
        self.memories: dict[str, tuple[int, str]] = {}
        self.pins: set[str] = set()
        self.sessions: dict[str, int] = {}
        self._team = team
        self._limit = limit

    async def look(self) -> bool:
        """Take in a page; return whether there is another."""
        news = await self._team.news(self.position, self._limit)
        assert news.position >= self.position
        assert news.position > self.position or news.is_empty
        self._take(news)
        self.position = news.position
        return news.more

    def _take(self, news: News) -> None:
        for each in news.memories:
            held, _ = self.memories.get(each.memory.id, (0, ""))
            assert each.version >= held
            self.memories[each.memory.id] = (each.version, each.memory.content)
        for name in news.forgotten:
            self.memories.pop(name, None)
        self.pins |= {each.pin.id for each in news.pins}
        self.pins -= set(news.removed_pins)
        self.sessions |= {each.record.id: each.length for each in news.sessions}
        for name in news.deleted_sessions:
            self.sessions.pop(name, None)

    @property
    def state(self) -> object:
        return self.memories, self.pins, self.sessions


async def scribble(team, name: str, chance: random.Random) -> None:
    """Share, change, forget, pin, unpin, send and delete, in any order."""
    held: dict[str, int] = {}
    for turn in range(30):
        one = f"{name}{turn}"
        kind = chance.randrange(7)
        other = chance.choice([*held, one])
        if kind <= 2 or other not in held:
            await push(
                team, ShareMemory(note(f"k{one}", scope=chance.choice((MINE, note().scope))))
            )
            held[one] = 1
        elif kind == 3:
            shared = (await everything(team)).memories
            [now] = [each for each in shared if each.memory.id == f"k{other}"]
            await push(team, ChangeMemory(note(f"k{other}", one * 3, scope=now.memory.scope), 1))
        elif kind == 4:
            await push(team, ForgetMemory(f"k{other}"))
            del held[other]
        elif kind == 5:
            await push(team, SharePin(pin(f"p{one}", one)))
            await push(team, chance.choice((RemovePin(f"p{one}"), SharePin(pin(f"p{one}", one)))))
        else:
            await team.sessions.ship(record(f"s{one}"), [said(one)], 0, None)
            await push(team, DeleteSession(chance.choice((f"s{one}", "s"))))


async def test_whoever_follows_misses_nothing(crew, seed):
    chance = random.Random(seed)
    followers = [
        Follower(crew.team(name), limit)
        for name, limit in (("ada", 1), ("ada", 500), ("bob", 3), ("cy", 2), ("owner", 5))
    ]
    writers = [
        asyncio.ensure_future(scribble(crew.team(*who), f"w{n}x", random.Random(chance.random())))
        for n, who in enumerate(WRITERS)
    ]

    async def follow(one: Follower) -> None:
        while not all(each.done() for each in writers):
            await one.look()
        while await one.look():
            pass

    await asyncio.gather(*writers, *map(follow, followers))

    for one, name in zip(followers, ("ada", "ada", "bob", "cy", "owner"), strict=True):
        late = Follower(crew.team(name), 500)
        while await late.look():
            pass
        assert one.state == late.state
        assert one.position == late.position
    assert followers[0].state == followers[1].state
    assert len(followers[0].memories) > len(followers[3].memories)
    assert followers[3].sessions == {}
    assert followers[2].memories | followers[3].memories == followers[2].memories


async def test_two_who_write_at_once_are_told_in_the_order_of_their_numbers(crew):
    """Whoever has the lower number holds up the other: a reader never sees the higher one first."""
    ada, bob, cy = crew.team("ada"), crew.team("bob"), crew.team("cy")
    order: list[str] = []

    async def write(team, name: str) -> None:
        for turn in range(40):
            await push(team, ShareMemory(note(f"k{name}{turn}")))

    async def read() -> None:
        position = 0
        while len(order) < 80:
            news = await cy.news(position)
            order.extend(each.memory.id for each in news.memories)
            position = news.position

    await asyncio.gather(write(ada, "a"), write(bob, "b"), read())

    rows = crew.as_administrator("SELECT id FROM plimsoll.memories ORDER BY changed")
    assert order == [name for (name,) in rows]
    assert len(set(order)) == 80


async def test_a_machine_of_an_older_version_is_told_so_while_it_works(crew):
    team = crew.team("ada")
    await team.news(0)
    crew.by_hand("owner", "INSERT INTO plimsoll.versions (version) VALUES (99)")

    with pytest.raises(StoreNewer, match="have version 99"):
        await team.news(0)


async def test_whoever_is_no_member_any_more_is_told_that_there_is_no_project(crew):
    team = crew.team("ada")
    await push(team, ShareMemory(note(scope=MINE)))
    await remove_member(crew.url_of("owner"), "harbour", crew.role("ada"))

    for refused in (team.news(0), team.membership(), push(team, ShareMemory(note()))):
        with pytest.raises(NotFound) as raised:
            await refused
        assert raised.value.kind == "projectNotFound"
    crew.as_administrator("DELETE FROM plimsoll.projects")
    with pytest.raises(NotFound):
        await crew.team("owner").news(0)

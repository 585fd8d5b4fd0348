"""Two machines of one person hand a session over at a real PostgreSQL, and contend for it."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from uuid import uuid4

import pytest

from plimsoll.errors import Busy, LogConflict
from plimsoll.storage.postgres.team.server import PostgresTeam
from plimsoll.storage.replica.sessions import hear_of_sessions
from plimsoll.storage.shared.operations import DeleteSession, Done, Queued
from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import Engine, running
from storage.samples import record, said
from team.travelling.machines_at_sea import Harbour, Machine

pytestmark = pytest.mark.slow
USED = record("one", turns=1)
ROUNDS = 500


class Aboard(Machine):
    """A machine of ada's at a real server."""

    def __init__(self, crew: Crew, name: str) -> None:
        super().__init__(Harbour(), name)
        self.server: PostgresTeam = crew.team("ada", self.label)
        self.position = 0

    async def hear(self) -> None:
        news = await self.server.news(self.position)
        self.position = news.position
        told = news.sessions, news.deleted_sessions
        await self.store.database.write(lambda db: hear_of_sessions(db, *told))

    async def texts(self, session_id: str) -> list[str]:
        return [each.id for each in await self.store.entries(session_id)]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with running("fsync=off") as engine:
        yield engine


@pytest.fixture
async def crew(engine: Engine) -> AsyncIterator[Crew]:
    crew = await crew_of(engine)
    await crew.enlist("ada")
    yield crew
    for team in crew.teams:
        await team.close()


@pytest.fixture
async def machines(crew: Crew) -> AsyncIterator[tuple[Aboard, Aboard]]:
    both = Aboard(crew, "galley"), Aboard(crew, "bridge")
    yield both
    for machine in both:
        await machine.close()


async def test_a_session_is_handed_over_and_back(machines: tuple[Aboard, Aboard]):
    galley, bridge = machines
    await galley.store.create(USED, [said("m0"), said("m1")])
    galley.screen.shown.add("one")
    await galley.send()
    await bridge.hear()
    assert [each.machine for each in await bridge.travel.elsewhere()] == ["galley"]
    await bridge.travel.bring("one")
    assert bridge.travel.held_by("one") == "galley"
    await bridge.travel.bring("one", force=True)
    bridge.screen.shown.add("one")
    await bridge.write("one", said("m2"))
    await bridge.send()
    await galley.send()
    await galley.send()
    assert await galley.texts("one") == ["m0", "m1", "m2"]
    assert galley.travel.held_by("one") == "bridge"
    bridge.screen.shown.clear()
    await bridge.send()
    await galley.send()
    await galley.write("one", said("m3"))
    await galley.send()
    _, log = await bridge.server.sessions.read("one")
    assert [each.id for each in log] == ["m0", "m1", "m2", "m3"]
    assert [galley.screen.told, bridge.screen.told] == [[], []]


async def test_a_session_that_is_deleted_goes_from_the_other_machine(
    machines: tuple[Aboard, Aboard],
):
    galley, bridge = machines
    await galley.store.create(USED, [said("m0")])
    await galley.send()
    await bridge.hear()
    await bridge.travel.bring("one")
    bridge.screen.shown.add("one")
    await bridge.write("one", said("m1"))
    outcome = await galley.server.push(Queued(str(uuid4()), DeleteSession("one")))
    assert outcome == Done()
    for machine in (*machines, *machines):
        await machine.send()
    assert galley.screen.removed == ["one"]
    assert (await bridge.places("one")).stays
    assert await bridge.texts("one") == ["m0", "m1"]


async def test_of_two_machines_that_believe_they_hold_it_one_writes(
    machines: tuple[Aboard, Aboard], crew: Crew
):
    """Both send at once, each under its own lease: one log, without a hole or a fork."""
    galley, bridge = machines
    await galley.store.create(USED, [said("m0")])
    await galley.send()
    old = await galley.server.sessions.take("one")
    new = await bridge.server.sessions.take("one", force=True)

    async def write(machine: Aboard, fence: int) -> int:
        written, length = 0, 1
        for number in range(ROUNDS // 2):
            entry = said(f"{machine.label}-{number}")
            with suppress(Busy, LogConflict):
                length = await machine.server.sessions.ship(USED, [entry], length, fence)
                written += 1
        return written

    assert await asyncio.gather(write(galley, old), write(bridge, new)) == [0, ROUNDS // 2]
    _, log = await galley.server.sessions.read("one")
    expected = [f"{bridge.label}-{number}" for number in range(ROUNDS // 2)]
    assert [each.id for each in log] == ["m0", *expected]


async def test_nothing_that_was_kept_is_lost_whoever_takes_the_session(
    machines: tuple[Aboard, Aboard], crew: Crew
):
    """Both machines write as they like, and take the session from each other again and again."""
    seed = random.SystemRandom().randrange(10**9)
    chance = random.Random(seed)
    galley, bridge = machines
    await galley.store.create(USED, [said("m0")])
    await galley.send()
    await bridge.hear()
    await bridge.travel.bring("one")
    for machine in machines:
        machine.screen.shown.add("one")
    written: dict[Aboard, list[str]] = {galley: [], bridge: []}
    for number in range(ROUNDS):
        machine = chance.choice(machines)
        name = f"{machine.label}-{number}"
        await machine.write("one", said(name))
        written[machine].append(name)
        if chance.random() < 0.3:
            await machine.send()
        if chance.random() < 0.02:
            await machine.travel.bring("one", force=True)
    for machine in (*machines, *machines, *machines):
        await machine.send()
    _, log = await galley.server.sessions.read("one")
    ids = [each.id for each in log]
    assert len(ids) == len(set(ids)), f"seed {seed}"
    places = crew.by_hand(
        "ada",
        "SELECT place FROM plimsoll.entries JOIN plimsoll.sessions ON sessions.key = session "
        "WHERE id = 'one' ORDER BY place",
    )
    assert [place for (place,) in places] == [*range(len(ids))], f"seed {seed}"
    for machine in machines:
        assert await machine.texts("one") == ids, f"seed {seed}"
        kept = {
            name
            for session in await machine.store.sessions()
            for name in await machine.texts(session.id)
        }
        assert set(written[machine]) <= kept, f"seed {seed}"
        others = [each for each in await machine.store.sessions() if each.id != "one"]
        assert len(machine.screen.told) == len(others), f"seed {seed}"
        for session in others:
            _, branch = await machine.server.sessions.read(session.id)
            assert [each.id for each in branch] == await machine.texts(session.id)

"""A team's servers: machines that push through kills and cuts, and the checks of every major.

Case 0 is 8 machines with 500 changes each, 20 kills and a session of 500 appends, by way of
PgBouncer. Then each major version that the machine has: what every store must pass, a follower, and
the kills in small.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, LiteralString

import psycopg
import pytest

from faults.piece import Piece, Run
from plimsoll.storage.conformance.base import Check, hide_secret
from plimsoll.storage.conformance.exchange import EXCHANGE
from plimsoll.storage.conformance.forgetting import FORGETTING
from plimsoll.storage.conformance.memories import MEMORIES
from plimsoll.storage.conformance.pages import PAGES
from plimsoll.storage.conformance.pins import PINS
from plimsoll.storage.conformance.searching import SEARCHES
from plimsoll.storage.conformance.sessions import SESSIONS
from plimsoll.storage.conformance.several import SEVERAL
from plimsoll.storage.conformance.teams import TeamCheck
from plimsoll.storage.conformance.travelling import TRAVELLING
from plimsoll.storage.postgres.opening import create_shared, open_shared
from plimsoll.storage.shared.base import Rights, TeamServer
from storage.postgres.crew import crew_of
from storage.postgres.engine import Engine, running
from storage.postgres.rig.fleet import Plan, set_sail
from storage.postgres.rig.follower import catch_up, following
from storage.postgres.rig.pooler import Pooler, pooling
from storage.postgres.rig.programs import Installation, installations
from storage.samples import unchanged

WHOLE = Plan(machines=8, changes=500, kills=20, appends=250)
SMALL = Plan(machines=4, changes=100, kills=5, appends=50)
CHECKS: tuple[Check, ...] = (
    *(*SESSIONS, *PINS, *MEMORIES, *PAGES, *FORGETTING, *SEARCHES),
    *SEVERAL,
)
"""What every store must pass."""
TEAM_CHECKS: tuple[TeamCheck, ...] = (*EXCHANGE, *TRAVELLING)
"""What every team's server must pass."""
CREW: Mapping[str, Rights] = {"ada": "write", "bob": "write", "cy": "read"}


Case = Callable[[Run, random.Random], None]


def cases() -> list[Case]:
    """The cases for the servers that this machine has."""
    found = installations()
    if not found:
        return []
    checked = [partial(case, each) for each in found for case in (check_all, follow)]
    return [partial(sail, found[0], WHOLE), *checked, *(partial(sail, e, SMALL) for e in found[1:])]


def run(run: Run) -> None:
    # Each connection that a kill cuts is told there.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    run.notes.append(f"majors {', '.join(str(each.major) for each in installations())}")
    known = cases()
    for number, chance in run.each():
        with run.case(number):
            known[number](run, chance)


def sail(installation: Installation, plan: Plan, run: Run, chance: random.Random) -> None:
    """Have machines work while the server is killed."""
    with running(installation=installation) as engine:
        figures = asyncio.run(set_sail(engine, plan, chance))
    run.count("acknowledged", figures.acknowledged)
    run.count("commits cut", figures.cuts)
    run.count("kills", figures.kills)
    run.count("tried again", figures.retries)
    run.count("appends fenced off", figures.refused)


def check_all(installation: Installation, run: Run, _chance: random.Random) -> None:
    """Run the checks of every store, each in a database of its own, by way of a pooler."""
    with (
        running("fsync=off", "max_connections=300", installation=installation) as engine,
        # Each database has connections of its own, and is done with after one check.
        pooling(engine, "server_idle_timeout = 2") as pooler,
    ):
        for check in CHECKS:
            url = engine.new_database()
            asyncio.run(_check(check, url, pooler.before(url)))
            run.count("checks")
        for check in TEAM_CHECKS:
            asyncio.run(_check_team(check, engine, pooler))
            run.count("checks")


async def _check_team(check: TeamCheck, engine: Engine, pooler: Pooler) -> None:
    crew = await crew_of(engine)
    for name, rights in CREW.items():
        await crew.enlist(name, rights)
    crew.url = pooler.before(crew.url)

    async def open_one(person: str, machine: str = "laptop") -> TeamServer:
        return crew.team(person, machine, hide_secret)

    try:
        await check(open_one)
    finally:
        for team in crew.teams:
            await team.close()


async def _check(check: Check, direct: str, pooled: str) -> None:
    await create_shared(direct, "harbour")
    stores: list[Any] = []

    async def open_store(redact: Callable[[str], str] = unchanged) -> Any:
        stores.append(await open_shared(pooled, "harbour", redact))
        return stores[-1]

    try:
        await check(open_store)
    finally:
        for store in stores:
            await store.close()


def follow(installation: Installation, run: Run, chance: random.Random) -> None:
    """Have a follower stream while machines work: it shows what they made, and takes nothing."""
    with running(installation=installation) as engine, following(engine, installation) as follower:
        asyncio.run(set_sail(engine, Plan(machines=2, changes=100, kills=0), chance))
        catch_up(engine, follower)
        assert contents(follower) == contents(engine)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            contents(follower, "DELETE FROM plimsoll.memories")
    run.count("changes followed", 200)


def contents(engine: Engine, *before: LiteralString) -> list[list[Any]]:
    """All memories of each database."""
    with psycopg.connect(engine.url()) as connection:
        names = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 't%'")
        databases = [name for (name,) in names if len(name) > len("template1")]
    found: list[list[Any]] = []
    for name in sorted(databases):
        with psycopg.connect(engine.url(name)) as connection:
            for statement in before:
                connection.execute(statement)
            rows = connection.execute("SELECT * FROM plimsoll.memories ORDER BY project, id")
            found.append(rows.fetchall())
    return found


PIECE = Piece(run=run, short=1, full=len(cases()), needs=("linux",))

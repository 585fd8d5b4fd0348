"""The engine itself keeps people from what is not theirs, whatever SQL they write by hand."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from plimsoll.storage.conformance.teams import MINE, note, pin, push, with_key
from plimsoll.storage.postgres.opening import add_member, create_shared, open_team
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.operations import ForgetMemory, ShareMemory, SharePin
from storage.postgres.crew import Crew
from storage.postgres.tries import BEING_ANOTHER, READING, WRITING, Try
from storage.samples import record, said, unchanged

pytestmark = pytest.mark.slow
PEARL = "pearl"
"""Stands in every text that only its owner may read."""
OTHERS = {
    "memories": "owner",
    "pins": "owner",
    "sessions": "owner",
    "entries": "owner",
    "operations": "role",
}
REFUSED = {
    *("42501", "0A000", "23505", "23503", "23514", "28000"),
    # That a text is no number is said with the text, to whom it may be told.
    "22P02",
}
"""How an engine refuses: any other error would be a mistake of the try."""


@dataclass
class World:
    """Two projects with what nobody else may read, change or take for theirs."""

    crew: Crew
    values: dict[str, Any] = field(default_factory=dict)

    def tried(self, one: Try) -> str:
        """Run a try; return all that its person has seen."""
        seen: list[str] = []
        names = {name: self.crew.role(name) for name in ("ada", "bob", "dee")}
        url = self.crew.url_of(one.who)
        with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as connection:
            connection.add_notice_handler(lambda notice: seen.append(str(notice.message_primary)))
            try:
                for statement in one.statements:
                    text = SQL(statement).format(**{k: Identifier(v) for k, v in names.items()})
                    seen.append(self._run(connection, text))
            except psycopg.Error as error:
                assert error.sqlstate in REFUSED, f"{one.what}: {error}"
                seen.append(str(error))
                connection.rollback()
        return "\n".join(seen)

    def _run(self, connection: psycopg.Connection[Any], text: Any) -> str:
        cursor = connection.cursor()
        if "COPY" in text.as_string(connection):
            with cursor.copy(text, self.values) as copy:
                return b"".join(bytes(each) for each in copy).decode()
        cursor.execute(text, self.values)
        return str(cursor.fetchall()) if cursor.description else ""

    def state(self, who: str) -> dict[str, Any]:
        """Read as the administrator all that is not this person's."""
        found: dict[str, Any] = {}
        for table, owner in OTHERS.items():
            found[table] = self._read(
                f"SELECT t::text FROM plimsoll.{table} AS t WHERE {owner} <> %s ORDER BY 1",
                self.crew.role(who),
            )
        for table in ("projects", "members", "versions", "memory_events"):
            found[table] = self._read(f"SELECT t::text FROM plimsoll.{table} AS t ORDER BY 1")
        found["tombstones"] = self._read("SELECT t::text FROM plimsoll.memories AS t WHERE gone")
        found["roles"] = self._read("SELECT t::text FROM pg_catalog.pg_authid AS t ORDER BY 1")
        found["granted"] = self._read("SELECT t::text FROM pg_catalog.pg_auth_members AS t")
        found["policies"] = self._read("SELECT t::text FROM pg_catalog.pg_policies AS t ORDER BY 1")
        found["tables"] = self._read(
            "SELECT relname, relacl::text, relrowsecurity, relforcerowsecurity, relhastriggers "
            "FROM pg_catalog.pg_class WHERE relnamespace = 'plimsoll'::regnamespace ORDER BY 1"
        )
        return found

    def _read(self, statement: str, *values: object) -> list[Any]:
        with psycopg.connect(self.crew.url) as connection:
            return connection.execute(statement.encode(), values).fetchall()


@pytest.fixture
async def world(crew: Crew) -> World:
    crew.sign_on("dee")
    ada = crew.team("ada")
    for name, text in (
        ("k1", "Everybody may read this."),
        ("k3", f"A {PEARL} that was forgotten."),
    ):
        await push(ada, ShareMemory(note(name, text)))
    await push(ada, ForgetMemory("k3"))
    await push(ada, ShareMemory(note("k2", f"A {PEARL} of my own.", scope=MINE)))
    await push(ada, SharePin(pin("p1")))
    await push(ada, SharePin(pin("p2", f"A {PEARL} of my own.", MINE)))
    told = record(title=PEARL, preview=PEARL)
    await ada.sessions.ship(told, [said("a", PEARL), said("b", PEARL)], 0, None)
    other = await create_shared(crew.url_of("owner"), f"lighthouse of {PEARL}")
    await add_member(crew.url_of("owner"), f"lighthouse of {PEARL}", crew.role("ada"), "write")
    there = open_team(crew.url_of("ada"), other, unchanged, machine=MachineName())
    await there.push(with_key(ShareMemory(note("k9", f"A {PEARL} of the lighthouse."))))
    await there.push(with_key(SharePin(pin("p9", f"A {PEARL} of the lighthouse."))))
    await there.close()
    with psycopg.connect(crew.url, autocommit=True) as connection:
        den = SQL("CREATE SCHEMA den AUTHORIZATION {}")
        connection.execute(den.format(Identifier(crew.role("bob"))))
        connection.execute("ANALYZE")
        row = connection.execute("SELECT key FROM plimsoll.sessions").fetchone()
        operations = connection.execute("SELECT key::text FROM plimsoll.operations").fetchall()
    assert row is not None
    world = World(crew)
    world.values = {
        "project": UUID(crew.project),
        "lighthouse": UUID(other),
        "ada": crew.role("ada"),
        "session": row[0],
        "keys": [key for (key,) in operations],
    }
    return world


async def test_none_of_more_than_a_hundred_tries_succeeds(world):
    tries = (*READING, *BEING_ANOTHER, *WRITING)
    succeeded: list[str] = []

    for one in tries:
        before = world.state(one.who)
        seen = world.tried(one)
        if PEARL in seen or any(key in seen for key in world.values["keys"]):
            succeeded.append(f"{one.who} reads {one.what}: {seen[:200]}")
        after = world.state(one.who)
        changed = [name for name in before if before[name] != after[name]]
        if changed:
            succeeded.append(f"{one.who} has {one.what}: {changed}")

    assert succeeded == []
    assert len(tries) > 100


async def test_the_same_statements_reach_what_is_ones_own(world):
    """The control: that nothing is found is the engine's doing, not a mistake of a statement."""
    own = {
        *("every memory", "other people's own memories", "a memory by its id", "all sessions"),
        *("all entries", "by copying a table", "by copying a query", "by an error"),
        *("by a join with what may be read", "by what an update returns"),
        *("by what a delete returns", "by a function that tells what it is given"),
    }
    tries = [one._replace(who="ada") for one in READING if one.what in own]
    with psycopg.connect(world.crew.url, autocommit=True) as connection:
        connection.execute("GRANT ALL ON SCHEMA den TO PUBLIC")

    assert {one.what for one in tries if PEARL in world.tried(one)} == own


async def test_the_clock_goes_on_by_one_whatever_is_written(world):
    found = world.crew.by_hand(
        "bob",
        "SET search_path = den, pg_catalog",
        "CREATE FUNCTION den.less(bigint, integer) RETURNS bigint LANGUAGE sql AS 'SELECT 0'",
        "CREATE OPERATOR den.+ (LEFTARG = bigint, RIGHTARG = integer, FUNCTION = den.less)",
        "UPDATE plimsoll.projects SET clock = 0 RETURNING clock",
    )
    clock = world.crew.as_administrator(
        "SELECT clock FROM plimsoll.projects WHERE id = %(project)s"
    )
    assert found == clock
    assert clock > [(5,)]


async def test_a_row_by_hand_that_cannot_be_read_stops_nobody(world):
    breaking = {
        "k4": "type = 'x'",
        "k5": "tags = '{'",
        "k6": "tags = '[1]'",
        "k7": "tags = repeat('[', 99999)",
        "k8": "expires_at = 'x'",
    }
    for name, broken in breaking.items():
        await push(world.crew.team("bob"), ShareMemory(note(name)))
        with psycopg.connect(world.crew.url_of("bob")) as connection:
            statement = f"UPDATE plimsoll.memories SET {broken}, written_by = current_user"
            connection.execute(f"{statement} WHERE id = %s".encode(), (name,))

    news = await world.crew.team("cy").news(0)

    assert [each.memory.id for each in news.memories] == ["k1"]
    assert news.forgotten == ["k3"]

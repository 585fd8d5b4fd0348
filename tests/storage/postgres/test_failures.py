"""What a person is told when the engine does not do as it should."""

import psycopg
import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.postgres.connection import PostgresDatabase
from plimsoll.storage.postgres.failures import place_of
from plimsoll.storage.postgres.opening import create_shared, open_shared
from storage.postgres.engine import PASSWORD
from storage.samples import AT, unchanged

pytestmark = pytest.mark.slow


async def refused(awaitable) -> StoreUnavailable:
    with pytest.raises(StoreUnavailable) as raised:
        await awaitable
    assert PASSWORD not in str(raised.value)
    return raised.value


async def test_what_is_wrong_at_the_door_is_said_with_the_remedy(engine, url):
    closed = url.replace(f"port={engine.port}", "port=1")
    wrong = url.replace(PASSWORD, "shallow water")

    away = await refused(open_shared(closed, "harbour", unchanged))
    assert "127.0.0.1:1/t" in str(away)
    assert "cannot be reached" in str(away)
    assert "refuses the password" in str(await refused(open_shared(wrong, "harbour", unchanged)))
    missing = url.replace("dbname=t", "dbname=u")
    assert "no such database" in str(await refused(open_shared(missing, "harbour", unchanged)))
    bare = engine.new_database()
    assert "no tables of Plimsoll" in str(await refused(open_shared(bare, "harbour", unchanged)))


async def test_a_server_that_takes_no_writes_is_named_so(join, url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            f"ALTER ROLE captain IN DATABASE {_name(url)} SET default_transaction_read_only = on"
        )
    follower = await join()
    assert "can only be read" in str(await refused(follower.pins.add("p1", "Tabs.", AT)))


def _name(url: str) -> str:
    return place_of(url).rpartition("/")[2]


async def test_a_failed_making_leaves_nothing_open(engine):
    bare = engine.new_database()
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA plimsoll")
        connection.execute("CREATE TABLE plimsoll.projects (id integer)")
    with pytest.raises(psycopg.errors.DuplicateTable):
        await create_shared(bare, "harbour")
    with psycopg.connect(bare) as connection:
        left = connection.execute("SELECT count(*) FROM plimsoll.versions").fetchone()
    assert left == (0,)


async def test_a_statement_that_takes_too_long_is_given_up(url):
    database = PostgresDatabase(url)
    told = await refused(database.read(lambda db: db.execute("SELECT pg_sleep(60)")))
    await database.close()
    assert "took too long to answer" in str(told)

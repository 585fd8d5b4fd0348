"""The tables of a shared PostgreSQL, as they come to be."""

import asyncio

import psycopg
import pytest

from plimsoll.errors import InvalidInput, NotFound, StoreNewer
from plimsoll.storage.postgres.migrations import STEPS
from plimsoll.storage.postgres.opening import create_shared, open_shared
from storage.samples import unchanged

pytestmark = pytest.mark.slow


async def test_eight_clients_that_begin_at_once_make_them_once(engine):
    url = engine.new_database()

    await asyncio.gather(*(create_shared(url, f"project {n}") for n in range(8)))

    with psycopg.connect(url) as connection:
        versions = connection.execute("SELECT version FROM plimsoll.versions").fetchall()
        projects = connection.execute("SELECT count(*) FROM plimsoll.projects").fetchone()
    assert versions == [(n,) for n in range(1, len(STEPS) + 1)]
    assert projects == (8,)


async def test_a_name_is_given_once_and_must_be_there_to_join(url):
    with pytest.raises(InvalidInput, match="'harbour' on this server already"):
        await create_shared(url, "harbour")
    with pytest.raises(NotFound, match="'port'"):
        await open_shared(url, "port", unchanged)


async def test_tables_of_a_newer_version_are_left_alone(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("INSERT INTO plimsoll.versions (version) VALUES (99)")

    with pytest.raises(StoreNewer, match="have version 99"):
        await open_shared(url, "harbour", unchanged)
    with pytest.raises(StoreNewer):
        await create_shared(url, "another")

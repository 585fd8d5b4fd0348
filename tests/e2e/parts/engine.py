"""A PostgreSQL for the editor's tests, with two roles that may log in.

It says where it is as a line of JSON, or why there is none. Then it answers each line of its input
until that ends: `{"project": NAME, "member": ROLE}` makes a role a member, `{"find": TEXT}` names
the tables that hold a text.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier, Literal

sys.path.append(str(Path(__file__).parents[2]))

from plimsoll.storage.postgres.opening import add_member
from storage.postgres.engine import Engine, running

ADMIN, COLLEAGUE = ROLES = ("anna", "bert")
PASSWORD = "anchors-aweigh"
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'plimsoll' ORDER BY tablename"


def say(answer: object) -> None:
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()


def sign_on(url: str) -> str:
    """Make the roles, of which the first may make a project; return the database's name."""
    with psycopg.connect(url, autocommit=True) as connection:
        for role in ROLES:
            made = SQL("CREATE ROLE {} LOGIN PASSWORD {}")
            connection.execute(made.format(Identifier(role), Literal(PASSWORD)))
        database = connection.info.dbname
        grant = SQL("GRANT CREATE ON DATABASE {} TO {}")
        connection.execute(grant.format(Identifier(database), Identifier(ADMIN)))
    return database


def find(url: str, text: str) -> list[str]:
    """Name the tables of which a row holds a text."""
    with psycopg.connect(url) as connection:
        tables = [row[0] for row in connection.execute(_TABLES)]
        holds = SQL("SELECT 1 FROM plimsoll.{} AS row WHERE strpos(row::text, {}) > 0 LIMIT 1")
        return [
            table
            for table in tables
            if connection.execute(holds.format(Identifier(table), Literal(text))).fetchone()
        ]


def answer(engine: Engine, url: str, asked: Mapping[str, object]) -> object:
    if "find" in asked:
        return find(url, str(asked["find"]))
    database = conninfo_to_dict(url)["dbname"]
    admin = engine.url(str(database), ADMIN, PASSWORD)
    asyncio.run(add_member(admin, str(asked["project"]), str(asked["member"]), "write"))
    return True


def serve() -> None:
    with running() as engine:
        url = engine.new_database()
        say({"port": engine.port, "database": sign_on(url), "password": PASSWORD})
        for line in sys.stdin:
            say(answer(engine, url, json.loads(line)))


if __name__ == "__main__":
    try:
        serve()
    except pytest.skip.Exception as skipped:
        say({"missing": str(skipped)})

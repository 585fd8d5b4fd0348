"""The SQL of docs/team.md is run as it stands there, block after block, at a real server."""

import re
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memory.samples import memory
from plimsoll.errors import NotFound
from plimsoll.memory.types import MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.postgres.opening import add_member, create_shared, open_team
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.operations import Done, Queued, ShareMemory, SharePin
from storage.postgres.engine import running
from storage.samples import AT, record, said, unchanged

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "docs/team.md"
BLOCKS = re.findall(r"^```sql\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
KEY = "{}0000000-0000-4000-8000-000000000000"


def run(url: str, block: str) -> list[tuple]:
    """Run a block as an administrator; return the rows of its last statement."""
    rows: list[tuple] = []
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in block.split(";\n"):
            if statement.strip():
                done = connection.execute(statement)
                rows = done.fetchall() if done.description else []
    return rows


def password_of(role: str) -> str:
    [found] = re.findall(rf"CREATE ROLE {role} LOGIN PASSWORD '(.*?)'", BLOCKS[0])
    return found


async def test_a_team_is_set_up_kept_and_a_person_removed():
    roles, more_projects, members, keys, amounts, removal, end = BLOCKS
    with running("fsync=off") as engine:
        run(engine.url(), roles)
        url = engine.url("team")

        def url_of(role: str) -> str:
            return make_conninfo(url, user=role, password=password_of(role))

        project = await create_shared(url_of("plimsoll_owner"), "harbour")
        run(url, more_projects)
        assert await create_shared(url_of("ada"), "lighthouse") != project
        for role in ("ada", "bob"):
            await add_member(url_of("plimsoll_owner"), "harbour", role, "write")
        assert len(run(url, members)) == 2
        ada, bob = (
            open_team(url_of(role), project, unchanged, machine=MachineName(role, role))
            for role in ("ada", "bob")
        )
        await share_all(bob, "bob")
        await share_all(ada, "ada")
        before = await ada.news(0)
        assert run(url, keys) == []
        assert {("bob", "mine", 1, 0), ("ada", "team", 1, 0)} <= {*run(url, amounts)}
        await bob.close()

        run(url, removal)

        news = await ada.news(before.position)
        assert set(news.forgotten) == {"bob-team"}
        assert list(news.removed_pins) == ["bob-pin"]
        assert [one.memory.id for one in (await ada.news(0)).memories] == ["ada-team", "ada-mine"]
        assert "bob says" not in everything(url)
        assert "ada says" in everything(url)
        run(url_of("plimsoll_owner"), end)
        with pytest.raises(NotFound):
            await ada.news(0)
        await ada.close()
        assert "ada says" not in everything(url)


async def share_all(team, name: str) -> None:
    """Share something of each kind."""
    operations = (
        ShareMemory(memory(f"{name}-team", f"{name} says it to all.", scope=MemoryScope.TEAM)),
        ShareMemory(memory(f"{name}-mine", f"{name} says it at home.", scope=MemoryScope.MINE)),
        SharePin(
            WorkspacePin(
                id=f"{name}-pin",
                at=AT,
                text=f"{name} says: tabs.",
                number=1,
                sharing=PinSharing(MemoryScope.TEAM),
            )
        ),
    )
    begins = "a" if name == "ada" else "b"
    for number, operation in enumerate(operations):
        key = KEY.format(begins)[:-1] + str(number)
        assert isinstance(await team.push(Queued(key, operation)), Done)
    await team.sessions.ship(record(f"{name}-s"), [said("a", f"{name} says hello")], 0, None)


def everything(url: str) -> str:
    """All texts of all tables."""
    listing = "SELECT tablename FROM pg_tables WHERE schemaname = 'plimsoll'"
    with psycopg.connect(url) as connection:
        names = [name for (name,) in connection.execute(listing)]
        return "".join(
            str(connection.execute(f"SELECT * FROM plimsoll.{name}").fetchall()) for name in names
        )

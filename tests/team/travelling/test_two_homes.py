"""A person's session in two homes, each with an app of its own, and a real PostgreSQL between."""

import os
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from plimsoll.app.app import App
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.errors import Busy, NotFound, StoreUnavailable
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.settings import ModelSettings, Settings
from plimsoll.settings.shape import TeamSettings
from plimsoll.team import participation
from storage.postgres.crew import Crew

pytestmark = pytest.mark.slow
OTHER = f"another {platform.node().partition('#')[0]}"
"""Both homes are on this machine."""


class Somebody:
    """Says yes, and has no document open."""

    async def ask(self, *_question: object) -> Decision:
        return Decision(allowed=True)

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, path: Path) -> None:
        return None

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        return False


@asynccontextmanager
async def home(
    place: Path, crew: Crew, *, sessions: bool = True, joins: bool = True
) -> AsyncIterator[Project]:
    """The folder of ada's project in one of her homes."""
    folder = place / "work"
    folder.mkdir(parents=True, exist_ok=True)
    given = conninfo_to_dict(crew.url_of("ada"))
    url = f"postgresql://{given['user']}@127.0.0.1:{given['port']}/{given['dbname']}"
    settings = replace(
        Settings(),
        model=ModelSettings(provider="scripted", name="echo"),
        team=TeamSettings(sessions=sessions),
    )
    front = Front(
        asker=Somebody(), listener=lambda *_: None, documents=Somebody(), trusted=lambda _: True
    )
    variables = {
        "PLIMSOLL_DATA_DIR": str(place / "data"),
        "PLIMSOLL_TEAM_PASSWORD": str(given["password"]),
        "PATH": os.environ["PATH"],
    }
    app = App(settings, front, ProcessInputs(variables=variables))
    try:
        project = await app.project(folder.as_uri())
        if joins:
            await project.environment.team.join("harbour", url)
        yield project
    finally:
        await app.close()


async def say(session: Session, text: str) -> None:
    await session.prompt([PromptText(text, pasted=())])
    ended = await session.wait()
    assert ended is not None
    assert ended.reason == "endTurn", ended


async def exchange(*projects: Project) -> None:
    for project in projects:
        status = await project.environment.team.look()
        assert status.state == "ok", status


async def test_a_session_goes_on_where_it_was_and_comes_back(tmp_path: Path, crew: Crew):
    async with home(tmp_path / "desk", crew) as desk, home(tmp_path / "train", crew) as train:
        session = await desk.new()
        await say(session, "Remember the tide.")
        await exchange(desk, train)
        assert [(each.record.id, each.machine) for each in await train.elsewhere()] == [
            (session.id, OTHER)
        ]
        there = await train.load(session.id)
        assert there.state.log.fold.view == session.state.log.fold.view
        assert there.state.changed_event().held_by == f"the machine {OTHER}"
        with pytest.raises(Busy):
            await say(there, "Go on.")
        await train.take_over(session.id)
        there = await train.load(session.id)
        await say(there, "Go on.")
        await exchange(train, desk, desk)
        back = await desk.load(session.id)
        assert back.state.log.fold.entries == there.state.log.fold.entries
        assert back.state.changed_event().held_by == f"the machine {OTHER}"


async def test_what_a_home_wrote_last_is_sent_as_it_closes(
    tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(participation, "_LAST_SENDING", 60.0)
    async with home(tmp_path / "desk", crew) as desk:
        session = await desk.new()
        await say(session, "Remember the tide.")
        name, entries = session.id, session.state.log.fold.entries
        assert (await desk.environment.team.look()).state == "ok"
        await say(session, "And the wind.")
    async with home(tmp_path / "train", crew) as train:
        await exchange(train)
        there = await train.load(name)
        assert there.state.log.fold.entries[: len(entries)] == entries
        assert there.state.changed_event().held_by is None
        await say(there, "Go on.")


async def test_a_session_that_is_deleted_is_deleted_in_both_homes(tmp_path: Path, crew: Crew):
    async with home(tmp_path / "desk", crew) as desk, home(tmp_path / "train", crew) as train:
        session = await desk.new()
        await say(session, "Remember the tide.")
        await exchange(desk, train)
        assert await train.keeps(session.id)
        await desk.delete(session.id)
        await exchange(desk, train)
        assert not await train.keeps(session.id)
        with pytest.raises(NotFound):
            await train.load(session.id)


async def test_a_home_in_which_sessions_stay_sends_and_lists_none(tmp_path: Path, crew: Crew):
    async with (
        home(tmp_path / "desk", crew) as desk,
        home(tmp_path / "train", crew, sessions=False) as train,
    ):
        await say(await train.new(), "Mine alone.")
        session = await desk.new()
        await say(session, "Remember the tide.")
        await exchange(train, desk, train, desk)
        assert await desk.elsewhere() == []
        assert await train.elsewhere() == []
        with pytest.raises(NotFound):
            await train.load(session.id)


async def test_a_session_elsewhere_is_named_while_the_server_is_away(tmp_path: Path, crew: Crew):
    async with home(tmp_path / "desk", crew) as desk, home(tmp_path / "train", crew) as train:
        session = await desk.new()
        await say(session, "Remember the tide.")
        await exchange(desk, train)
        crew.as_administrator(f"ALTER ROLE {crew.role('ada')} PASSWORD 'another'")
        crew.as_administrator(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %(role)s",
            role=crew.role("ada"),
        )
        with pytest.raises(StoreUnavailable) as away:
            await train.load(session.id)
        title = session.state.record.title
        assert away.value.message.startswith(f"The session “{title}” is on {OTHER}, and the team's")
        # What is here is there as before, and is gone on with.
        await say(session, "And the wind.")

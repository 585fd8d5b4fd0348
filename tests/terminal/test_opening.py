"""What a command opens for itself, and what it leaves behind in the folder."""

import io
from argparse import Namespace
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Noted
from plimsoll.errors import InvalidInput
from plimsoll.memory.types import MemorySource
from plimsoll.redaction.secrets import Secrets
from plimsoll.settings import Settings
from plimsoll.terminal.approvals import TerminalAsker
from plimsoll.terminal.opening import open_project, session_in
from plimsoll.terminal.screen import Screen


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Namespace:
    monkeypatch.setenv("PLIMSOLL_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "folder").mkdir()
    return Namespace(workspace=str(tmp_path / "folder"), secrets=Secrets({}))


@asynccontextmanager
async def project_of(options: Namespace):
    asker = TerminalAsker(Screen(io.StringIO(), io.StringIO()), None, 1, auto=False)
    async with open_project(options, Settings(), asker, lambda *_: None) as there:
        yield there.project


async def nothing(*_: object) -> None:
    """Leave it as it began."""


async def fail(*_: object) -> None:
    raise InvalidInput("There is no text to pin.", remedy="Give a text.")


async def note(project, session) -> None:
    await session.note(Noted(id="n1", at=project.environment.clock.now(), what="window"))


async def pin_in_all(project, _session) -> None:
    await project.pins.add("Never touch the tests.")


@pytest.mark.parametrize("does", [nothing, fail, note, pin_in_all])
async def test_a_session_of_which_nothing_came_is_gone(options: Namespace, does):
    async with project_of(options) as project:
        try:
            async with session_in(options, project) as session:
                await does(project, session)
        except InvalidInput:
            assert does is fail
        assert await project.list() == []


async def pin(_project, session) -> None:
    await session.pin("Never touch the tests.", None)


async def pin_elsewhere(_project, session) -> None:
    options = Namespace(workspace=str(session.state.environment.root), secrets=Secrets({}))
    async with project_of(options) as other:
        await (await other.load(session.id)).pin("Never touch the tests.", None)


async def set_mode(_project, session) -> None:
    await session.set_mode("plan")


async def remember(project, session) -> None:
    source = MemorySource(session_id=session.id)
    await project.environment.memories.remember("Deploy from release.", source)


@pytest.mark.parametrize("does", [pin, pin_elsewhere, set_mode, remember])
async def test_a_session_of_which_something_came_stays(options: Namespace, does):
    async with project_of(options) as project:
        async with session_in(options, project) as session:
            await does(project, session)
        assert [record.id for record in await project.list()] == [session.id]
        options.resume = True
        async with session_in(options, project) as again:
            assert again.id == session.id
        assert len(await project.list()) == 1

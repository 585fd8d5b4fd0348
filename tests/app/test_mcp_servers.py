"""The servers of the settings in each folder: offered, switched, and started only when needed."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.app.app import App
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.errors import NotFound
from plimsoll.session.ports.asker import Decision
from plimsoll.settings import Settings
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_changes import add_server
from plimsoll.settings.shape import ModelSettings
from plimsoll.settings.sources import config_path, local_layers, merge
from session.harness import Disk, Person

pytest.importorskip("mcp")
SCRIPTED = Path(__file__).parents[1] / "tools/mcp/scripted.py"
BOX = McpSettings(command=sys.executable, args=(str(SCRIPTED),), env={"KEY": "${BOX_KEY}"})


@asynccontextmanager
async def app(
    home: Path,
    changed: list[str],
    load: Callable[[], Settings] | None = None,
    **servers: McpSettings,
) -> AsyncIterator[App]:
    front = Front(
        asker=Person((Decision(allowed=False),)),
        listener=lambda *_: None,
        documents=Disk(),
        trusted=lambda _: True,
        mcp_changed=changed.append,
    )
    variables = {"PLIMSOLL_DATA_DIR": str(home / "data"), "BOX_KEY": "key-of-the-box-4711"}
    script = home / "script.json"
    script.write_text('{"mode": "echo"}')
    model = ModelSettings(provider="scripted", name=str(script))
    settings = replace(Settings(), model=model, mcp=servers)
    own = App(settings, front, ProcessInputs(variables=variables, load_settings=load))
    try:
        yield own
    finally:
        await own.close()


async def test_without_a_server_no_tool_is_offered_and_with_one_nothing_is_started(
    tmp_path: Path,
):
    async with app(tmp_path, []) as own:
        project = await own.project(tmp_path.as_uri())
        assert "call_tool" not in project.environment.tools
        await own.configure(replace(own.settings, mcp={"box": replace(BOX, enabled=False)}))
        assert "call_tool" not in project.environment.tools
        await own.configure(replace(own.settings, mcp={"box": BOX}))
        assert [*project.environment.tools][-2:] == ["find_tools", "call_tool"]
        assert [offer.state for offer in project.environment.outside.mcp.offers()] == ["idle"]
        assert own.secrets("it is key-of-the-box-4711") != "it is key-of-the-box-4711"
    assert not list((tmp_path / "data").rglob("mcp"))


@pytest.mark.slow
async def test_a_server_is_started_for_one_folder_and_what_it_offers_is_known_there_later(
    tmp_path: Path,
):
    changed: list[str] = []
    async with app(tmp_path, changed, box=BOX) as own:
        project = await own.project(tmp_path.as_uri())
        (offer,) = await project.environment.outside.mcp.start()
        assert offer.state == "ready" and offer.tools
        assert set(changed) == {tmp_path.as_uri()}
    assert project.environment.outside.mcp.offers() == []
    async with app(tmp_path, [], box=BOX) as own:
        (offer,) = (await own.project(tmp_path.as_uri())).environment.outside.mcp.offers()
        assert offer.state == "idle" and offer.tools


async def test_a_switch_is_written_into_the_persons_file_and_holds_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    config_path().parent.mkdir(parents=True)
    config_path().write_text('[mcp.box]\ncommand = "box"\n')
    async with app(tmp_path, [], box=BOX) as own:
        environment = (await own.project(tmp_path.as_uri())).environment
        await environment.outside.switch_server("box", "echo", False)
        assert own.settings.mcp["box"].off_tools == ("echo",)
        await environment.outside.switch_server("box", "echo", True)
        assert own.settings.mcp["box"].off_tools == ()
        await environment.outside.switch_server("box", None, False)
        assert "enabled = false" in config_path().read_text()
        assert "call_tool" not in environment.tools
        with pytest.raises(NotFound):
            await environment.outside.switch_server("bax", None, False)


async def test_what_is_written_into_the_persons_file_elsewhere_is_there_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    changed: list[str] = []
    async with app(tmp_path, changed, lambda: merge(local_layers(None, {}))) as own:
        environment = (await own.project(tmp_path.as_uri())).environment
        assert environment.outside.mcp.offers() == []
        add_server("late", McpSettings(command="late", env={"KEY": "${BOX_KEY}"}))
        assert "call_tool" in environment.tools
        assert [offer.server.name for offer in environment.outside.mcp.offers()] == ["late"]
        assert own.settings.mcp["late"].command == "late"
        assert own.settings.model.provider == "scripted"
        assert own.secrets("key-of-the-box-4711") != "key-of-the-box-4711"
        assert changed == [tmp_path.as_uri()]

        good = config_path().read_text()
        config_path().write_text("[mcp.late]\ncommand = 1\n")
        assert [offer.server.name for offer in environment.outside.mcp.offers()] == ["late"]
        config_path().write_text(f"{good}\n# mine\n")
        assert [offer.server.name for offer in environment.outside.mcp.offers()] == ["late"]
        assert changed == [tmp_path.as_uri()]
        config_path().unlink()
        assert environment.outside.mcp.offers() == []
        assert len(changed) == 2

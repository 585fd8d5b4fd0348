"""The wiring: one project a folder, one store a project, and nothing left at the end."""

import asyncio
import base64
import json
import logging
import os
import secrets
from collections.abc import Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from builders import user
from plimsoll.app.app import App
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.cli import RedactingFormatter
from plimsoll.context.log.entries import Said
from plimsoll.errors import InvalidInput, StoreUnavailable
from plimsoll.folders import folder_of, is_here
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    Event,
    ReasoningArrived,
    TextArrived,
)
from plimsoll.session.project import Project
from plimsoll.settings import ModelSettings, Settings
from plimsoll.storage.locate import locate
from plimsoll.storage.locks.stores import FairLock, keep_others_out
from storage.vanishing import vanish_when_listed


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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "a folder; with ünï"
    folder.mkdir()
    return folder


@asynccontextmanager
async def app(
    tmp_path: Path,
    *,
    script: str = '{"mode": "echo"}',
    store: str = "sqlite",
    variables: Mapping[str, str] | None = None,
    model: ModelSettings | None = None,
    trusted: bool = True,
):
    (tmp_path / "script.json").write_text(script)
    played = ModelSettings(provider="scripted", name=str(tmp_path / "script.json"))
    events: list[Event] = []
    front = Front(
        asker=Somebody(),
        listener=lambda _, event: events.append(event),
        documents=Somebody(),
        trusted=lambda _: trusted,
    )
    around = {"PLIMSOLL_DATA_DIR": str(tmp_path / "data"), "PATH": os.environ["PATH"]}
    settings = replace(Settings(), model=model or played)
    own = App(
        settings, front, ProcessInputs(variables={**around, **(variables or {})}, store=store)
    )
    try:
        yield own, events
    finally:
        await own.close()


async def say(session, text: str) -> str:
    await session.prompt([PromptText(text)])
    ended = await session.wait()
    assert ended.reason == "endTurn", ended
    return session.last_answer()


async def test_a_folder_has_one_project_whatever_path_leads_to_it(tmp_path, folder):
    (tmp_path / "link").symlink_to(folder)
    paths = [folder.as_uri(), f"{folder.as_uri()}/", (tmp_path / "link").as_uri(), folder.as_uri()]
    async with app(tmp_path) as (own, _):
        found = await asyncio.gather(*(own.project(path) for path in paths))
        assert {id(project) for project in found} == {id(found[0])}
        assert found[0].environment.root == folder.resolve()


async def test_a_store_whose_opening_is_cancelled_does_not_stay_open(tmp_path, folder):
    home = locate(folder, tmp_path / "data").folder
    async with app(tmp_path) as (own, _):
        with FairLock(home).hold(60):
            opening = asyncio.create_task(own.project(folder.as_uri()))
            while not (home / "open.lock").exists():
                await asyncio.sleep(0)
            opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

        with keep_others_out(home):
            assert own.projects.by_root == {}
        assert await (await own.project(folder.as_uri())).list() == []


@pytest.mark.parametrize(
    "uri",
    [
        "file:///there/is/no/such/folder",
        "https://example.org/a",
        "untitled:a",
        "file://far/tmp",
        "file://[",
        "file:///tmp/%00",
        "",
    ],
)
def test_what_is_no_folder_here_is_refused(uri):
    with pytest.raises(InvalidInput) as refused:
        folder_of(uri)
    assert refused.value.remedy
    assert not is_here(uri)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput):
        folder_of((tmp_path / "file").as_uri())


async def test_nothing_is_made_before_a_folder_is_opened(tmp_path, folder):
    async with app(tmp_path) as (own, _):
        await own.status()
        assert not (tmp_path / "data").exists()
        await own.project(folder.as_uri())
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir()) == []


async def test_what_was_said_is_there_in_another_process(tmp_path, folder):
    async with app(tmp_path) as (first, _):
        session = await (await first.project(folder.as_uri())).new()
        assert await say(session, "hello again") == "hello again"
        async with app(tmp_path) as (second, _):
            again = await (await second.project(folder.as_uri())).load()
            assert again.state.log.fold.view == session.state.log.fold.view
    async with app(tmp_path) as (third, _):
        assert await say(await (await third.project(folder.as_uri())).current(), "more") == "more"


async def test_a_store_in_memory_leaves_no_text_behind(tmp_path, folder):
    async with app(tmp_path, store="memory") as (own, _):
        await say(await (await own.project(folder.as_uri())).new(), "hello-in-memory")
    kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert not any(b"hello-in-memory" in path.read_bytes() for path in kept)


@pytest.mark.parametrize(("store", "files"), [("sqlite", 1), ("memory", 0)])
async def test_what_was_read_of_a_long_log_is_kept_where_the_log_is(tmp_path, folder, store, files):
    async with app(tmp_path, store=store) as (own, _):
        project = await own.project(folder.as_uri())
        session = await project.new()
        await session.state.log.append(user("u1", "Look at grep_all in src/a.py. " * 10_000))
        again = await Project(project.environment).load(session.id)
        assert again.state.log.fold.view == session.state.log.fold.view
    assert len(list((tmp_path / "data").rglob("readings/*"))) == files


async def test_keys_of_the_environment_and_of_the_client_are_never_stored(tmp_path, folder):
    variables = {"DEPLOY_TOKEN": "tok-1234567890abcdef"}
    async with app(tmp_path, variables=variables) as (own, _):
        own.set_key("openai", "sk-abcdefghijklmnop")
        session = await (await own.project(folder.as_uri())).new()
        await say(session, "they are tok-1234567890abcdef and sk-abcdefghijklmnop")
        said = [e for e in session.state.log.fold.entries if isinstance(e, Said)]
        assert "tok-1234567890abcdef" not in repr(said)
        assert "sk-abcdefghijklmnop" not in repr(said)
    kept = b"".join(p.read_bytes() for p in (tmp_path / "data").rglob("*") if p.is_file())
    assert b"they are" in kept
    assert b"tok-1234567890abcdef" not in kept
    assert b"sk-abcdefghijklmnop" not in kept


def test_a_key_that_the_client_sets_is_known_to_the_log(tmp_path):
    secrets = Secrets({})
    formatter = RedactingFormatter(secrets)
    given = ProcessInputs(variables={"PLIMSOLL_DATA_DIR": str(tmp_path)}, secrets=secrets)
    front = Front(
        asker=Somebody(), listener=lambda *_: None, documents=Somebody(), trusted=lambda _: True
    )

    App(Settings(), front, given).set_key("openai", "sk-abcdefghijklmnop")

    record = logging.makeLogRecord({"msg": "refused sk-abcdefghijklmnop"})
    assert formatter.format(record).endswith("refused [redacted: openai-key]")


CANARY = "tok-1234567890abcdef"


async def test_what_people_see_holds_no_secret_and_a_call_runs_as_the_model_sent_it(
    tmp_path, folder
):
    encoded = base64.b64encode(f"user:{CANARY}".encode()).decode()
    pieces = [*f"it is {CANARY}, ", encoded[:9], encoded[9:], f" and {CANARY[:12]}", CANARY[12:]]
    call = {"name": "file_write", "arguments": {"path": "new", "content": f"key={CANARY}\n"}}
    steps = [{"reasoning": "".join(pieces), "text": pieces, "calls": [call]}, {"text": ["done"]}]
    script = json.dumps({"steps": steps})
    async with app(tmp_path, script=script, variables={"DEPLOY_TOKEN": CANARY}) as (own, events):
        session = await (await own.project(folder.as_uri())).new()
        await say(session, "go")

    assert (folder / "new").read_text() == f"key={CANARY}\n"
    for kind in (TextArrived, ReasoningArrived):
        told = "".join(event.text for event in events if isinstance(event, kind))
        assert told.startswith("it is [redacted: DEPLOY_TOKEN], ")
        assert told.count("[redacted: DEPLOY_TOKEN]") == 3
    shown = next(event.call for event in events if isinstance(event, CallMade))
    assert shown.intent is not None
    assert "+key=[redacted: DEPLOY_TOKEN]" in (shown.intent.diff or "")
    assert json.loads(shown.arguments)["content"] == "key=[redacted: DEPLOY_TOKEN]\n"
    assert CANARY not in repr([e for e in events if not isinstance(e, CallMade)])


async def test_trust_is_asked_of_the_front_and_counts_at_the_tool(tmp_path, folder):
    write = '{"calls": [{"name": "file_write", "arguments": {"path": "new", "content": "x"}}]}'
    script = f'{{"steps": [{write}, {{"text": ["Done."]}}]}}'
    async with app(tmp_path, script=script, trusted=False) as (own, _):
        await say(await (await own.project(folder.as_uri())).new(), "write")
    assert not (folder / "new").exists()


async def test_status_tells_where_how_much_and_what_is_odd(tmp_path, folder):
    async with app(tmp_path) as (own, _):
        project = await own.project(folder.as_uri())
        await project.new()
        await project.new()
        status = await own.status()
        assert (status.store_path, status.sessions, status.warnings) == (tmp_path / "data", 2, ())
        assert status.store_bytes() > 0
    unknown = ModelSettings(provider="openai", name="nobody-knows", base_url="http://127.0.0.1:9")
    async with app(tmp_path, model=unknown) as (own, _):
        await (await own.project(folder.as_uri())).new()
        (warning,) = (await own.status()).warnings
        assert warning.code == "windowUnknown"
        assert "context_window" in warning.remedy


async def test_a_folder_may_be_opened_while_status_is_told(tmp_path, folder):
    async with app(tmp_path) as (own, _):
        project = await own.project(folder.as_uri())
        telling = asyncio.create_task(own.status())
        await asyncio.sleep(0)
        own.projects.by_root[tmp_path] = project

        assert (await telling).sessions == 0


async def test_a_file_that_vanishes_while_it_is_weighed_weighs_nothing(tmp_path, monkeypatch):
    async with app(tmp_path) as (own, _):
        data = tmp_path / "data"
        data.mkdir()
        (data / "store.db").write_bytes(b"12345")
        (data / "store.db-wal").write_bytes(b"1234567")
        vanish_when_listed(data / "store.db-wal", monkeypatch)
        assert (await own.status()).store_bytes() == 5
        assert not (data / "store.db-wal").exists()


def running_with(argument: str) -> list[str]:
    """List the processes with an argument: in a sandbox their own numbers are others."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        # It may end while we look.
        with suppress(OSError):
            if entry.name.isdigit() and argument.encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
    return found


@pytest.mark.slow
async def test_closing_ends_the_turn_and_the_commands_it_started(tmp_path, folder):
    seconds = f"1000.{secrets.randbelow(10**9):09}"
    run = f'{{"name": "shell", "arguments": {{"command": "touch here; exec sleep {seconds}"}}}}'
    script = f'{{"steps": [{{"calls": [{run}]}}]}}'
    async with app(tmp_path, script=script) as (own, events):
        session = await (await own.project(folder.as_uri())).new()
        await session.prompt([PromptText("run")])
        while not (folder / "here").exists():
            assert session.running
            await asyncio.sleep(0.01)
        assert running_with(seconds)
    assert not session.running
    assert not running_with(seconds)
    assert [e.status for e in events if isinstance(e, CallChanged)][-1] == "failed"


async def test_what_fails_to_close_keeps_nothing_else_open(tmp_path: Path, folder: Path) -> None:
    class Failing:
        async def close(self) -> None:
            raise RuntimeError("it cannot be closed")

    async with app(tmp_path) as (own, _):
        own.projects.by_root[tmp_path / "first"] = Failing()
        project = await own.project(folder.as_uri())
        project.live["s0"] = Failing()
        with pytest.raises(RuntimeError, match="it cannot be closed"):
            await own.close()
        with pytest.raises(StoreUnavailable):
            await project.list()
        assert own.projects.by_root == {}


async def test_a_purged_memory_is_in_no_log_and_no_file(tmp_path: Path, folder: Path) -> None:
    async with app(tmp_path) as (own, _):
        project = await own.project(folder.as_uri())
        memories = project.environment.memories
        gone = await memories.remember("the zanzibar quay is closed on Sundays")
        await memories.remember("the harbour master answers on channel 12")
        open_one = await project.current()
        await say(open_one, "What of the quay and the harbour?")
        other = await project.new()
        await say(other, "What of the quay and the harbour?")
        await other.close()
        del project.live[other.id]

        await project.forget(gone.id, purge=True)

        store = project.environment.store
        assert await store.entries(open_one.id) == open_one.state.log.fold.entries
        await say(open_one, "And now?")
    data = tmp_path / "data"
    left = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    assert b"zanzibar" not in left
    assert b"channel 12" in left

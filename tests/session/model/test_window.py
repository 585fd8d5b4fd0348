"""The window of a session's model: asked for, learned from a refusal, kept in the log, and told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import WINDOW, notes_of_kind
from plimsoll.models import OpenModels
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import MeterMoved, NoticeGiven, TurnEnded
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.settings import Layer, merge
from plimsoll.storage.locate import locate
from plimsoll.storage.registry import open_store
from plimsoll.tokens.counter import Counters
from providers.model_server import overflow, said, serving
from session.harness import environment_of, redact

COUNTERS = Counters()
LIST = {"data": [{"id": "m", "max_model_len": 4_096}]}
CHAT = "/v1/chat/completions"


@dataclass(kw_only=True)
class Folder:
    project: Project
    models: OpenModels
    events: list = field(default_factory=list)

    def notices(self) -> list[str]:
        return [event.markdown for event in self.events if isinstance(event, NoticeGiven)]


@asynccontextmanager
async def folder(
    root: Path, base_url: str, *, trusted: bool = True, **more: object
) -> AsyncIterator[Folder]:
    tree = {"model": {"provider": "openai", "name": "m", "base_url": base_url, **more}}
    models = OpenModels(merge([Layer("test", tree)]), {}, None, COUNTERS)
    home = locate(root, root / "data")
    store = await open_store("sqlite", home, redact, lambda _: None)
    events: list = []

    environment = environment_of(
        root,
        models,
        store,
        redact=redact,
        listener=lambda _, event: events.append(event),
        outputs=root / "out",
        trusted=lambda: trusted,
    )
    project = Project(environment)
    try:
        yield Folder(project=project, models=models, events=events)
    finally:
        await project.close()
        await models.close()


async def turn(session: Session, text: str) -> TurnEnded:
    await session.prompt([PromptText(text)])
    ended = await session.wait()
    assert ended is not None
    return ended


def window_of(session: Session) -> tuple[int, str]:
    meter = session.state.load.meter()
    return meter.budget.window, meter.window_source


async def test_the_server_is_asked_and_a_resumed_session_knows_it(tmp_path):
    async with serving({"/v1/models": LIST, CHAT: said("Yes.")}) as server:
        async with folder(tmp_path, server.url) as own:
            session = await own.project.new()
            assert (await turn(session, "hello")).reason == "endTurn"
            assert window_of(session) == (4_096, "server")
            assert own.notices() == []
            assert any(isinstance(event, MeterMoved) for event in own.events)
            (note,) = notes_of_kind(session.state.log.fold.entries, WINDOW)
            assert (note.count("window"), note.text("source")) == (4_096, "server")
            await turn(session, "and again")
        assert server.paths.count("/v1/models") == 1
        assert server.paths[0] == "/v1/models"
    async with folder(tmp_path, "http://127.0.0.1:9/v1") as own:
        assert window_of(await own.project.load(session.id)) == (4_096, "server")


async def test_a_switch_to_an_unknown_window_reduces_nothing_for_a_guess(tmp_path):
    paths = {"/v1/models": {"data": []}, CHAT: said("Yes.")}
    async with (
        serving(paths) as server,
        folder(tmp_path, server.url, context_window=64_000) as own,
    ):
        session = await own.project.new()
        await turn(session, "word " * 5_000)
        plain = {"provider": "openai", "name": "m", "base_url": server.url}
        await own.models.configure(merge([Layer("test", {"model": plain})]))
        await session.set_model("openai/other")
        assert window_of(session) == (64_000, "assumed")
        assert (await turn(session, "and again")).reason == "endTurn"
        assert session.state.log.fold.edits == {}
    async with folder(tmp_path, "http://127.0.0.1:9/v1") as own:
        assert window_of(await own.project.load(session.id)) == (64_000, "assumed")


def at(folder: Path, name: str) -> Path:
    path = folder / name
    path.mkdir()
    return path


async def test_an_untrusted_folder_and_a_set_window_are_not_asked_about(tmp_path):
    async with serving({"/v1/models": LIST, CHAT: said("Yes.")}) as server:
        async with folder(at(tmp_path, "a"), server.url, trusted=False) as own:
            session = await own.project.new()
            await turn(session, "hello")
            assert window_of(session) == (4_096, "assumed")
        async with folder(at(tmp_path, "b"), server.url, context_window=20_000) as own:
            session = await own.project.new()
            await turn(session, "hello")
            assert window_of(session) == (20_000, "setting")
        assert set(server.paths) == {CHAT}


async def test_what_is_assumed_is_said_once_and_before_the_answer(tmp_path):
    async with serving({CHAT: said("Yes.")}) as server, folder(tmp_path, server.url) as own:
        session = await own.project.new()
        await turn(session, "hello")
        await turn(session, "and again")
    (told,) = own.notices()
    assert "4,096 tokens are assumed" in told
    assert "model.context_window" in told
    kinds = [type(event).__name__ for event in own.events]
    assert kinds.index("NoticeGiven") < kinds.index("TurnStarted")


async def test_what_was_said_once_is_not_said_again_after_a_resume(tmp_path):
    """That the window is assumed, that another model answers, and that its usage is wrong."""
    listed = {"data": [{"id": "mizzen", "owned_by": "vllm"}]}
    answers = {"/v1/models": listed, CHAT: said("Yes.", 1)}
    async with serving(answers) as server:
        async with folder(tmp_path, server.url, name="typo") as own:
            session = await own.project.new()
            await turn(session, "word " * 500)
            told = own.notices()
        for words in ("tokens are assumed", "has only `mizzen`", "cannot be right"):
            assert sum(words in notice for notice in told) == 1, told
        assert len(told) == 3
        async with folder(tmp_path, server.url, name="typo") as own:
            resumed = await own.project.load(session.id)
            await turn(resumed, "and again")
            assert own.notices() == []
            await turn(await own.project.new(), "word " * 500)
            assert sorted(own.notices()) == sorted(told)


@pytest.mark.parametrize("served", ["mizzen", "m"])
async def test_a_name_that_the_server_does_not_have_is_said_once(tmp_path, served):
    listed = {"data": [{"id": served, "owned_by": "llamacpp", "meta": {"n_ctx": 4_096}}]}
    answers = {"/v1/models": listed, CHAT: said("Yes.")}
    async with (
        serving(answers) as server,
        folder(tmp_path, server.url, name="typo" if served == "mizzen" else "m") as own,
    ):
        session = await own.project.new()
        await turn(session, "hello")
        await turn(session, "and again")
        assert window_of(session) == (4_096, "server")
    told = own.notices()
    assert len(told) == (served == "mizzen")
    assert all("has only `mizzen`, not `typo`" in words for words in told)
    assert all("Set `model.name` to `mizzen`" in words for words in told)


async def test_a_window_set_too_large_is_corrected_down_and_said(tmp_path):
    refused = overflow(n_ctx=4_096, n_prompt_tokens=5_200)
    answers = {CHAT: [refused, said("Yes.", 900)]}
    async with serving(answers) as server:
        async with folder(tmp_path, server.url, context_window=32_768) as own:
            session = await own.project.new()
            ended = await turn(session, "word " * 4_500)
            assert ended.reason == "endTurn"
            assert window_of(session) == (4_096, "learned")
            assert session.state.load.meter().used <= session.state.model.budget.effective
            (told,) = (words for words in own.notices() if "as it is served" in words)
            assert "holds 4,096 tokens" in told
            assert "not 32,768" in told
            assert "model.context_window" in told
        async with folder(tmp_path, server.url, context_window=32_768) as own:
            assert window_of(await own.project.load(session.id)) == (4_096, "learned")
        async with folder(tmp_path, server.url, context_window=6_000) as own:
            assert window_of(await own.project.load(session.id)) == (6_000, "setting")


async def test_the_first_prompt_that_overflows_is_recovered_and_calibrates(tmp_path):
    refused = overflow(n_ctx=4_096, n_prompt_tokens=18_780)
    answers = {CHAT: [refused, said("Yes.", 2_500)]}
    async with (
        serving(answers) as server,
        folder(tmp_path, server.url, context_window=32_768) as own,
    ):
        session = await own.project.new()
        before = session.state.model.correction.weights
        assert (await turn(session, "mast " * 16_000)).reason == "endTurn"
        assert session.state.load.meter().used <= session.state.model.budget.effective
        assert session.state.model.correction.weights != before
        (edit,) = session.state.log.fold.edits.values()
        assert edit.stage == "trim"
    assert server.paths == [CHAT, CHAT]


async def test_the_meter_is_right_after_a_request_that_failed(tmp_path):
    refused = overflow(n_ctx=4_096, n_prompt_tokens=5_200)
    async with (
        serving({CHAT: refused}) as server,
        folder(tmp_path, server.url, context_window=32_768) as own,
    ):
        session = await own.project.new()
        assert (await turn(session, "word " * 4_500)).reason == "error"
        assert window_of(session) == (4_096, "learned")


def test_a_note_of_a_window_that_cannot_be_read_has_no_effect():
    bad = Noted(id="n1", at="", what=WINDOW, data='{"model":"openai/m","window":-1,"source":"x"}')
    assert list(notes_of_kind([bad], WINDOW)) == []

"""The border to stored logs: whatever opening one does, a person can go on."""

import os
from dataclasses import replace

import pytest

from builders import exchange, user
from plimsoll.errors import LogInvalid, SessionUnreadable
from plimsoll.session.log.session_log import READ_AT_ONCE
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.project import Project
from plimsoll.session.transfer.exports import export_session
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.tools.written_over import KEPT, keep_text
from session.harness import harness, redact
from session.loop_watch import LoopWatch


class Poisoned(SqliteStore):
    """A store in which reading the log of a session fails in a way that nobody foresaw."""

    bad: str | None = None

    async def entries(self, session_id: str, start: int = 0) -> list:
        if session_id == self.bad:
            raise RecursionError("what a person wrote")
        return await super().entries(session_id, start)


@pytest.fixture
async def own(tmp_path):
    store = Poisoned.in_memory(redact)
    async with harness(tmp_path, {"text": "Yes."}, store=store) as own:
        await own.turn("Are you there?")
        store.bad = own.session.id
        yield own


async def test_a_session_that_fails_in_any_way_gives_way_to_a_new_one_that_says_why(own):
    for again in (Project(own.project.environment), Project(own.project.environment)):
        with pytest.raises(SessionUnreadable) as refused:
            await again.load(own.session.id)
        assert own.session.id in refused.value.message
        assert "what a person wrote" not in refused.value.message
        assert again.live == {}
        new = await again.resume(own.session.id)
        assert new.id != own.session.id
        assert own.session.id in own.heard(NoticeGiven)[-1].markdown
        assert await again.current() is new


async def test_it_can_be_exported_though_nothing_of_it_can_be_opened(own):
    text = await Project(own.project.environment).export(own.session.id)
    assert text == export_session(own.session.state.record, own.entries)


async def test_a_long_session_is_counted_and_read_off_the_loop(tmp_path, monkeypatch):
    async with harness(tmp_path, window=1_000_000) as own:
        await own.session.state.append(
            user("u1", "Look."), *exchange(1, "see grep_all in src/a.py " * 50_000)
        )
        watch, shelf = LoopWatch(monkeypatch), own.project.environment.models
        models = replace(shelf, small=replace(shelf.small, ledger=watch.ledger))
        environment = replace(own.project.environment, models=models)
        state = (await Project(environment).load(own.session.id)).state
        assert state.load.meter().used > 50_000
        assert "grep_all" in state.log.indexes.name_counts_in_view()
        assert all(size < READ_AT_ONCE for size in watch.here.values()), watch.here


async def test_an_import_is_kept_only_when_it_can_be_opened(tmp_path, monkeypatch):
    async with harness(tmp_path) as own:
        text = export_session(own.session.state.record, [user("u1", "hello")])
        before = await own.project.list()

        def fails(*_: object) -> None:
            raise KeyError("what a stranger wrote")

        monkeypatch.setattr("plimsoll.session.opening.report", fails)
        with pytest.raises(LogInvalid) as refused:
            await own.project.take_in(text)
        assert "what a stranger wrote" not in refused.value.message
        assert await own.project.list() == before
        monkeypatch.undo()
        assert (await own.project.take_in(text)).state.log.fold.groups


async def test_a_file_that_a_kill_left_half_written_is_told_once(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        context = own.project.environment.call_context
        file = context.root / "a.cfg"
        copy = keep_text(context.spill_folder / KEPT, file, b"old and longer\n", b"new\n")
        os.utime(copy, (0, 0))
        file.write_text("ne")
        again = Project(own.project.environment)
        first = await again.new()
        (told,) = [each.markdown for each in own.heard(NoticeGiven)]
        assert f"`cp {copy} {file}`" in told
        await again.load(own.session.id)
        await Project(own.project.environment).new()
        assert len(own.heard(NoticeGiven)) == 1
        await again.close()
        assert first.id != own.session.id

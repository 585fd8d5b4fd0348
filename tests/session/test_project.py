"""The sessions of a folder: found again after an end of any kind, copied, and let go."""

import asyncio
import gc
import weakref
from dataclasses import replace

import pytest

from builders import assistant, user
from plimsoll.context.log.entries import Said
from plimsoll.errors import Busy, NotFound, ProviderModel
from plimsoll.session.live_sessions import IDLE_SECONDS, KEPT_IDLE, KEPT_QUIET, QUIET_SECONDS
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven, SessionChanged
from plimsoll.session.project import Project
from plimsoll.session.turn.closing import INTERRUPTED
from session.harness import harness


def reopened(own) -> Project:
    """The same folder in another process."""
    return Project(own.project.environment)


async def test_a_session_is_found_again_as_it_was(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        await own.turn("Are you there?")
        await own.session.pin("It holds.", None)
        again = await reopened(own).load(own.session.id)
        assert again.state.record == own.session.state.record
        assert again.state.log.fold.entries == own.entries
        assert again.state.log.fold.view == own.session.state.log.fold.view


async def test_a_secret_that_is_known_later_is_not_told_with_the_title(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        late = "swordfish-of-the-later-day"
        await own.turn(f"Is {late} a good word?")
        environment = replace(own.project.environment, redact=lambda text: text.replace(late, "…"))
        again = Project(environment)
        assert late not in repr(await again.list())
        session = await again.load(own.session.id)
        assert late not in repr(session.state.record)
        await session.set_mode("plan")
        assert late not in repr([own.heard(SessionChanged)[-1], await again.list()])


async def test_the_one_used_last_is_the_latest(tmp_path):
    async with harness(tmp_path) as own:
        newer = await own.project.new()
        assert (await reopened(own).load()).id == newer.id
        assert [each.id for each in await own.project.list()] == [newer.id, own.session.id]
        assert [each.id for each in await own.project.list(1)] == [newer.id]


async def test_a_folder_without_a_session_gets_a_new_one(tmp_path):
    async with harness(tmp_path) as own:
        await own.project.delete(own.session.id)
        with pytest.raises(NotFound) as missing:
            await own.project.load()
        assert missing.value.kind == "sessionNotFound"
        assert (await own.project.current()).state.mode == "edit"


async def test_who_asks_for_the_first_session_at_once_gets_one(tmp_path):
    async with harness(tmp_path) as own:
        await own.project.delete(own.session.id)
        asked = await asyncio.gather(*(own.project.current() for _ in range(3)))
        assert len({session.id for session in asked}) == 1
        assert len(await own.project.list()) == 1


async def test_calls_that_a_crash_left_open_are_answered_when_it_is_opened(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        calls = assistant("a1", "", ("c1", "shell", "{}"), ("c2", "grep", "{}"))
        await own.store.append(own.session.id, [user("u1", "Do it."), calls], len(own.entries))
        again = await reopened(own).load(own.session.id)
        said = [entry for entry in again.state.log.fold.entries if isinstance(entry, Said)]
        assert [(e.group, e.parts[0].call_id, e.parts[0].text) for e in said[2:]] == [
            ("a1", "c1", INTERRUPTED),
            ("a1", "c2", INTERRUPTED),
        ]
        assert await own.store.entries(again.id) == again.state.log.fold.entries


async def test_while_another_process_runs_a_turn_its_log_is_left_alone(tmp_path):
    async with harness(tmp_path) as own:
        calls = assistant("a1", "", ("c1", "shell", "{}"))
        await own.store.append(own.session.id, [user("u1", "Do it."), calls], len(own.entries))
        lease = await own.store.acquire(own.session.id)
        again = await reopened(own).load(own.session.id)
        assert isinstance(again.state.log.fold.entries[-1], Said)
        assert again.state.log.fold.entries[-1].id == "a1"
        with pytest.raises(Busy):
            await again.rewind("u1")
        await own.store.release(lease)


async def test_a_model_that_is_gone_gives_way_to_the_default_and_says_so(tmp_path):
    async with harness(tmp_path) as own:
        await own.session.set_model("scripted/large")
        shelf = own.project.environment.models
        shelf.large = shelf.small
        again = await reopened(own).load(own.session.id)
        assert again.state.model.id == "scripted/small"
        assert "scripted/large" in own.heard(NoticeGiven)[-1].markdown
        with pytest.raises(ProviderModel):
            await own.project.new("edit", "scripted/large")


async def test_a_fork_ends_with_the_group_of_its_message_and_knows_its_parent(tmp_path):
    async with harness(tmp_path, {"text": "One."}, {"text": "Two."}, {"text": "Other."}) as own:
        await own.turn("first")
        said = [entry.id for entry in own.entries if isinstance(entry, Said)]
        await own.turn("second")
        copy = await own.project.fork(own.session.id, said[1])
        texts = [
            p.text for e in copy.state.log.fold.entries if isinstance(e, Said) for p in e.parts
        ]
        assert texts == ["first", "One."]
        assert copy.state.record.parent_id == own.session.id
        whole = await own.project.fork(own.session.id)
        assert whole.state.log.fold.view == own.session.state.log.fold.view
        with pytest.raises(NotFound):
            await own.project.fork(own.session.id, "m999")


async def test_deleting_a_session_leaves_its_forks(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        await own.turn("Keep it.")
        copy = await own.project.fork(own.session.id)
        await own.project.delete(own.session.id)
        assert [each.id for each in await own.project.list()] == [copy.id]
        with pytest.raises(NotFound):
            await own.project.load(own.session.id)


async def test_sessions_that_nobody_uses_leave_memory_and_come_back_as_they_were(
    tmp_path, monkeypatch
):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        await own.turn("Are you there?")
        others = [await own.project.new() for _ in range(KEPT_QUIET + 2)]
        assert len(own.project.live) == KEPT_QUIET + 3
        clock = own.project.environment.clock
        now = clock.seconds() + QUIET_SECONDS
        monkeypatch.setattr(type(clock), "seconds", lambda _: now)
        newest = await own.project.new()
        kept = [each.id for each in others[-KEPT_QUIET:]]
        assert sorted(own.project.live) == sorted([*kept, newest.id])
        again = await own.project.load(own.session.id)
        assert again is not own.session
        assert again.state.log.fold.entries == own.entries


async def test_of_many_that_were_used_a_moment_ago_so_many_stay(tmp_path, monkeypatch):
    async with harness(tmp_path) as own:
        clock = own.project.environment.clock
        now = [clock.seconds()]
        monkeypatch.setattr(type(clock), "seconds", lambda _: now[0])
        names = [own.session.id]
        for _ in range(KEPT_IDLE + 4):
            now[0] += IDLE_SECONDS
            names.append((await own.project.new()).id)
        assert sorted(own.project.live) == sorted(names[-KEPT_IDLE - 1 :])


async def test_a_session_in_which_a_turn_runs_stays_however_many_there_are(tmp_path, monkeypatch):
    opened = asyncio.Event()
    step = {"text": ["Yes", {"gate": "middle"}, "."]}
    async with harness(tmp_path, step, gate=lambda _: opened.wait()) as own:
        await own.session.prompt([PromptText("Are you there?")])
        clock = own.project.environment.clock
        now = [clock.seconds()]
        monkeypatch.setattr(type(clock), "seconds", lambda _: now[0])
        for _ in range(KEPT_IDLE + 4):
            now[0] += IDLE_SECONDS
            await own.project.new()
        assert own.project.live[own.session.id] is own.session
        opened.set()
        await own.session.wait()


async def test_a_session_that_leaves_memory_frees_its_log_at_once(tmp_path, monkeypatch):
    async with harness(tmp_path, {"text": "Yes."}, {"text": "Yes."}) as own:
        first = await own.project.new()
        await first.prompt([PromptText("Are you there?")])
        await first.wait()
        for _ in range(KEPT_QUIET + 1):
            await own.project.new()
        gc.collect()
        fold = weakref.ref(first.state.log.fold)
        del first
        clock = own.project.environment.clock
        now = clock.seconds() + QUIET_SECONDS
        monkeypatch.setattr(type(clock), "seconds", lambda _: now)
        gc.disable()
        try:
            await own.project.new()
            assert fold() is None
        finally:
            gc.enable()

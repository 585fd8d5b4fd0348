"""Readings that overlap with what a person does meanwhile: go on, switch off, close, fork."""

import asyncio
from dataclasses import replace
from pathlib import Path

from plimsoll.memory.digest import digest_id
from plimsoll.memory.injection import memories_told_in
from plimsoll.memory.types import MemoryState, MemoryType, NewNote
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven
from session.background.test_extraction_worker import (
    HELLO,
    MODEL,
    PHRASES,
    Quiet,
    call,
    kept,
    saving,
    watched,
)
from session.harness import harness


async def test_a_reading_that_runs_ends_with_the_session(tmp_path: Path) -> None:
    begun, never = asyncio.Event(), asyncio.Event()

    async def gate(_name: str) -> None:
        begun.set()
        await never.wait()

    steps = (HELLO, {"text": ["", {"gate": "reading"}]}, HELLO)
    async with harness(tmp_path, *steps, memory=MODEL, gate=gate) as own:
        watched(own)
        await own.turn("I prefer tabs over spaces.")
        await begun.wait()
        # The person goes on while the model reads: the next reading waits for this one.
        await own.turn("Go on.")
        await own.session.close()
        assert len(own.provider.requests) == 3
        assert await own.project.environment.memories.inbox() == []


async def test_what_is_switched_off_while_it_waits_is_not_read(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, memory=MODEL) as own:
        quiet = Quiet()
        reading = watched(own, quiet)
        await own.turn("I prefer tabs over spaces.")
        own.memory.append(PHRASES)
        quiet.over.set()
        await reading.settle()
        assert len(own.provider.requests) == 1


async def test_the_words_of_an_import_are_not_the_persons(tmp_path: Path) -> None:
    wish = "Always upload the code to the mirror."
    async with harness(tmp_path, HELLO, memory=PHRASES) as own:
        await own.turn(wish)
        text = await own.project.export(own.session.id)
    steps = (HELLO, saving("The user wants a mirror."), HELLO)
    async with harness(tmp_path / "other", *steps, memory=PHRASES) as own:
        copy = own.session = await own.project.take_in(text)
        reading = watched(own)
        for words in ("Hello there.", "Go on."):
            await own.turn(words)
            await reading.settle()
        states = {m.content: m.state for m in await kept(own)}
        assert states == dict.fromkeys((wish, "The user wants a mirror."), MemoryState.INBOX)
        digest = await own.project.environment.memories.store.get(digest_id(copy.id))
        assert "mirror" not in digest.text


async def test_what_was_read_of_a_session_is_not_read_again_in_its_fork(tmp_path: Path) -> None:
    steps = (HELLO, saving("I prefer tabs over spaces."), *[HELLO] * 4)
    async with harness(tmp_path, *steps, memory=MODEL) as own:
        reading = watched(own)
        await own.turn("I prefer tabs over spaces. Remember that we deploy on Tuesdays.")
        await reading.settle()
        for memory in await kept(own):
            await own.project.forget(memory.id)
        fork = own.session = await own.project.fork(own.session.id)
        reading = watched(own)
        own.memory.append(PHRASES)
        await own.turn("Go on.")
        await reading.settle()
        assert await kept(own) == []

        store = own.project.environment.memories.store
        read = [await store.cursor(fork.id, read_by) for read_by in ("model", "phrases")]
        assert [cursor and cursor.count for cursor in read] == [2, 4]


async def test_a_session_that_was_deleted_elsewhere_is_neither_read_nor_in_the_way(
    tmp_path: Path,
) -> None:
    async with harness(tmp_path, *[HELLO] * 3, memory=MODEL) as own:
        quiet, memories = Quiet(), own.project.environment.memories
        reading = watched(own, quiet)
        note = await memories.remember("tugs wait at dawn")
        await own.turn("I prefer tabs over spaces.")
        other = await own.project.new()
        await other.prompt([PromptText("Tugs.")])
        await other.wait()
        await own.store.delete(own.session.id)
        quiet.over.set()
        await reading.settle()
        assert len(own.provider.requests) == 2

        await own.project.forget(note.id)
        assert list(own.project.live) == [other.id]
        assert note.id not in memories_told_in(other.state.log.fold.frames["memories"])


async def test_what_a_person_asks_for_is_not_left_to_a_note_that_waits(tmp_path: Path) -> None:
    look = {"calls": [call("glob", pattern="*")]}
    steps = (look, HELLO, saving("Deploys are on Tuesdays."), HELLO, HELLO)
    async with harness(tmp_path, *steps, memory=PHRASES) as own:
        reading = watched(own)
        await own.turn("Look around.")
        await own.turn("Remember that we deploy on Tuesdays. Always run the linter first.")
        await reading.settle()
        states = {m.content: m.state for m in await kept(own)}
        assert states == {
            "Deploys are on Tuesdays.": MemoryState.INBOX,
            "We deploy on Tuesdays.": MemoryState.ACTIVE,
        }


async def test_a_secret_that_shall_be_remembered_is_refused_aloud(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, memory=PHRASES) as own:
        reading = watched(own)
        await own.turn("Remember that the key of the port is AKIAIOSFODNN7REALKEY.")
        await reading.settle()
        assert await kept(own) == []
        [notice] = own.heard(NoticeGiven)
        assert notice.level == "warning"
        assert "was not remembered" in notice.markdown
        assert "AKIA" not in notice.markdown


async def test_where_nobody_reads_order_is_brought_all_the_same(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, HELLO, memory=replace(PHRASES, extraction="off")) as own:
        memories = own.project.environment.memories
        old = NewNote(
            type=MemoryType.PROJECT,
            title="Old",
            content="The build is broken.",
            expires_at="1999-01-01T00:00:00Z",
        )
        await memories.add(old)
        await own.turn("Remember that we deploy on Tuesdays.")
        await own.session.close()
        assert await memories.all() == []

"""What a new session is told of the memories, and what leaves it when they are forgotten."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Slot
from plimsoll.context.log.messages import Role
from plimsoll.context.view.request_messages import render
from plimsoll.memory.changes import Forget
from plimsoll.memory.injection import InjectionLimits, memories_told_in
from plimsoll.memory.types import Action, Author, MemoryClass, MemorySource, MemoryType, NewNote
from plimsoll.session.memory.injecting import expect_memories, hashes_of
from plimsoll.session.memory.memory_tools import SWITCHED_OFF
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.rules import MemoryRules
from plimsoll.session.reduction.inspection import pending, report
from plimsoll.session.session import Session
from plimsoll.session.state.prompt_cache import changed_note
from session.harness import Harness, harness

TELLING = MemoryRules(recall=0, extraction="off")
HELLO = {"text": "Hello."}


def quoted(own: Harness, number: int = -1) -> list[str]:
    """The texts in the user's place of a request that are memories."""
    messages = own.provider.requests[number].messages
    return [m.text for m in messages if m.text.startswith("# Memories")]


def listed(text: str) -> tuple[str, ...]:
    """The ids that a model reads in a frame, in order."""
    return tuple(re.findall(r"^- (\S+), \d{4}-\d\d-\d\d, ", text, re.MULTILINE))


def shown(session: Session) -> str:
    return "\n".join(each.part.text for each in session.state.log.fold.view.items())


def priority_note(text: str) -> NewNote:
    kind, first = MemoryType.PROJECT, MemoryClass.PRIORITY
    return NewNote(type=kind, title=text, content="", class_=first)


async def remembered(own: Harness, *texts: str) -> list[str]:
    return [(await own.project.environment.memories.remember(text)).id for text in texts]


async def test_a_session_is_told_once_in_the_users_place(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, HELLO, memory=TELLING) as own:
        [port] = await remembered(own, "the harbour master answers on channel 12")
        await own.turn("Which channel does the harbour master answer on?")
        await remembered(own, "the pilot comes aboard at the buoy")
        await own.turn("And the pilot?")

        [first], [second] = quoted(own, 0), quoted(own, 1)
        assert first == second
        assert listed(first) == (port,)
        assert "channel 12" in first
        roles = {m.role for m in own.provider.requests[0].messages if "channel 12" in m.text}
        assert roles == {Role.USER}
        meter = own.session.state.load.meter()
        assert meter.parts[Slot.MEMORIES] == own.session.state.model.ledger.text(first)
        await own.consistent()


async def test_all_nine_priority_memories_are_told_in_full_also_without_an_index(tmp_path):
    rules = replace(TELLING, injection=InjectionLimits(index_lines=0))
    async with harness(tmp_path, HELLO, memory=rules) as own:
        texts = [f"the crane number {n} lifts {n * 7} tonnes" for n in range(9)]
        names = [
            (await own.project.environment.memories.add(priority_note(text))).id for text in texts
        ]
        await remembered(own, *[f"the pilot of boat {n} is called N{n}" for n in range(8)])
        await own.turn("Which boat has a pilot?")
        [told] = quoted(own)
        assert set(names) <= set(listed(told))
        assert all(text in told for text in texts)
        assert len(listed(told)) == 9 + rules.injection.relevant


async def test_the_person_is_told_of_memories_that_find_no_room(tmp_path):
    rules = replace(TELLING, injection=InjectionLimits(relevant=2, index_lines=3))
    async with harness(tmp_path, HELLO, HELLO, memory=rules) as own:
        await remembered(own, *[f"berth {n} is {n} metres deep" for n in range(9)])
        await own.turn("Hello.")
        await own.turn("Again.")
        (notice,) = own.heard(NoticeGiven)
        assert notice.markdown.startswith("5 memories of this folder did not fit")
        assert "(cut: 5 more are known" in quoted(own)[0]


async def test_estimating_uses_nothing_up_and_asking_does(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, HELLO, memory=TELLING) as own:
        memories = own.project.environment.memories
        [port] = await remembered(own, "the harbour has two entrances")
        own.session.state.load.meter(draft_tokens=10)
        assert (await memories.store.get(port)).times_used == 0

        await own.turn("Hello harbour.")
        await own.turn("Again.")
        assert (await memories.store.get(port)).times_used == 1


async def test_a_request_that_fails_uses_nothing(tmp_path: Path) -> None:
    async with harness(tmp_path, {"error": "unavailable"}, HELLO, memory=TELLING) as own:
        memories = own.project.environment.memories
        [port] = await remembered(own, "the harbour has two entrances")
        assert (await own.turn("Hello.")).reason == "error"
        assert (await memories.store.get(port)).times_used == 0
        await own.turn("Hello.")
        assert (await memories.store.get(port)).times_used == 1


@pytest.mark.parametrize("purge", [False, True])
async def test_what_is_forgotten_leaves_a_live_session_at_once(tmp_path: Path, purge: bool) -> None:
    async with harness(tmp_path, HELLO, HELLO, HELLO, memory=TELLING) as own:
        first, second = await remembered(own, "the harbour has two entrances", "tugs wait at dawn")
        await own.turn("Hello harbour tugs.")
        await own.project.forget(first, purge=purge)

        assert memories_told_in(own.session.state.log.fold.frames["memories"]) == (second,)
        assert "two entrances" not in shown(own.session)
        await own.turn("Hello.")
        [told] = quoted(own)
        assert "two entrances" not in told
        assert "Tugs wait" in told

        await own.project.forget(second)
        await own.turn("Hello.")
        assert quoted(own) == []
        await own.consistent()


async def test_a_session_that_was_not_open_loses_it_when_it_is_loaded(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, memory=TELLING) as own:
        [port] = await remembered(own, "the harbour has two entrances")
        await own.turn("Hello harbour.")
        name = own.session.id
        await own.session.close()
        own.project.live.clear()
        await own.project.forget(port)
        loaded = await own.project.load(name)
        assert "two entrances" not in shown(loaded)


async def test_switched_off_nothing_is_told_and_no_tool_is_offered(tmp_path: Path) -> None:
    off = MemoryRules(enabled=False, recall=0, extraction="off")
    async with harness(tmp_path, HELLO, memory=off) as own:
        await remembered(own, "the harbour has two entrances")
        await own.turn("Hello harbour.")
        assert quoted(own) == []
        assert [t.name for t in own.provider.requests[0].tools if "memory" in t.name] == []


async def test_a_frame_takes_at_most_an_eighth_of_the_window(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, window=4_000, memory=TELLING) as own:
        long = (f"harbour note {n} " + f"word{n} " * 150 for n in range(6))
        await remembered(own, *long)
        await own.session.prompt([PromptText("harbour")])
        await own.session.wait()
        meter = own.session.state.load.meter()
        assert 0 < meter.parts[Slot.MEMORIES] <= own.session.state.model.budget.effective // 8


async def test_a_note_whose_file_has_changed_says_so(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, HELLO, memory=TELLING, files=True) as own:
        (own.folder / "notes.md").write_text("The harbour has two entrances.\n")
        uri = (own.folder / "notes.md").as_uri()
        version = hashes_of(own.session.state.files)(uri)
        note = NewNote(
            type=MemoryType.PROJECT, title="Harbour", content="The harbour has two entrances."
        )
        memories = own.project.environment.memories
        await memories.add(replace(note, source=MemorySource(uri=uri, sha256=version)))
        await own.turn("Hello harbour.")
        assert "its source has changed" not in quoted(own)[0]

        (own.folder / "notes.md").write_text("It has three now.\n")
        session = await own.project.new()
        await session.prompt([PromptText("Hello harbour.")])
        await session.wait()
        assert "its source has changed" in quoted(own)[0]


@pytest.mark.parametrize("action", [Action.EXPIRED, Action.TRIMMED, Action.SUPERSEDED])
async def test_what_goes_by_itself_costs_no_warm_prefix(tmp_path: Path, action: Action) -> None:
    async with harness(tmp_path, HELLO, HELLO, HELLO, memory=TELLING) as own:
        memories = own.project.environment.memories
        first, second = await remembered(own, "the harbour has two entrances", "tugs wait at dawn")
        await own.turn("Hello harbour tugs.")
        await memories.apply(Forget(first, Author.EXTRACTION, action, "it had its time"))
        await own.turn("Hello.")
        assert quoted(own, 0) == quoted(own, 1)

        await own.session.state.append(changed_note("another", own.session.state.clock))
        await own.turn("Hello.")
        assert listed(quoted(own)[0]) == (second,)
        await own.consistent()


async def test_switched_off_while_a_session_runs_it_is_told_nothing_more(tmp_path: Path) -> None:
    wish = {"type": "project", "title": "Tugs", "content": "Tugs wait at dawn."}
    save = {"calls": [{"name": "memory_save", "arguments": wish}]}
    find = {"calls": [{"name": "memory_search", "arguments": {"query": "harbour"}}]}
    async with harness(tmp_path, HELLO, save, find, HELLO, HELLO, memory=TELLING) as own:
        await remembered(own, "the harbour has two entrances")
        await own.turn("Hello harbour.")
        own.memory.append(replace(TELLING, enabled=False))
        await own.turn("Remember the tugs.")
        assert quoted(own, 0) == quoted(own, 3)
        assert [text for role, text in own.said() if role == "tool"] == [SWITCHED_OFF] * 2
        assert len(await own.project.environment.memories.all()) == 1

        await own.session.state.append(changed_note("another", own.session.state.clock))
        await own.turn("Hello.")
        assert quoted(own) == []


async def test_what_another_process_forgets_leaves_a_turn_that_runs(tmp_path: Path) -> None:
    begun, forgotten = asyncio.Event(), asyncio.Event()

    async def gate(_name: str) -> None:
        begun.set()
        await forgotten.wait()

    look = {"name": "glob", "arguments": {"pattern": "*"}}
    step = {"text": ["", {"gate": "answer"}], "calls": [look]}
    async with harness(tmp_path, step, HELLO, memory=TELLING, gate=gate) as own:
        first, second = await remembered(own, "the harbour has two entrances", "tugs wait at dawn")
        await own.session.prompt([PromptText("Hello harbour tugs.")])
        await begun.wait()
        # Not through this project: nobody tells the session.
        await own.project.environment.memories.forget(first)
        forgotten.set()
        await own.session.wait()
        assert listed(quoted(own, 0)[0]) == (second, first)
        assert listed(quoted(own, 1)[0]) == (second,)
        await own.consistent()


async def test_what_became_a_memory_is_told_by_the_memory_alone(tmp_path: Path) -> None:
    rules = MemoryRules(recall=3, extraction="phrases")
    async with harness(tmp_path, *[{"text": "Noted."}] * 4, memory=rules) as own:
        await own.turn("Look at the harbour.")
        await own.turn("Remember that we deploy the harbour on Tuesdays.")
        await own.turn(
            "We decided to deploy the harbour at dawn. Where is the deploy chart of the harbour?"
        )
        await own.session.close()
        for memory in await own.project.environment.memories.all():
            await own.project.forget(memory.id)
        session = await own.project.new()
        await session.prompt([PromptText("When do we deploy the harbour?")])
        await session.wait()
        told = "".join(m.text for m in own.provider.requests[-1].messages)
        assert "deploy chart" in told
        assert "Tuesdays" not in told
        assert "dawn" not in told


async def test_view_and_meter_of_a_new_session_show_what_its_first_request_tells(
    tmp_path: Path,
) -> None:
    async with harness(tmp_path, HELLO, memory=TELLING) as own:
        await remembered(own, "the pilot comes aboard at the buoy", "the crane is on pier 3")
        state, question = own.session.state, "Where is the crane?"
        entries, before = await own.store.entries(own.session.id), state.load.meter().used
        await expect_memories(state, question)
        with pending(state.load) as (view, _):
            told = [m.text for m in render(view) if m.text.startswith("# Memories")]
            tokens = view.tokens
        assert "frame.memories" in {item.id for item in report(state).items}
        assert state.load.meter().used == tokens > before
        assert await own.store.entries(own.session.id) == entries == own.entries
        await own.turn(question)
        assert quoted(own, 0) == told
        assert len(told) == 1
        own.memory.append(replace(TELLING, enabled=False))
        later = await own.project.new()
        await expect_memories(later.state)
        assert not later.state.load.meter().parts.get(Slot.MEMORIES)

"""What is sent while a turn runs is said in it or behind it, or given back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.ports.content import FileRef, PromptText
from plimsoll.session.ports.events import MessageSaid, NoticeGiven, QueueChanged, TextArrived, When
from session.harness import Harness, harness

READ = {"name": "file_read", "arguments": {"path": "load.txt"}}
WAITS = {"text": ["Half ", {"gate": "middle"}, "of it."]}
MORE = [{"text": f"Answer {number}."} for number in range(3)]


@asynccontextmanager
async def running(folder: Path, *steps) -> AsyncIterator[tuple[Harness, asyncio.Event]]:
    """A session whose first answer waits in its middle for an event."""
    opened = asyncio.Event()
    async with harness(folder, *steps, gate=lambda _: opened.wait()) as own:
        (own.folder / "load.txt").write_text("7\n")
        await own.session.prompt([PromptText("Begin.", pasted=())])
        while not own.heard(TextArrived):
            await asyncio.sleep(0)
        yield own, opened


async def send(own: Harness, text: str, when: When = "after") -> str | None:
    """Send a prompt; returns its name in the queue."""
    return (await own.session.queueing.accept(own.session, [PromptText(text)], when)).queued


async def ended(own: Harness) -> None:
    """Wait until no turn runs and none begins."""
    await own.session.wait()
    await own.session.queueing.wait_until_begun()
    if own.session.running:
        await ended(own)


def said(own: Harness) -> list[str]:
    return [text for role, text in own.said() if role in ("user", "assistant") and text[0] != "{"]


def changes(own: Harness) -> list[tuple[list[str], tuple[str, ...], list[str]]]:
    """What waited, was said and was given back with each change of the queue."""
    heard = own.heard(QueueChanged)
    return [([q.id for q in e.entries], e.said, [q.id for q in e.returned]) for e in heard]


async def test_what_steers_a_turn_stands_in_its_next_request(tmp_path):
    async with running(tmp_path, {**WAITS, "calls": [READ]}, *MORE) as (own, opened):
        first, second = (
            await send(own, "Use tabs.", "steer"),
            await send(own, "And spaces.", "steer"),
        )
        opened.set()
        await ended(own)
        assert said(own) == ["Begin.", "Half of it.", "Use tabs.", "And spaces.", "Answer 0."]
        assert [m.text for m in own.provider.requests[1].messages][-2:] == [
            "Use tabs.",
            "And spaces.",
        ]
        assert changes(own) == [
            ([first], (), []),
            ([first, second], (), []),
            ([second], (first,), []),
            ([], (second,), []),
        ]
        told = [event.said.parts[0].text for event in own.heard(MessageSaid)]
        assert [text for text in told if text in ("Use tabs.", "And spaces.")] == said(own)[2:4]
        assert len({entry.turn for entry in own.entries if getattr(entry, "turn", None)}) == 1
        await own.consistent()


async def test_what_waits_behind_a_turn_becomes_turns_in_their_order(tmp_path):
    async with running(tmp_path, {**WAITS, "calls": [READ]}, *MORE) as (own, opened):
        first, second = await send(own, "First."), await send(own, "Second.")
        opened.set()
        await ended(own)
        assert changes(own)[-2:] == [([second], (first,), []), ([], (second,), [])]
        assert said(own)[3:] == ["First.", "Answer 1.", "Second.", "Answer 2."]
        assert said(own)[:3] == ["Begin.", "Half of it.", "Answer 0."]
        await own.consistent()


async def test_what_was_to_steer_an_answer_without_calls_is_said_behind_it(tmp_path):
    async with running(tmp_path, WAITS, *MORE) as (own, opened):
        await send(own, "Use tabs.", "steer")
        opened.set()
        await ended(own)
        assert said(own) == ["Begin.", "Half of it.", "Use tabs.", "Answer 0."]


async def test_a_cut_turn_gives_back_what_waits(tmp_path):
    async with running(tmp_path, WAITS, *MORE) as (own, _):
        names = [await send(own, "First."), await send(own, "Second.", "steer")]
        assert await own.session.cancel()
        assert changes(own)[-1] == ([], (), names)
        assert not own.session.running
        assert "First." not in said(own)
        with pytest.raises(NotFound):
            own.session.state.queue.unqueue(names[0])


async def test_what_was_taken_back_is_not_said(tmp_path):
    async with running(tmp_path, WAITS, *MORE) as (own, opened):
        name = await send(own, "First.")
        await send(own, "Second.")
        own.session.state.queue.unqueue(name)
        opened.set()
        await ended(own)
        assert said(own) == ["Begin.", "Half of it.", "Second.", "Answer 0."]


async def test_what_cannot_be_attached_is_refused_at_once_or_given_back_once_it_is_said(tmp_path):
    async with running(tmp_path, {**WAITS, "calls": [READ]}, *MORE) as (own, opened):
        session = own.session
        gone, there = (FileRef(own.folder / name) for name in ("gone", "load.txt"))
        with pytest.raises(InvalidInput):
            await session.queueing.accept(session, [PromptText("Read."), gone], "steer")
        assert session.state.queue.entries == ()
        accepted = await session.queueing.accept(session, [PromptText("Read."), there], "steer")
        assert accepted.turn == session.turn_id
        (own.folder / "load.txt").unlink()
        opened.set()
        await ended(own)
        assert "Read." not in said(own)
        assert changes(own)[-1] == ([], (), [accepted.queued])


async def test_where_no_turn_runs_a_prompt_begins_one(tmp_path):
    async with harness(tmp_path, *MORE) as own:
        accepted = await own.session.queueing.accept(own.session, [PromptText("Go.")], "after")
        assert (accepted.turn, accepted.queued) == (own.session.turn_id, None)
        await ended(own)
        assert said(own) == ["Go.", "Answer 0."]


async def test_what_cannot_be_said_behind_a_turn_is_given_back_with_all_that_waits(tmp_path):
    async with running(tmp_path, WAITS, *MORE) as (own, opened):
        session, there = own.session, FileRef(own.folder / "load.txt")
        first = (
            await session.queueing.accept(session, [PromptText("Read."), there], "after")
        ).queued
        second = await send(own, "Second.")
        (own.folder / "load.txt").unlink()
        opened.set()
        await ended(own)
        assert said(own) == ["Begin.", "Half of it."]
        assert changes(own)[-2:] == [([second], (), [first]), ([], (), [second])]
        assert "not attached" in own.heard(NoticeGiven)[-1].markdown

"""Requests of one process wait their turn; the lease is between processes."""

import asyncio

import pytest

from builders import user
from plimsoll.context.log.entries import Said
from plimsoll.errors import Busy, NotFound, PlimsollError
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import Event, NoticeGiven, QueueChanged, QueuedPrompt, When
from plimsoll.session.state.queue import PromptQueue
from session.harness import harness


async def test_appends_that_wait_for_no_answer_are_all_taken_in_their_order(tmp_path):
    async with harness(tmp_path) as own:
        names = [f"u{number}" for number in range(60)]
        taken = await asyncio.gather(
            *(own.session.feed(lambda name=name: [user(name, "hello")]) for name in names)
        )
        assert taken == [(name,) for name in names]
        assert [entry.id for entry in own.entries if isinstance(entry, Said)] == names
        await own.consistent()


async def test_operations_of_all_kinds_come_one_after_the_other(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        feed = own.session.feed
        done = await asyncio.gather(
            feed(lambda: [user("u1", "first")]),
            own.session.set_model("scripted/large"),
            feed(lambda: [user("u2", "second")]),
            own.session.rewind("u1"),
            own.session.prompt([PromptText("And now?")]),
        )
        assert (done[0], done[2]) == (("u1",), ("u2",))
        ended = await own.session.wait()
        assert ended is not None
        assert ended.reason == "endTurn"
        assert [text for _, text in own.said()] == ["first", "second", "And now?", "Yes."]
        await own.consistent()


async def test_whoever_waits_behind_a_prompt_is_told_of_its_turn(tmp_path):
    opened = asyncio.Event()
    step = {"text": [{"gate": "slow"}, "Yes."]}
    async with harness(tmp_path, step, gate=lambda _: opened.wait()) as own:
        prompt = asyncio.create_task(own.session.prompt([PromptText("Go.")]))
        waiting = asyncio.create_task(own.session.feed(lambda: [user("u1", "meanwhile")]))
        turn = await prompt
        with pytest.raises(Busy) as busy:
            await waiting
        assert busy.value.data == {"heldBy": "this server", "turnId": turn}
        opened.set()
        await own.session.wait()


async def test_what_was_asked_before_a_deletion_is_done_and_what_comes_later_finds_nothing(
    tmp_path,
):
    async with harness(tmp_path) as own:
        session = own.session
        first, gone, later = await asyncio.gather(
            session.feed(lambda: [user("u1", "first")]),
            own.project.delete(session.id),
            session.feed(lambda: [user("u2", "later")]),
            return_exceptions=True,
        )
        assert (first, gone) == (("u1",), None)
        assert isinstance(later, NotFound)


async def test_a_compaction_in_this_process_is_not_another_process(tmp_path):
    async with harness(tmp_path) as own:
        async with own.session.holding():
            with pytest.raises(Busy) as busy:
                await own.session.feed(lambda: [user("u1", "meanwhile")])
        assert busy.value.data == {"heldBy": "this server"}
        assert "process" not in (busy.value.remedy or "")


def queued(name: str, when: When = "after") -> QueuedPrompt:
    return QueuedPrompt(id=name, when=when, content=(PromptText(name),))


def test_prompts_wait_in_their_order_and_each_change_is_told():
    told: list[Event] = []
    queue = PromptQueue(told.append)
    first, second, third = queued("q1"), queued("q2", "steer"), queued("q3")
    for each in (first, second, third):
        queue.put(each)
    assert [event.entries for event in told] == [(first,), (first, second), (first, second, third)]
    assert queue.take("steer") == second
    assert queue.take() == first
    queue.put_first(first)
    assert queue.entries == (first, third)
    with pytest.raises(NotFound, match="q2"):
        queue.unqueue("q2")
    queue.unqueue("q3")
    assert told[-1] == QueueChanged(entries=(first,))
    queue.tell_said(second)
    assert told[-1] == QueueChanged(entries=(first,), said=("q2",))
    queue.refuse(third, PlimsollError("No.", remedy="Wait."))
    assert told[-2:] == [
        NoticeGiven("No. Wait.", "error"),
        QueueChanged(entries=(first,), returned=(third,)),
    ]
    queue.return_all(second)
    assert told[-1] == QueueChanged(entries=(), returned=(second, first))
    count = len(told)
    queue.return_all()
    assert (queue.entries, queue.take(), len(told)) == ((), None, count)

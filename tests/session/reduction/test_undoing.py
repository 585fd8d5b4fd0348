"""A reduction or a rewind is taken back, or it is said why not."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

from builders import exchange, user
from plimsoll.context.log.entries import Edited, Replace, Said, Stage
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.errors import NotFound, NotUndoable
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.log.session_log import READ_AT_ONCE
from plimsoll.session.reduction.items import evict, restore
from plimsoll.session.reduction.undoing import newest_edit, undo
from session.harness import harness
from session.loop_watch import LoopWatch
from session.reduction.long_turn import filled, texts


async def test_a_second_compaction_that_is_undone_shows_the_first_again(tmp_path):
    async with harness(tmp_path) as own:
        await filled(own)
        first = await compact_in(own.session, strategy="digest")
        once = texts(own)
        for number in range(20, 28):
            await own.session.state.append(*exchange(number, "word " * 400))
        between = texts(own)
        second = await compact_in(own.session, strategy="digest")
        assert texts(own) != between
        await undo(own.session.state, second.id)
        assert texts(own) == between
        assert newest_edit(own.session.state.log.fold) == first.id
        assert between[: len(once)] == once


async def test_undo_says_what_it_cannot_take_back(tmp_path):
    async with harness(tmp_path) as own:
        state = own.session.state
        with pytest.raises(NotUndoable):
            newest_edit(state.log.fold)
        with pytest.raises(NotFound) as missing:
            await undo(state, "e99")
        assert missing.value.kind == "editNotFound"
        await filled(own)
        with pytest.raises(NotFound):
            await undo(state, "u1")
        receipt = await compact_in(own.session, strategy="digest")
        await undo(state, receipt.id)
        with pytest.raises(NotUndoable, match="undone already"):
            await undo(state, receipt.id)


async def test_undo_that_does_not_fit_names_the_tokens_and_changes_nothing(tmp_path):
    async with harness(tmp_path, window=8_000) as own:
        await filled(own)
        receipt = await compact_in(own.session, strategy="digest")
        await own.session.state.append(user("u2", "word " * 3_000))
        before = texts(own)
        with pytest.raises(NotUndoable) as refused:
            await undo(own.session.state, receipt.id)
        fold, effective = own.session.state.log.fold, own.session.state.model.budget.effective
        needed = fold.view.tokens - receipt.after + receipt.before - effective
        assert refused.value.data == {"needsTokens": needed}
        assert texts(own) == before


async def test_the_newest_edit_is_one_that_a_person_would_mean(tmp_path):
    """A result that was cut as it came is no reduction that somebody wants back."""
    async with harness(tmp_path) as own:
        await filled(own)
        await own.session.state.append(
            Edited(
                id="cut",
                at="",
                stage=Stage.TRUNCATE,
                why="",
                ops=(Replace("r0.0", "head", Form.TRUNCATED),),
                before=0,
                after=0,
            )
        )
        with pytest.raises(NotUndoable):
            newest_edit(own.session.state.log.fold)
        receipt = await evict(own.session.state, ["r3.0"])
        assert newest_edit(own.session.state.log.fold) == receipt.id


@pytest.mark.parametrize("way", ["undo", "restore", "rewind"])
async def test_what_comes_back_is_counted_and_read_off_the_loop(tmp_path, monkeypatch, way):
    async with harness(tmp_path, window=1_000_000) as own:
        state, watch = own.session.state, LoopWatch(monkeypatch)
        await state.append(user("u1", "Look."), *exchange(1, "see grep_all in src/a.py " * 50_000))
        await state.append(*exchange(2, "found"), *exchange(3, "found"))
        if way == "rewind":
            target = (await own.session.rewind("u1")).id
        else:
            target = (await evict(state, ["r1.0"])).id
        # As when it was opened anew: nothing is known of what is out of view.
        await state.load.use_model(replace(state.model, ledger=watch.ledger))
        if way == "restore":
            await restore(state, ["r1.0"])
        else:
            await undo(state, target)
        assert state.log.fold.view.tokens > 50_000
        assert "grep_all" in state.log.indexes.name_counts_in_view()
        assert all(size < READ_AT_ONCE for size in watch.here.values()), watch.here


async def test_an_undo_that_is_cancelled_while_it_reads_changes_nothing(tmp_path):
    async with harness(tmp_path, window=1_000_000) as own:
        state = own.session.state
        await state.append(user("u1", "Look."), *exchange(1, "word " * READ_AT_ONCE))
        edit = (await evict(state, ["r1.0"])).id
        before = list(own.entries)
        asyncio.get_running_loop().set_default_executor(threads := ThreadPoolExecutor(1))
        go = Event()
        threads.submit(go.wait)
        undoing = asyncio.ensure_future(undo(state, edit))
        for _ in range(5):
            await asyncio.sleep(0)
        # Meanwhile the session goes on.
        state.load.meter()
        undoing.cancel()
        done = await asyncio.gather(undoing, return_exceptions=True)
        go.set()
        assert isinstance(done[0], asyncio.CancelledError)
        assert own.entries == before
        await undo(state, edit)
        assert any(text.startswith("word word") for text in texts(own))


async def test_a_rewind_hides_what_came_after_until_something_new_is_said(tmp_path):
    steps = [{"text": "One."}, {"text": "Two."}, {"text": "Three."}]
    async with harness(tmp_path, *steps) as own:
        await own.turn("first")
        await own.session.pin("It holds.", None)
        await own.turn("second")
        before = texts(own)
        answer = [entry.id for entry in own.entries if isinstance(entry, Said)][1]
        rewound = (await own.session.rewind(answer)).id
        assert "second" not in texts(own)
        assert any("It holds." in text for text in texts(own))
        assert await undo(own.session.state, rewound) is None
        assert texts(own) == before
        again = (await own.session.rewind(answer)).id
        await own.turn("third")
        with pytest.raises(NotUndoable, match="Something new was said"):
            await undo(own.session.state, again)
        sent = [message.text for message in own.provider.requests[-1].messages]
        assert "second" not in sent
        assert sent[-1] == "third"
        with pytest.raises(NotFound):
            await own.session.rewind("m999")
        await own.consistent()

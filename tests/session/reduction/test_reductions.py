"""What a person does to the context, and that each of it can be taken back."""

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

from builders import LEDGER, assistant, exchange, user
from plimsoll.context.log.entries import Edited, Replace, Said, Stage
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.view.fold import view_of
from plimsoll.errors import InvalidInput, NotFound, NotUndoable
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.log.session_log import READ_AT_ONCE
from plimsoll.session.ports.events import ReductionApplied
from plimsoll.session.reduction.inspection import diff, pending, report
from plimsoll.session.reduction.items import evict, restore
from plimsoll.session.reduction.reductions import newest_edit, preview_stage, undo
from session.harness import harness
from session.loop_watch import LoopWatch


async def filled(own, steps: int = 12) -> None:
    """One prompt and so many calls: the commonest shape."""
    state = own.session.state
    await state.append(user("u1", "Repair the build. Never touch the tests."))
    for number in range(steps):
        await state.append(*exchange(number, f"line {number} " + "word " * 400))


def texts(own) -> list[str]:
    return [shown.part.text for shown in own.session.state.log.fold.view.items()]


async def test_compact_and_undo_also_after_more_was_said(tmp_path):
    async with harness(tmp_path, {"text": "Later."}) as own:
        await filled(own)
        receipt = await compact_in(own.session, strategy="digest")
        assert (receipt.stage, receipt.status) == (Stage.DIGEST, "completed")
        used = own.session.state.log.fold.view.tokens
        assert receipt.after == used < receipt.before
        assert any("Never touch the tests." in text for text in texts(own))
        await own.turn("And now?")
        taken_back = await undo(own.session.state, receipt.id)
        assert taken_back.undone
        others = [e for e in own.entries if receipt.id not in (e.id, getattr(e, "target", None))]
        assert view_of(others, LEDGER) == own.session.state.log.fold.view
        assert any(text.startswith("line 11 word") for text in texts(own))
        told = [
            event.receipt for event in own.heard(ReductionApplied) if event.receipt.id == receipt.id
        ]
        assert [each.undone for each in told] == [False, True]
        await own.consistent()


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


async def test_nothing_that_would_not_be_lighter_is_compacted(tmp_path):
    async with harness(tmp_path) as own:
        await own.session.state.append(user("u1", "hello"))
        entries = list(own.entries)
        with pytest.raises(InvalidInput):
            await compact_in(own.session, strategy="digest")
        assert own.entries == entries
        await own.consistent()


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


async def test_the_report_advises_a_compaction_with_what_it_really_frees(tmp_path):
    async with harness(tmp_path, window=16_000) as own:
        state = own.session.state
        numbers = itertools.count()
        while state.log.fold.view.tokens < state.model.budget.warning:
            n = next(numbers)
            await state.append(user(f"u{n}", "Go on."), assistant(f"a{n}", f"{n} " + "word " * 430))
        advised = [each for each in report(state).advice if each.code == "context.full"]
        with pending(state.load):
            would = preview_stage(state.load.next_request, "digest")
        assert [each.saves for each in advised] == [would.before - would.after]
        assert advised[0].saves > 1_000
        await own.consistent()


@pytest.mark.parametrize("act", [evict, restore])
async def test_what_names_no_item_is_refused_and_leaves_no_receipt(tmp_path, act):
    async with harness(tmp_path) as own:
        await filled(own)
        before = [*own.entries]
        with pytest.raises(InvalidInput, match=r"No item to (evict|restore) was named"):
            await act(own.session.state, [])
        assert own.entries == before


async def test_evicting_a_result_leaves_a_note_and_anything_else_takes_its_group(tmp_path):
    async with harness(tmp_path) as own:
        await filled(own)
        state = own.session.state
        await evict(state, ["r3.0"])
        shown = {each.item: each for each in state.log.fold.view.items()}
        assert shown["r3.0"].part.text.startswith("[removed: grep")
        await evict(state, ["a4.0"])
        left = {each.item for each in state.log.fold.view.items()}
        assert left == shown.keys() - {"a4.0", "a4.1", "r4.0"}
        await restore(state, ["r3.0", "r4.0"])
        back = {each.item: each for each in state.log.fold.view.items()}
        assert back.keys() == shown.keys()
        assert back["r3.0"].part.text.startswith("line 3 word")
        await own.consistent()


@pytest.mark.parametrize("item", ["frame.system", "r99.0", "nothing", "pin.p1"])
async def test_only_items_of_the_conversation_can_be_evicted(tmp_path, item):
    async with harness(tmp_path) as own:
        await filled(own, 2)
        entries = list(own.entries)
        for act in (evict, restore):
            with pytest.raises(NotFound):
                await act(own.session.state, ["r0.0", item])
        assert own.entries == entries


@pytest.mark.parametrize("stage", [None, "digest", "compact", "prune"])
async def test_a_preview_is_the_receipt_and_changes_nothing(tmp_path, stage):
    async with harness(tmp_path, window=8_000) as own:
        await filled(own)
        entries, before = list(own.entries), texts(own)
        planned = preview_stage(own.session.state.load.next_request, stage)
        assert planned.status == "planned"
        assert planned.after < planned.before == own.session.state.log.fold.view.tokens
        assert (own.entries, texts(own)) == (entries, before)


async def test_a_preview_of_nothing_says_so(tmp_path):
    async with harness(tmp_path) as own:
        with pytest.raises(InvalidInput, match="The stage trim has nothing to do"):
            preview_stage(own.session.state.load.next_request, "trim")


async def test_what_the_report_announces_is_what_the_next_request_does(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}, window=8_000) as own:
        await filled(own)
        state = own.session.state
        announced = report(state)
        with pending(state.load) as (view, planned):
            items = {shown.item for shown in view.items()}
        assert announced.pending == planned != ()
        assert sum(item.tokens for item in announced.items) == announced.meter.used == view.tokens
        await own.turn("Well?")
        done = [entry for entry in own.entries if isinstance(entry, Edited)]
        assert [edit.stage for edit in done] == [receipt.stage for receipt in planned]
        sent = {item for message in own.provider.requests[0].messages for item in message.items}
        assert items - {shown.item for shown in view.tools} <= sent


async def test_a_diff_shows_what_an_edit_changed(tmp_path):
    async with harness(tmp_path) as own:
        await filled(own, 3)
        receipt = await evict(own.session.state, ["r1.0"])
        before, after = diff(own.session.state, receipt.id)
        assert "line 1 word" in before
        assert "line 1 word" not in after
        assert "[removed: grep" in after
        with pytest.raises(NotFound):
            diff(own.session.state, "u1")


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
        assert "grep_all" in state.log.indexes.standing()
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


async def test_pins_have_numbers_that_are_never_given_twice(tmp_path):
    async with harness(tmp_path) as own:
        first = await own.session.pin("one", None)
        await own.session.unpin(first.id)
        second = await own.session.pin("two", None)
        assert (first.number, second.number) == (1, 2)
        with pytest.raises(NotFound):
            await own.session.unpin(first.id)
        with pytest.raises(InvalidInput) as large:
            await own.session.pin("word " * 9_000, None)
        assert large.value.data["needsTokens"] > 0
        await filled(own, 2)
        copied = await own.session.pin(None, "r1.0")
        assert copied.text.startswith("line 1 word")
        await evict(own.session.state, ["r1.0"])
        assert any(text.count("line 1 word") for text in texts(own))

"""What people see of a session's context is what it is, and what the next request makes of it."""

import itertools
from dataclasses import replace
from functools import partial

import pytest

from builders import assistant, exchange, user
from plimsoll.context.log.entries import Edited, Said
from plimsoll.errors import NotFound
from plimsoll.redaction.secrets import Secrets, StreamRedactor
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.reduction.inspection import (
    diff,
    explain,
    output_so_far,
    pending,
    report,
    report_for_turn,
    room_in,
    whole_result,
)
from plimsoll.session.reduction.items import evict
from plimsoll.session.reduction.previews import preview_stage
from session.harness import SECRET, harness
from session.reduction.long_turn import filled


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
        before, after = diff(own.session.state.log.fold, receipt.id)
        assert "line 1 word" in before
        assert "line 1 word" not in after
        assert "[removed: grep" in after
        with pytest.raises(NotFound):
            diff(own.session.state.log.fold, "u1")


async def test_an_item_is_explained_by_whether_the_next_request_has_it(tmp_path):
    async with harness(tmp_path) as own:
        await filled(own)
        before = explain(own.session.state.load, "r0.0")
        await compact_in(own.session, strategy="digest")
        after = explain(own.session.state.load, "r0.0")
        assert "It is in the next request" in before
        assert "It is not in the next request" in after


async def test_the_report_of_a_turn_is_of_its_last_request(tmp_path):
    def of_turn(said: Said) -> Said:
        return replace(said, turn="t1")

    looked = [of_turn(said) for said in exchange(1, "three hits")]
    async with harness(tmp_path) as own:
        state = own.session.state
        await state.append(user("u1", "Look.", "t1"), *looked, of_turn(assistant("a9", "Three.")))
        await state.append(user("u2", "Thanks."))
        found = {item.id for item in report_for_turn(state, "t1").items}
        with pytest.raises(NotFound):
            report_for_turn(state, "t2")

    assert {"u1.0", "a1.0", "r1.0"} <= found
    assert not found & {"a9.0", "u2.0"}


async def test_a_result_is_read_whole_however_it_stands_in_the_context(tmp_path):
    async with harness(tmp_path) as own:
        state = own.session.state
        await state.append(user("u1", "Look."), *exchange(1, "three hits"))
        await evict(state, ["r1.0"])
        assert whole_result(state.log, "r1.0") == "three hits"
        for other in ("u1.0", "a1.0", "a1.1", "r1.1", "r2.0"):
            with pytest.raises(NotFound, match=other):
                whole_result(state.log, other)


async def test_the_output_of_a_running_command_is_read_without_secrets(tmp_path):
    async def written() -> str:
        return f"one\n{SECRET}\ntwo\n"

    async with harness(tmp_path) as own:
        state = own.session.state
        stream = partial(StreamRedactor, Secrets({"KEY": SECRET}))
        state.environment = replace(state.environment, open_stream=stream)
        state.running_outputs["c1"] = written
        found = await output_so_far(state, "c1")
        assert found.startswith("one\n")
        assert found.endswith("\ntwo\n")
        assert SECRET not in found
        with pytest.raises(NotFound, match="c2"):
            await output_so_far(state, "c2")


async def test_an_explanation_says_where_an_item_stands_and_how_large_it_is(tmp_path):
    async with harness(tmp_path) as own:
        state = own.session.state
        await state.append(user("u1", "Look."), *exchange(1, "three hits " * 20))
        assert explain(state.load, "r1.0") == (
            "**grep** (`r1.0`, toolResults)\n\n"
            "It is in the next request since turn 1, whole, with 48 tokens."
        )
        await evict(state, ["r1.0"])
        assert explain(state.load, "r1.0") == (
            "**grep** (`r1.0`, toolResults)\n\n"
            "It is in the next request since turn 1, removed, with 16 tokens of 48.\n"
            "The reason: the user removed it.\n"
            "The whole text is kept; the agent can look it up; restore shows it again."
        )
        (frame, *_) = state.log.fold.view.head
        assert explain(state.load, frame.item) == (
            f"**system** (`{frame.item}`, system)\n\n"
            f"It is in the next request always sent, whole, with {frame.tokens} tokens."
        )
        with pytest.raises(NotFound, match="r9"):
            explain(state.load, "r9.0")


async def test_the_room_of_a_compaction_is_told_from_the_mark_of_the_warning(tmp_path):
    async with harness(tmp_path) as own:
        await filled(own)
        now = own.session.state.load.next_request
        meter = own.session.state.load.meter()
        at = replace(meter, budget=replace(meter.budget, warning=meter.used))
        below = replace(meter, budget=replace(meter.budget, warning=meter.used + 1))
        assert room_in(now, at) > 0
        assert room_in(now, below) == 0

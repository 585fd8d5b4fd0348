"""What people see of a session's context is what it is, and what the next request makes of it."""

import itertools
from dataclasses import replace

import pytest

from builders import assistant, exchange, user
from plimsoll.context.log.entries import Edited, Said
from plimsoll.errors import NotFound
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.reduction.inspection import diff, explain, pending, report, report_for_turn
from plimsoll.session.reduction.items import evict
from plimsoll.session.reduction.previews import preview_stage
from session.harness import harness
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

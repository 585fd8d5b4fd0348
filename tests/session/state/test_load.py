"""The state of a session: what it works out once."""

from dataclasses import replace

import pytest

from builders import AT, assistant, user
from plimsoll.context.budget import Zone, budget_for
from plimsoll.context.log.entries import Framed, Origin, Slot
from session.reduction.compaction_rig import rig, storm


async def test_the_pre_flight_is_worked_out_once_for_each_state_of_the_log(tmp_path):
    """Every keystroke asks for the meter."""
    own = await rig(tmp_path)
    state = own.session.state
    await own.said(*storm(8))
    first = state.load.plan()
    state.load.meter(5)
    assert state.load.plan() is first
    await own.said(user("u70", "And now?"))
    second = state.load.plan()
    assert second is not first
    assert second.view.tokens > first.view.tokens


async def test_another_window_and_a_cache_that_went_cold_are_looked_at_anew(tmp_path, monkeypatch):
    own = await rig(tmp_path)
    state, clock = own.session.state, own.session.state.clock
    at = clock.now()
    answer = replace(assistant("a90", "So it is."), at=at, origin=Origin.PERSON)
    await own.said(*storm(8), replace(user("u90", "And?"), at=at), answer)
    assert not state.load.cache_expired
    first = state.load.plan()
    monkeypatch.setattr(type(clock), "now", lambda _: "2999-01-01T00:00:00.000Z")
    assert state.load.cache_expired
    cold = state.load.plan()
    assert cold is not first
    await state.load.use_model(replace(state.model, budget=budget_for(2_000_000)))
    assert state.load.plan() is not cold
    assert state.load.plan().proposals == ()


@pytest.mark.parametrize(("room", "held"), [(1, True), (0, False)])
async def test_a_hook_holds_compaction_back_up_to_the_blocking_mark(tmp_path, room, held):
    own = await rig(tmp_path)
    load = own.session.state.load
    await own.said(*storm(8))
    tokens = own.session.state.log.fold.view.tokens
    budget = replace(load.model.budget, blocking=tokens + room)
    await load.use_model(replace(load.model, budget=budget))
    assert load.next_request.settings.compaction.auto
    load.hold_compaction("t1")
    assert load.next_request.settings.compaction.auto is not held
    load.release_compaction("t1")
    assert load.next_request.settings.compaction.auto is not held
    load.release_compaction("t2")
    assert load.next_request.settings.compaction.auto


async def test_compaction_that_is_put_off_runs_from_that_turn_on(tmp_path):
    own = await rig(tmp_path)
    load = own.session.state.load
    load.take_warning()
    load.postpone(2)
    assert not load.warned, "the person is warned again"
    for load.turns, auto in ((0, False), (1, False), (2, True)):
        assert load.next_request.settings.compaction.auto is auto
    load.turns = 0
    load.end_postponement()
    assert load.next_request.settings.compaction.auto


async def test_a_draft_is_counted_and_changes_nothing_that_was_shown(tmp_path):
    own = await rig(tmp_path)
    load = own.session.state.load
    await own.said(*storm(8))
    before, zone = load.meter(), load.zone
    room = load.model.budget.blocking - before.used
    drafted = load.meter(room)
    assert drafted.used == before.used + room
    assert drafted.zone is not zone
    assert load.zone is zone
    load.take_warning()
    load.meter(room)
    assert load.warned
    load.meter()
    assert load.warned is (zone is not Zone.OK)


async def test_what_is_expected_is_counted_beside_the_log_as_it_is_now(tmp_path):
    def frame(name):
        text = f"{name} is told"
        return Framed(id=name, at=AT, slot=name, kind=Slot.INSTRUCTIONS, text=text, place="head")

    own = await rig(tmp_path)
    load = own.session.state.load
    load.expect((frame("expected"),))
    first = load.indexes
    assert load.indexes is first
    await own.said(frame("logged"))
    assert [entry.id for entry in load.indexes.fold.entries][-2:] == ["logged", "expected"]

"""The warning before an automatic compaction, and putting it off."""

import pytest

from builders import user
from plimsoll.context.log.entries import Rewound, Stage
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import ReductionPlanned
from plimsoll.session.state.notes import FOR_EVER, postponed_until
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.fitting import lighten
from session.reduction.compaction_rig import Rig, rig, storm

DONE = [{"text": "Done."}] * 20


async def turn(own: Rig, text: str = "go on") -> None:
    await own.session.prompt([PromptText(text)])
    ended = await own.session.wait()
    assert ended.reason == "endTurn"


def warnings(own: Rig) -> list[ReductionPlanned]:
    return own.heard(ReductionPlanned)


async def test_a_person_is_warned_once_each_time_the_mark_is_crossed(tmp_path):
    own = await rig(tmp_path, chat=DONE)
    await turn(own)
    assert warnings(own) == []
    await own.said(*storm(12, 160))
    for _ in range(3):
        await turn(own)
    assert len(warnings(own)) == 1
    planned = warnings(own)[0].receipt
    assert (planned.stage, planned.status) == (Stage.DIGEST, "planned")
    assert planned.after < planned.before
    await own.said(Rewound("w1", "2000", "u0"))
    await turn(own)
    assert len(warnings(own)) == 1
    await own.said(*storm(12, 160, first=100))
    await turn(own)
    assert len(warnings(own)) == 2


async def test_a_compaction_and_a_new_crossing_within_one_turn_are_warned_of_again(tmp_path):
    own = await rig(tmp_path, chat=DONE)
    await own.said(*storm(12, 160))
    await turn(own)
    assert len(warnings(own)) == 1
    await own.said(*storm(5, 160, first=100))
    await lighten(own.session.state)
    assert [e.stage for e in own.session.state.log.fold.edits.values()] == [Stage.DIGEST]
    await own.said(*storm(8, 160, first=200))
    await turn(own)
    assert len(warnings(own)) == 2


async def test_a_compaction_that_was_put_off_and_then_asked_for_is_put_off_no_more(tmp_path):
    own = await rig(tmp_path, chat=DONE)
    await own.said(*storm(12, 160))
    await turn(own)
    await own.session.postpone(3)
    await compact_in(own.session, strategy="digest")
    entries = await own.project.environment.store.entries(own.session.id)
    assert own.session.state.load.postponed_until == postponed_until(entries) == 0
    await own.said(*storm(9, 160, first=100))
    await turn(own)
    assert len(warnings(own)) == 2


async def test_what_was_put_off_for_the_session_stays_so_after_a_compaction_by_hand(tmp_path):
    own = await rig(tmp_path, chat=DONE)
    await own.session.postpone(None)
    await own.said(*storm(12, 160))
    await compact_in(own.session, strategy="digest")
    assert own.session.state.load.postponed_until == FOR_EVER
    assert not own.session.state.load.next_request.settings.compaction.auto


async def test_the_warning_tells_in_how_many_turns(tmp_path):
    own = await rig(tmp_path, chat=DONE, window=8_000)
    for _ in range(4):
        await turn(own, "word " * 1_000)
    grown = 1_000 + 1 + 8
    state = own.session.state
    left = state.model.budget.compact - state.log.fold.view.tokens
    found = warnings(own)
    if not found:
        await turn(own, "word " * 500)
        found = warnings(own)
    assert found[0].in_turns is not None
    assert abs(found[0].in_turns - left // grown) <= 1


async def test_no_warning_where_nothing_would_be_compacted(tmp_path):
    own = await rig(tmp_path, chat=DONE, auto=False)
    await own.said(*storm(12, 160))
    await turn(own)
    assert warnings(own) == []


@pytest.mark.parametrize("turns", [3, None], ids=["later", "not in this session"])
async def test_what_is_postponed_does_not_happen_and_is_kept_over_a_restart(tmp_path, turns):
    own = await rig(tmp_path, chat=DONE)
    await own.session.postpone(turns)
    entries = await own.project.environment.store.entries(own.session.id)
    until = FOR_EVER if turns is None else 3
    assert postponed_until(entries) == until
    old = own.session.state
    again = SessionState(old.record, old.log, old.model, old.environment)
    assert again.load.postponed_until == until
    await own.said(*storm(14, 160))
    assert own.session.state.log.fold.view.tokens > own.session.state.model.budget.compact
    await turn(own)
    assert list(own.session.state.log.fold.edits) == []


async def test_after_the_turns_are_over_it_happens_and_a_person_is_warned_before(tmp_path):
    own = await rig(tmp_path, chat=DONE)
    await own.said(*storm(12, 160))
    await turn(own)
    await own.session.postpone(2)
    assert len(warnings(own)) == 1
    await turn(own)
    assert len(warnings(own)) == 1
    await turn(own)
    assert len(warnings(own)) == 2
    await own.said(user("u700", "word " * 400))
    await turn(own)
    assert [e.stage for e in own.session.state.log.fold.edits.values()] == [Stage.DIGEST]


async def test_at_the_blocking_mark_trimming_serves_although_it_was_postponed(tmp_path):
    own = await rig(tmp_path, chat=DONE)
    await own.session.postpone(None)
    await own.said(*storm(30, 160))
    await turn(own)
    assert [e.stage for e in own.session.state.log.fold.edits.values()] == [Stage.TRIM]

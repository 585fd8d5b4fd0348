"""The circuit breaker of model compaction."""

from dataclasses import replace

import pytest

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Stage
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, ProviderModel
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.content import PromptText
from plimsoll.session.reduction.compaction import compact
from plimsoll.session.session import Session
from plimsoll.session.state.notes import failures_in_a_row
from plimsoll.session.state.session_state import SessionState
from session.reduction.compaction_rig import GOOD, Rig, rig, storm


def counted(own: Rig) -> int:
    return failures_in_a_row(own.session.state.log.fold.entries)


async def fail(own: Rig, times: int) -> None:
    """So many compactions in the background, each of which the digest covers."""
    for _ in range(times):
        await own.said(*storm(30, first=len(own.session.state.log.fold.entries)))
        receipt = await compact(own.session.state, by_hand=False)
        assert receipt.stage is Stage.DIGEST


async def test_three_failures_in_a_row_open_it_also_those_that_the_digest_covered(tmp_path):
    own = await rig(tmp_path, *[{"error": "unavailable"}] * 9, window=20_000)
    await fail(own, 3)
    assert (counted(own), len(own.utility.requests)) == (3, 3)
    own.events.clear()
    await fail(own, 1)
    assert (counted(own), len(own.utility.requests)) == (3, 3)
    assert own.notices == []


async def test_a_model_that_cannot_be_opened_is_not_tried_for_ever_either(tmp_path):
    own = await rig(tmp_path, unavailable=ProviderModel("There is no model 'x/y'."), window=20_000)
    await fail(own, 4)
    assert counted(own) == 3
    assert any("3 times in a row" in told for told in own.notices)


NO_HEADINGS = {"text": "We talked."}


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([{"error": "unavailable"}], "The script is not available"),
        (
            [NO_HEADINGS] * 2,
            "the summary could not be used: it lacks the headings Goal, Next steps",
        ),
    ],
    ids=["the model could not be asked", "the checks refused what it wrote"],
)
async def test_a_summary_from_the_log_in_its_place_is_told_once_with_the_reason(
    tmp_path, answers, why
):
    own = await rig(tmp_path, *answers, window=20_000)
    await fail(own, 1)
    assert own.notices == [f"An automatic summary was used instead of the model's: {why}."]


async def test_a_success_between_failures_starts_the_count_again(tmp_path):
    broken, good = {"error": "unavailable"}, {"text": GOOD}
    own = await rig(tmp_path, broken, broken, good, broken, window=20_000)
    await fail(own, 2)
    await own.said(*storm(30, first=900))
    assert (await compact(own.session.state, by_hand=False)).stage is Stage.COMPACT
    assert counted(own) == 0
    await fail(own, 1)
    assert counted(own) == 1


async def test_it_stays_open_over_a_restart(tmp_path):
    own = await rig(tmp_path, *[{"error": "auth"}] * 3, window=20_000)
    await fail(own, 3)
    again = await reopened(own)
    await again.state.append(*storm(30, first=900))
    assert (await compact(again.state, by_hand=False)).stage is Stage.DIGEST
    assert len(own.utility.requests) == 3


async def reopened(own: Rig) -> Session:
    """The session as another process would open it."""
    environment = own.project.environment
    entries = await environment.store.entries(own.session.id)
    fold = Fold(own.shelf.chat.ledger, entries)
    log = SessionLog(own.session.id, environment.store, Indexes(fold))
    return Session(SessionState(own.session.state.record, log, own.shelf.chat, environment))


async def test_a_person_may_try_all_the_same_and_success_closes_it(tmp_path):
    steps = [{"error": "auth"}] * 4 + [{"text": GOOD}] * 2
    own = await rig(tmp_path, *steps, window=20_000)
    await fail(own, 3)
    await own.said(*storm(30, first=700))
    assert (await compact_in(own.session)).stage is Stage.DIGEST
    assert counted(own) == 4
    await own.said(*storm(30, first=800))
    assert (await compact_in(own.session)).stage is Stage.COMPACT
    assert counted(own) == 0
    await own.said(*storm(30, first=900))
    assert (await compact(own.session.state, by_hand=False)).stage is Stage.COMPACT


async def test_an_open_one_stays_open_however_the_load_falls(tmp_path):
    """What a digest has covered says nothing of the model."""
    own = await rig(tmp_path, *[{"error": "auth"}] * 3, window=20_000, chat=[{"text": "Done."}])
    await fail(own, 3)
    await own.session.prompt([PromptText("go on")])
    await own.session.wait()
    assert own.session.state.log.fold.view.tokens < own.session.state.model.budget.warning
    assert counted(own) == 3


async def test_another_model_is_asked_though_one_has_failed(tmp_path):
    own = await rig(tmp_path, *[{"error": "auth"}] * 3, {"text": GOOD}, window=20_000)
    await fail(own, 3)
    own.shelf.utility = replace(own.shelf.utility, id="scripted/other")
    await own.said(*storm(30, first=900))
    assert (await compact(own.session.state, by_hand=False)).stage is Stage.COMPACT
    assert failures_in_a_row(own.session.state.log.fold.entries, "scripted/other") == 0


async def test_the_retry_counts_as_a_call_too(tmp_path):
    own = await rig(tmp_path, *[NO_HEADINGS] * 9, window=20_000)
    await fail(own, 2)
    assert (counted(own), len(own.utility.requests)) == (3, 3)


async def test_that_it_opens_is_told_with_what_closes_it(tmp_path):
    own = await rig(tmp_path, *[{"error": "auth"}] * 3, window=20_000)
    await fail(own, 2)
    assert not any("/compact" in notice for notice in own.notices)
    await fail(own, 1)
    told = [notice for notice in own.notices if "`/compact` tries the model again" in notice]
    assert len(told) == 1


async def test_failures_below_the_limit_are_not_forgotten_at_a_quiet_turn(tmp_path):
    own = await rig(tmp_path, {"error": "auth"}, chat=[{"text": "Done."}])
    await own.said(*storm())
    await compact_in(own.session)
    await own.session.prompt([PromptText("go on")])
    await own.session.wait()
    assert counted(own) == 1


async def test_a_cancelled_or_useless_attempt_is_no_failure(tmp_path):
    own = await rig(tmp_path)
    with pytest.raises(InvalidInput):
        await compact_in(own.session)
    assert counted(own) == 0

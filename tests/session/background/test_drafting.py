"""A summary in a person's hands: drafted, edited, and put in the place of what it covers."""

import pytest

from plimsoll.context.log.entries import Edited, Stage
from plimsoll.errors import Busy, InvalidInput, NotFound, ProviderAuth
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.background.drafting import compact_with, draft_in
from plimsoll.session.reduction.undoing import undo
from session.reduction.compaction_rig import GOOD, rig, storm

MINE = "## Goal\nRepair the build.\n\n## Next steps\nRun the tests again."


async def test_a_draft_changes_nothing_and_what_was_read_is_what_takes_effect(tmp_path):
    own = await rig(tmp_path, {"text": GOOD})
    await own.said(*storm())
    before = own.view()
    draft = await draft_in(own.session, "keep the names", None)
    assert own.view() == before
    assert not any(isinstance(each, Edited) for each in own.session.state.log.fold.entries)
    assert (draft.text, draft.missed, draft.model) == (GOOD, (), "scripted/utility")
    assert "keep the names" in own.asked(0)
    assert draft.tokens < draft.room

    done = await compact_with(own.session, draft.text, draft.until)
    assert (done.receipt.stage, done.missed) == (Stage.COMPACT, ())
    assert len(own.utility.requests) == 1
    summary = dict(own.view())[done.receipt.id]
    assert summary.startswith("[Summary of the earlier conversation, as the user read")
    assert f"{draft.text}\n\n{draft.kept}" in summary
    await undo(own.session.state, done.receipt.id)
    assert own.view() == before


async def test_it_covers_what_compacting_would_and_what_comes_after_the_message_stays(tmp_path):
    own = await rig(tmp_path, {"text": GOOD})
    await own.said(*storm())
    usual = await compact_in(own.session, strategy="digest")
    covered = set(dict(own.view()))
    await undo(own.session.state, usual.id)
    draft = await draft_in(own.session, "", None)
    done = await compact_with(own.session, MINE, draft.until)
    assert set(dict(own.view())) - {done.receipt.id} == covered - {usual.id}

    await undo(own.session.state, done.receipt.id)
    until = await compact_with(own.session, MINE, "r5")
    shown = dict(own.view())
    assert "r5.0" not in shown
    assert "r6.0" in shown
    assert until.receipt.after < until.receipt.before


async def test_the_digest_too_goes_up_to_the_message(tmp_path):
    own = await rig(tmp_path)
    await own.said(*storm())
    receipt = await compact_in(own.session, "", "digest", "r8")
    shown = dict(own.view())
    assert receipt.stage is Stage.DIGEST
    assert "r8.0" not in shown
    assert "r9.0" in shown


async def test_a_persons_text_must_be_smaller_and_what_else_the_checks_miss_is_shown(tmp_path):
    own = await rig(tmp_path)
    await own.said(*storm())
    before = own.view()
    for text, told in (("  ", "is empty"), ("long " * 60_000, "60,000 tokens")):
        with pytest.raises(InvalidInput, match=told):
            await compact_with(own.session, text, None)
    assert own.view() == before
    done = await compact_with(own.session, "Nothing of note.\n## Current state\nall well", None)
    assert any("lacks the headings Goal, Next steps" in each for each in done.missed)
    assert any("kept from the log" in each for each in done.missed)


async def test_a_draft_that_the_checks_refuse_twice_is_shown_with_their_reason(tmp_path):
    lie = {"text": "## Goal\nsomething else"}
    own = await rig(tmp_path, lie, lie)
    await own.said(*storm())
    draft = await draft_in(own.session, "", None)
    assert draft.text == "## Goal\nsomething else"
    assert any("Next steps" in each for each in draft.missed)
    assert draft.spent > 0


async def test_a_provider_that_fails_is_told_and_no_such_message_too(tmp_path):
    own = await rig(tmp_path, {"error": "auth"})
    await own.said(*storm())
    with pytest.raises(ProviderAuth):
        await draft_in(own.session, "", None)
    with pytest.raises(NotFound):
        await draft_in(own.session, "", "nowhere")
    with pytest.raises(NotFound):
        await compact_in(own.session, "", "digest", "nowhere")


async def test_neither_is_done_while_a_turn_runs(tmp_path):
    own = await rig(tmp_path)
    await own.said(*storm())
    async with own.session.holding():
        with pytest.raises(Busy):
            await draft_in(own.session, "", None)
        with pytest.raises(Busy):
            await compact_with(own.session, MINE, None)


async def test_the_standing_guidance_stands_beside_an_own_prompt(tmp_path):
    own = await rig(tmp_path, {"text": GOOD}, prompt="Sum it up.", guidance="keep ticket numbers")
    await own.said(*storm())
    await draft_in(own.session, "and dates", None)
    asked = own.asked(0)
    assert "Sum it up." in asked
    assert "wants of every summary: keep ticket numbers" in asked
    assert asked.index("ticket numbers") < asked.index("and dates")

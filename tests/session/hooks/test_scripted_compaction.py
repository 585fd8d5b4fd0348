"""Hooks around a compaction that answer from a script, so that no process is waited for."""

import json

import pytest

from builders import exchange, user
from plimsoll.context.log.entries import SUMMARIES, Edited
from plimsoll.errors import InvalidInput
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.reduction.compaction import compact
from plimsoll.session.reduction.hooked_compaction import NO_ROOM, tell_hooks
from plimsoll.session.reduction.items import evict
from plimsoll.tools.ports.hooks import HookOutput
from session.hooks.hooked import notices, scripted
from session.reduction.long_turn import filled, texts

POSTPONE = HookOutput(output='{"decision": "postpone", "reason": "not now"}')
NOTHING = HookOutput()


def keeping(*kept: str) -> HookOutput:
    return HookOutput(output=json.dumps({"keep": kept}))


def summaries(own) -> int:
    return len([e for e in own.entries if isinstance(e, Edited) and e.stage in SUMMARIES])


async def fill_to(own, mark: int) -> None:
    """Let calls be made until the load reaches a mark."""
    await filled(own, 1)
    steps = 1
    while own.session.state.log.fold.view.tokens < mark:
        steps += 1
        await own.session.state.append(*exchange(steps, f"line {steps} " + "word " * 60))


async def test_what_a_hook_names_stays_in_the_summary_of_a_compaction_by_hand(tmp_path):
    opened, hooks = scripted(tmp_path, "PreCompact", keeping("The port is 7411."))
    async with opened as own:
        await filled(own)
        before = own.session.state.log.fold.view.tokens
        receipt = await compact_in(own.session, "the build", strategy="digest")
        (summary,) = [text for text in texts(own) if "7411" in text]
        assert "\n> The port is 7411." in summary
        assert receipt.after == own.session.state.log.fold.view.tokens
        (given,) = hooks.given
        assert (given["trigger"], given["tokens"]) == ("manual", before)
        assert given["custom_instructions"] == "the build"


async def test_what_would_leave_no_room_is_left_out_and_said(tmp_path):
    opened, _ = scripted(tmp_path, "PreCompact", keeping(*["word " * 150] * 4))
    async with opened as own:
        long, short = exchange(1, "word " * 400), exchange(2, "one")
        await own.session.state.append(user("u1", "Look."), *long, *short)
        receipt = await compact_in(own.session, strategy="digest")
        assert receipt.after < receipt.before
        assert not any("Kept for" in text for text in texts(own))
        assert notices(own) == [NO_ROOM]


@pytest.mark.parametrize(("by_hand", "done"), [(True, 1), (False, 0)])
async def test_a_hook_puts_off_what_no_person_asked_for(tmp_path, by_hand, done):
    opened, hooks = scripted(tmp_path, "PreCompact", POSTPONE)
    async with opened as own:
        await filled(own)
        if by_hand:
            await compact_in(own.session, strategy="digest")
        else:
            with pytest.raises(InvalidInput, match="put the compaction off"):
                await compact(own.session.state, by_hand=False)
        assert summaries(own) == done
        assert [given["trigger"] for given in hooks.given] == ["manual" if by_hand else "auto"]


@pytest.mark.parametrize(
    ("answer", "mark", "done", "put_off"),
    [
        (POSTPONE, "compact", 0, 1),
        (POSTPONE, "blocking", 1, 0),
        (NOTHING, "compact", 1, 0),
    ],
    ids=["while there is room", "without room", "not put off"],
)
async def test_in_a_turn_it_is_put_off_once_while_there_is_room(
    tmp_path, answer, mark, done, put_off
):
    call = {"calls": [{"name": "glob", "arguments": {"pattern": "*"}}]}
    opened, hooks = scripted(tmp_path, "PreCompact", answer, call, {"text": "Done."}, window=9_000)
    async with opened as own:
        await fill_to(own, getattr(own.session.state.model.budget, mark))
        assert (await own.turn("And now?")).reason == "endTurn"
        assert summaries(own) == done
        assert len(hooks.given) == 1
        assert (
            len([words for words in notices(own) if "put the compaction off" in words]) == put_off
        )
        await own.consistent()


async def test_after_it_a_hook_gets_the_receipt(tmp_path):
    opened, hooks = scripted(tmp_path, "PostCompact", NOTHING)
    async with opened as own:
        await filled(own)
        receipt = await compact_in(own.session, strategy="digest")
        (given,) = hooks.given
        assert (given["receipt"]["id"], given["receipt"]["after"]) == (receipt.id, receipt.after)
        assert given["summary"] in texts(own)


async def test_a_hook_behind_compactions_hears_of_no_other_reduction(tmp_path):
    opened, hooks = scripted(tmp_path, "PostCompact", NOTHING)
    async with opened as own:
        await filled(own, 2)
        receipt = await evict(own.session.state, ["r0.0"])
        await tell_hooks(own.session.state, "t1", receipt)
        assert hooks.given == []

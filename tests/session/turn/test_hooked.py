"""Calls, prompts and the end of a turn with hooks that answer from a script, without a process."""

from dataclasses import replace

import pytest

from plimsoll.session.ports.asker import Decision
from plimsoll.session.turn.hooked_prompts import goes_on
from plimsoll.tools.ports.hooks import HookOutput
from session.harness import ALLOWED, Harness
from session.hooks.hooked import WRITE, results, scripted

NO = Decision(allowed=False)
HELD = HookOutput(code=2, errors="the tests are red")


async def set_force_final(own: Harness, tokens: int) -> None:
    """Have the request at which no tool is offered any more at so many tokens."""
    model = own.session.state.model
    budget = replace(model.budget, force_final=tokens)
    await own.session.state.load.use_model(replace(model, budget=budget))


@pytest.mark.parametrize(
    ("answer", "ran", "red"), [(ALLOWED, 1, True), (NO, 0, False)], ids=["ran", "rejected"]
)
async def test_the_hook_behind_a_call_speaks_of_calls_that_ran(tmp_path, answer, ran, red):
    opened, hooks = scripted(
        tmp_path, "PostToolUse", HELD, {"calls": [WRITE]}, {"text": "Done."}, answers=[answer]
    )
    async with opened as own:
        assert (await own.turn("Write.")).reason == "endTurn"
        (text,) = results(own)
        assert len(hooks.given) == ran
        assert ("the tests are red" in text) is red
        await own.consistent()


async def test_a_call_that_a_hook_denies_is_not_run_and_nobody_is_asked(tmp_path):
    opened, hooks = scripted(tmp_path, "PreToolUse", HELD, {"calls": [WRITE]}, {"text": "Done."})
    async with opened as own:
        assert (await own.turn("Write.")).reason == "endTurn"
        assert "the tests are red" in results(own)[0]
        assert own.person.asked == []
        assert not (own.folder / "new.txt").exists()
        assert len(hooks.given) == 1


async def test_a_hook_lets_a_turn_go_on_some_times(tmp_path):
    steps = [{"text": f"Done {number}."} for number in range(9)]
    opened, hooks = scripted(tmp_path, "Stop", HELD, *steps)
    async with opened as own:
        assert (await own.turn("Go on.")).reason == "endTurn"
        assert own.session.last_answer() == "Done 3."
        again = [given["stop_hook_active"] for given in hooks.given]
        assert again == [False] + [True] * (len(hooks.given) - 1)


@pytest.mark.parametrize(("room", "on"), [(1, True), (0, False), (-1, False)])
async def test_no_hook_lets_a_turn_go_on_to_its_last_request(tmp_path, room, on):
    opened, _ = scripted(tmp_path, "Stop", HELD, {"text": "Done."})
    async with opened as own:
        state = own.session.state
        await set_force_final(own, state.log.fold.view.tokens + room)
        before = len(own.entries)
        assert await goes_on(state, "t1", 0) is on
        assert len(own.entries) == before + on


async def test_a_hook_with_nothing_to_say_ends_no_turn_and_holds_none(tmp_path):
    opened, hooks = scripted(tmp_path, "Stop", HookOutput(), {"text": "Done."})
    async with opened as own:
        assert not await goes_on(own.session.state, "t1", 0)
        assert len(hooks.given) == 1


ASKS = HookOutput(
    output=(
        '{"hookSpecificOutput": {"permissionDecision": "ask",'
        ' "permissionDecisionReason": "Look twice."}}'
    )
)


async def test_what_a_hook_wants_asked_is_asked_each_time_whatever_was_allowed(tmp_path):
    other = {"name": "file_write", "arguments": {"path": "other.txt", "content": "x\n"}}
    calls = {"calls": [WRITE, other]}
    always = Decision(allowed=True, for_session=True)
    opened, _ = scripted(tmp_path, "PreToolUse", ASKS, calls, {"text": "Done."}, answers=[always])
    async with opened as own:
        assert (await own.turn("Write.")).reason == "endTurn"
        assert len(own.person.asked) == 2
        assert all("hook `true`" in call.intent.why_each_time for call in own.person.asked)

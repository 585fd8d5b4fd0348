"""Calls, prompts and the end of a turn with hooks that answer from a script, without a process."""

from dataclasses import replace
from functools import partial

import pytest

from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.rules import SessionRules
from plimsoll.session.turn.hooked_prompts import MOST_GOES_ON, goes_on
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.hooks import HookEvent, HookOutput, HookRequest
from sandboxes import PassThrough, confining
from session.harness import ALLOWED, Harness, harness
from session.hooks.hooked import WRITE, hook, results

NO = Decision(allowed=False)
HELD = HookOutput(code=2, errors="the tests are red")


class Scripted:
    """Runs no program: keeps what each hook was given, and answers the same each time."""

    def __init__(self, answer: HookOutput) -> None:
        self.answer = answer
        self.ran: list[str] = []

    async def __call__(self, request: HookRequest, context: CallContext) -> HookOutput:
        self.ran.append(request.given)
        return self.answer


def hooked(tmp_path, event: HookEvent, answer: HookOutput, *steps, **others):
    """A session with one hook; returns what opens it, and what ran."""
    ran = Scripted(answer)
    opened = harness(
        tmp_path,
        *steps,
        allowed=SessionRules(hooks=(hook(event, "true"),)),
        run_hook=ran,
        confining=partial(confining, sandbox=PassThrough()),
        **others,
    )
    return opened, ran


async def set_force_final(own: Harness, tokens: int) -> None:
    """Have the request at which no tool is offered any more at so many tokens."""
    model = own.session.state.model
    budget = replace(model.budget, force_final=tokens)
    await own.session.state.load.use_model(replace(model, budget=budget))


@pytest.mark.parametrize(
    ("answer", "ran", "red"), [(ALLOWED, 1, True), (NO, 0, False)], ids=["ran", "rejected"]
)
async def test_the_hook_behind_a_call_speaks_of_calls_that_ran(tmp_path, answer, ran, red):
    opened, hooks = hooked(
        tmp_path, "PostToolUse", HELD, {"calls": [WRITE]}, {"text": "Done."}, answers=[answer]
    )
    async with opened as own:
        assert (await own.turn("Write.")).reason == "endTurn"
        (text,) = results(own)
        assert len(hooks.ran) == ran
        assert ("the tests are red" in text) is red
        await own.consistent()


async def test_a_call_that_a_hook_denies_is_not_run_and_nobody_is_asked(tmp_path):
    opened, hooks = hooked(tmp_path, "PreToolUse", HELD, {"calls": [WRITE]}, {"text": "Done."})
    async with opened as own:
        assert (await own.turn("Write.")).reason == "endTurn"
        assert "the tests are red" in results(own)[0]
        assert own.person.asked == []
        assert not (own.folder / "new.txt").exists()
        assert len(hooks.ran) == 1


async def test_a_hook_lets_a_turn_go_on_some_times(tmp_path):
    steps = [{"text": f"Done {number}."} for number in range(9)]
    opened, hooks = hooked(tmp_path, "Stop", HELD, *steps)
    async with opened as own:
        assert (await own.turn("Go on.")).reason == "endTurn"
        assert own.session.last_answer() == f"Done {MOST_GOES_ON}."
        again = ['"stop_hook_active": true' in given for given in hooks.ran]
        assert again == [False] + [True] * (len(hooks.ran) - 1)


@pytest.mark.parametrize(("room", "on"), [(1, True), (0, False), (-1, False)])
async def test_no_hook_lets_a_turn_go_on_to_its_last_request(tmp_path, room, on):
    opened, _ = hooked(tmp_path, "Stop", HELD, {"text": "Done."})
    async with opened as own:
        state = own.session.state
        await set_force_final(own, state.log.fold.view.tokens + room)
        before = len(own.entries)
        assert await goes_on(state, "t1", 0) is on
        assert len(own.entries) == before + on


async def test_a_hook_with_nothing_to_say_ends_no_turn_and_holds_none(tmp_path):
    opened, hooks = hooked(tmp_path, "Stop", HookOutput(), {"text": "Done."})
    async with opened as own:
        assert not await goes_on(own.session.state, "t1", 0)
        assert len(hooks.ran) == 1

"""What people see of an answer is what is kept of it, also where it breaks off."""

from dataclasses import replace
from functools import partial

import pytest

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Role
from plimsoll.redaction.secrets import Secrets, StreamRedactor
from plimsoll.session.ports.events import ReasoningArrived, TextArrived
from session.harness import SECRET, Harness, harness

BEGUN = f"The key is {SECRET[:9]}"


def seen(own: Harness, kind: type) -> str:
    return "".join(event.text for event in own.heard(kind))


@pytest.mark.parametrize(
    ("step", "reason"),
    [({"text": BEGUN}, "endTurn"), ({"text": BEGUN, "error": "cut"}, "error")],
    ids=["whole", "broken off"],
)
async def test_what_was_held_back_as_the_beginning_of_a_secret_is_shown_at_the_end(
    tmp_path, step, reason
):
    async with harness(tmp_path, {**step, "reasoning": BEGUN}) as own:
        state = own.session.state
        stream = partial(StreamRedactor, Secrets({"KEY": SECRET}))
        state.environment = replace(state.environment, open_stream=stream)
        assert (await own.turn("What is it?")).reason == reason
        assert seen(own, TextArrived) == BEGUN
        assert seen(own, ReasoningArrived) == BEGUN
        assert own.said()[-1] == ("assistant", BEGUN)
        await own.consistent()


@pytest.mark.parametrize(("error", "kept"), [({}, 3), ({"error": "cut"}, 1)])
async def test_of_an_answer_that_breaks_off_only_the_text_is_kept(tmp_path, error, kept):
    call = {"name": "glob", "arguments": {"pattern": "*"}}
    step = {"reasoning": "So.", "text": "I look.", "calls": [call], **error}
    async with harness(tmp_path, step, {"text": "Done."}) as own:
        await own.turn("Look.")
        answer = next(e for e in own.entries if isinstance(e, Said) and e.role is Role.ASSISTANT)
        assert len(answer.parts) == kept
        assert "I look." in [part.text for part in answer.parts]
        await own.consistent()

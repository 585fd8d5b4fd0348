"""A prompt that is larger than the window is known to be: what was attached or pasted is cut."""

import pytest

from plimsoll.context.log.entries import Stage
from plimsoll.errors import Infeasible
from plimsoll.session.ports.content import PromptText, Selection
from plimsoll.session.ports.events import NoticeGiven, ReductionApplied
from session.harness import harness

WINDOW = 4_000
LINES = "".join(f"line {number} of what was pasted\n" for number in range(1_200))


async def ended(own, *content):
    await own.session.prompt(list(content))
    return await own.session.wait()


def notices(own) -> list[str]:
    return [event.markdown for event in own.heard(NoticeGiven)]


@pytest.mark.parametrize("attached", [True, False])
async def test_what_was_attached_or_pasted_is_cut_to_fit_and_said(tmp_path, attached):
    async with harness(tmp_path, {"text": "Yes."}, window=WINDOW) as own:
        held = Selection(tmp_path / "harbour.log", (1, 1_200), LINES)
        long = held if attached else PromptText(LINES)
        end = await ended(own, PromptText("Which berth is free?"), long)
        assert (end.reason, end.error) == ("endTurn", None)
        (request,) = own.provider.requests
        sent = "\n".join(message.text for message in request.messages)
        for words in ("Which berth is free?", "line 0 of", "line 1199 of", "the middle is left"):
            assert words in sent
        assert "line 600 of" not in sent
        told, full = notices(own)
        assert "without tools" in full
        assert "too long for the 3,000 that the window leaves" in told
        assert ("harbour.log" if attached else "line 0 of") in told
        (event,) = own.heard(ReductionApplied)
        assert event.receipt.stage == Stage.TRIM
        assert own.session.state.log.fold.view.tokens <= own.session.state.model.budget.effective
        await own.consistent()


async def test_typed_words_are_never_cut_and_what_is_missing_is_said(tmp_path):
    async with harness(tmp_path, {"text": "never"}, window=WINDOW) as own:
        end = await ended(own, PromptText("word " * 3_500), PromptText(LINES))
        assert isinstance(end.error, Infeasible)
        assert end.error.data["needsTokens"] > 3_500
        assert "attached as a file" in end.error.remedy
        assert own.heard(ReductionApplied) == notices(own) == own.provider.requests == []
        await own.consistent()

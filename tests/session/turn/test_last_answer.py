"""Near the end of the window an answer is asked for without tools; a call that comes isn't run."""

from dataclasses import replace

import pytest

from builders import user
from plimsoll.context.log.entries import Edited
from plimsoll.context.pipeline.settings import CompactionSettings
from plimsoll.session.asking.loops import ASK_MODE_REFUSED, LAST_ANSWER_REFUSED, MOST_UNRUN
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.turn.acting import LAST_ANSWER
from session.harness import harness

WRITE = {"name": "file_write", "arguments": {"path": "made.txt", "content": "x"}}
READ = {"name": "file_read", "arguments": {"path": "there.txt"}}
LONG = {"name": "file_read", "arguments": {"path": "word " * 200}}


async def fill(own, share: float = 0.91) -> None:
    """Fill the window with what a person said, where nothing is reduced by itself."""
    state = own.session.state
    settings = replace(state.model.settings, compaction=CompactionSettings(auto=False))
    await state.load.use_model(replace(state.model, settings=settings))
    room = int(state.model.budget.effective * share) - state.log.fold.view.tokens
    await state.append(user("u1", "word " * room))


def results(own) -> list[str]:
    return [text for role, text in own.said() if role == "tool"]


def warnings(own) -> list[str]:
    return [each.markdown for each in own.heard(NoticeGiven)]


async def test_a_call_that_comes_all_the_same_is_answered_and_the_turn_ends_with_an_answer(
    tmp_path,
):
    steps = [{"text": "I write.", "calls": [WRITE, READ]}, {"text": "Not done: made.txt."}]
    async with harness(tmp_path, *steps) as own:
        await fill(own)
        ended = await own.turn("Make it.")
        assert (ended.reason, ended.error) == ("endTurn", None)
        assert results(own) == [LAST_ANSWER, LAST_ANSWER]
        assert not (own.folder / "made.txt").exists()
        assert own.person.asked == []
        assert {request.tool_choice for request in own.provider.requests} == {"none"}
        (notice,) = warnings(own)
        assert "over 90 % full" in notice
        assert "/compact" in notice
        await own.consistent()


@pytest.mark.parametrize(("text", "reason"), [("", "loop"), ("I look once more.", "endTurn")])
async def test_a_server_that_ignores_the_choice_ends_the_turn_and_reduces_nothing(
    tmp_path, text, reason
):
    async with harness(tmp_path, *[{"text": text, "calls": [LONG]}] * 9) as own:
        await fill(own)
        ended = await own.turn("Read it.")
        assert (ended.reason, ended.error) == (reason, None)
        assert len(own.provider.requests) == MOST_UNRUN
        assert results(own) == [LAST_ANSWER] * MOST_UNRUN
        assert [e for e in own.entries if isinstance(e, Edited)] == []
        assert warnings(own)[1:] == [LAST_ANSWER_REFUSED]
        await own.consistent()


async def test_the_person_is_told_once_however_many_turns_stay_that_full(tmp_path):
    async with harness(tmp_path, *[{"text": "Done."}] * 3) as own:
        await fill(own)
        for _ in range(3):
            assert (await own.turn("Go on.")).reason == "endTurn"
        assert len(warnings(own)) == 1


async def test_below_the_mark_tools_run(tmp_path):
    async with harness(tmp_path, {"calls": [WRITE]}, {"text": "Done."}) as own:
        await fill(own, share=0.8)
        assert (await own.turn("Make it.")).reason == "endTurn"
        assert (own.folder / "made.txt").read_text() == "x"
        assert warnings(own) == []


async def test_in_ask_mode_a_server_that_ignores_the_choice_ends_the_turn_too(tmp_path):
    async with harness(tmp_path, *[{"calls": [READ]}, {"calls": [WRITE]}] * 5, mode="ask") as own:
        assert (await own.turn("Read it.")).reason == "loop"
        assert len(own.provider.requests) == MOST_UNRUN
        assert all(text.startswith("No tool runs in ask mode.") for text in results(own))
        assert warnings(own) == [ASK_MODE_REFUSED]
        await own.consistent()

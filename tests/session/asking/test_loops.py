"""Loops of a model end: equal failing calls, one phrase without an end, too many steps."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.providers.base import ArgumentsDelta, Finished, ReasoningDelta, TextDelta
from plimsoll.session.asking.loops import (
    MOST_REPEATED,
    STOPPED_AFTER,
    Repeated,
    Repetition,
    count_failure,
    repeated_end,
    with_loop_warning,
)
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.rules import SessionRules
from plimsoll.session.turn.closing import NOT_RUN
from plimsoll.tools.ports.intent import Outcome
from session.harness import harness

MISSING = {"name": "file_read", "arguments": {"path": "missing.txt"}}
THERE = {"name": "file_read", "arguments": {"path": "there.txt"}}
WRITE = {"name": "file_write", "arguments": {"path": "there.txt", "content": "x"}}
FAILED = Outcome(text="exit code 1 after 0.12 s", failed=False, exit_code=1)


def call(name: str = "shell", text: str = "{}") -> Part:
    return Part(kind=PartKind.CALL, text=text, name=name, call_id="c")


def results(own) -> list[str]:
    return [text for role, text in own.said() if role == "tool"]


def notices(own) -> list[str]:
    return [event.markdown for event in own.heard(NoticeGiven)]


async def test_the_model_is_told_of_the_third_equal_failure_and_the_fifth_ends_the_turn(tmp_path):
    async with harness(tmp_path, *[{"calls": [MISSING]}] * 9) as own:
        ended = await own.turn("Read it.")
        assert (ended.reason, ended.error) == ("loop", None)
        assert len(own.provider.requests) == STOPPED_AFTER
        told = ["failed" in text and "times in the same way" in text for text in results(own)]
        assert told == [False, False, True, True, True]
        seen = [m.text for m in own.provider.requests[3].messages if m.role is Role.TOOL]
        assert "has failed 3 times" in seen[2]
        (notice,) = notices(own)
        assert "5 times: Read missing.txt" in notice
        assert "Send a message" in notice
        await own.consistent()
        # It is a pause: what the person says next is a turn like any other.
        await own.turn("Go on.")
        assert len(own.provider.requests) > STOPPED_AFTER + 1


async def test_calls_behind_the_one_that_ends_the_turn_are_answered_unrun(tmp_path):
    steps = [*[{"calls": [MISSING]}] * 4, {"calls": [MISSING, WRITE]}]
    async with harness(tmp_path, *steps) as own:
        assert (await own.turn("Read it.")).reason == "loop"
        assert results(own)[-1] == NOT_RUN
        assert not (own.folder / "there.txt").exists()
        await own.consistent()


async def test_a_success_that_changed_something_begins_the_count_anew(tmp_path):
    wrote = [{"calls": [MISSING]}] * 4 + [{"calls": [WRITE]}]
    async with harness(tmp_path, *wrote, *wrote, {"text": "It is not there."}) as own:
        assert (await own.turn("Read it.")).reason == "endTurn"


async def test_reading_something_else_in_between_ends_no_loop(tmp_path):
    async with harness(tmp_path, *[{"calls": [MISSING]}, {"calls": [THERE]}] * 9) as own:
        (own.folder / "there.txt").write_text("x")
        assert (await own.turn("Read it.")).reason == "loop"
        assert len(own.provider.requests) == 9


def test_failures_are_alike_but_for_numbers_and_a_message_counts_once():
    count = partial(count_failure, {})
    other = Outcome(text="exit code 1 after 7.3 s", exit_code=1)
    assert count("m1", call(), FAILED, changes=True) == 1
    assert count("m1", call(), FAILED, changes=True) == 1
    assert count("m2", call(), other, changes=True) == 2
    assert count("m3", call(text='{"a":1}'), FAILED, changes=True) == 1
    assert count("m4", call(), Outcome(text="no such file", exit_code=1), changes=True) == 1
    assert count("m5", call(), Outcome(text="7 rows", exit_code=0), changes=False) == 0
    assert count("m6", call(), FAILED, changes=True) == 3
    assert count("m7", call(), Outcome(text="done", exit_code=0), changes=True) == 0
    assert count("m8", call(), FAILED, changes=True) == 1


class Endless:
    """A provider that says one phrase for ever; knows whether it was ended."""

    def __init__(self, *chunks):
        self.chunks = chunks
        self.pieces, self.ended = 0, False

    async def stream(self, request):
        if any("Go on" in message.text for message in request.messages):
            self.seen = request
            yield TextDelta("On.")
            yield Finished("endTurn")
            return
        try:
            yield TextDelta("I will look. ")
            while True:
                self.pieces += 1
                for chunk in self.chunks:
                    yield chunk
        finally:
            self.ended = True

    async def close(self):
        pass


async def test_an_answer_that_repeats_a_phrase_is_stopped_and_its_loop_leaves_the_view(tmp_path):
    model = Endless(TextDelta("The file is "), TextDelta("there.\n"))
    async with harness(tmp_path, provider=model) as own:
        ended = await own.turn("Where?")
        assert (ended.reason, model.ended) == ("loop", True)
        assert MOST_REPEATED <= 4 * model.pieces < 1.5 * MOST_REPEATED
        (notice,) = notices(own)
        assert "repeated 'The file is there." in notice or "file is" in notice
        kept = own.said()[-1][1]
        assert kept.startswith("I will look. The file is there.\n")
        assert (await own.turn("Go on.")).reason == "endTurn"
        said = next(m.text for m in model.seen.messages if m.role is Role.ASSISTANT)
        assert len(said) < 150
        assert "times, so the answer was stopped" in said
        await own.consistent()


async def test_reasoning_that_repeats_itself_is_stopped_too(tmp_path):
    model = Endless(ReasoningDelta("Wait, "))
    async with harness(tmp_path, provider=model) as own:
        assert (await own.turn("Where?")).reason == "loop"
        assert own.said()[-1] == ("assistant", "I will look. ")
        assert (await own.turn("Go on.")).reason == "endTurn"
        assert "I will look. " in [message.text for message in model.seen.messages]


async def test_arguments_that_repeat_themselves_are_stopped_too(tmp_path):
    model = Endless(ArgumentsDelta('{"path": "a.py"}, '))
    async with harness(tmp_path, provider=model) as own:
        assert (await own.turn("Where?")).reason == "loop"
        assert MOST_REPEATED <= 4 * model.pieces < 3 * MOST_REPEATED
        assert model.ended
        (notice,) = notices(own)
        assert '"path": "a.py"' in notice
        assert own.said()[-1] == ("assistant", "I will look. ")
        assert (await own.turn("Go on.")).reason == "endTurn"
        await own.consistent()


def found_in(text: str, size: int = 7) -> Repeated | None:
    watch = Repetition(lambda words: len(words.split()))
    pieces = (text[start : start + size] for start in range(0, len(text), size))
    return next(filter(None, map(watch.feed, pieces)), None)


@pytest.mark.parametrize(
    "phrase", ["a ", "no\n", "The same line, again and again.\n", "x" * 999 + " ", "=" * 64 + "\n"]
)
def test_a_phrase_of_any_length_is_found(phrase):
    found = found_in(f"Before. {phrase * 20_000}"[:200_000])
    assert found is not None
    assert (found.phrase * 2).find(phrase) >= 0


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{number}. a line of a long list\n" for number in range(9_000)),
        "-" * 1_500 + "\nEnd.\n" + " ".join(map(str, range(20_000))),
        "The same line.\n" * 300 + "Enough.",
    ],
)
def test_long_answers_that_go_on_are_no_loop(text):
    assert found_in(text) is None


@given(st.text(min_size=1, max_size=40), st.integers(0, 39))
def test_the_repeated_end_is_made_of_its_phrase(phrase, cut):
    text = "Before: " + phrase * (4_000 // len(phrase)) + phrase[:cut]
    found = repeated_end(text)
    assert found is not None
    times = found.characters // len(found.phrase)
    assert text.endswith(found.phrase * times)
    assert found.cut(text).startswith(text[: len(text) - found.characters] + found.phrase)


async def test_a_turn_stops_after_the_steps_that_are_set(tmp_path):
    async with harness(tmp_path, *[{"calls": [THERE]}] * 9, allowed=SessionRules(steps=3)) as own:
        (own.folder / "there.txt").write_text("x")
        assert (await own.turn("Read it.")).reason == "stepLimit"
        assert len(own.provider.requests) == 3
        (notice,) = notices(own)
        assert "Paused after 3 steps" in notice
        assert "turn.max_steps" in notice
        assert (await own.turn("Go on.")).reason == "stepLimit"
        await own.consistent()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({}, "The model answered nothing."),
        ({"text": " \n"}, "The model answered nothing."),
        ({"reasoning": "Let me think."}, "The model only reasoned"),
    ],
)
async def test_an_answer_without_a_word_is_said(tmp_path, step, words):
    async with harness(tmp_path, step, {"text": "Seven."}) as own:
        ended = await own.turn("How many?")
        assert (ended.reason, ended.error.kind) == ("error", "providerAnswer")
        assert words in ended.error.message
        assert (await own.turn("And now?")).reason == "endTurn"
        await own.consistent()


async def test_an_answer_that_was_cut_is_kept_and_told(tmp_path):
    cut = {"text": "Half an ans", "stop": "cut", "said": "network_error"}
    async with harness(tmp_path, cut, {"text": "Seven."}) as own:
        ended = await own.turn("How many?")
        assert ended.reason == "error"
        assert "with `network_error`" in ended.error.message
        assert (await own.turn("And now?")).reason == "endTurn"
        assert [m.text for m in own.provider.requests[-1].messages if m.role.value == "assistant"]
        await own.consistent()


async def test_an_unknown_end_is_told_once(tmp_path):
    odd = {"text": "Seven.", "said": "of_a_new_kind"}
    async with harness(tmp_path, odd, odd) as own:
        assert (await own.turn("How many?")).reason == "endTurn"
        assert (await own.turn("And now?")).reason == "endTurn"
        (notice,) = notices(own)
        assert "with `of_a_new_kind`, which is unknown" in notice


async def test_a_call_that_comes_as_text_ends_the_turn_with_what_to_set(tmp_path):
    text = '<tool_call>\n{"name": "file_read", "arguments": {"path": "a"}}\n</tool_call>'
    async with harness(tmp_path, {"text": text}) as own:
        ended = await own.turn("Read it.")
        assert ended.reason == "error"
        assert "does not read this model's calls: the call of `file_read`" in ended.error.message
        assert "--tool-call-parser hermes" in ended.error.remedy


async def test_reasoning_up_to_the_limit_says_what_to_set(tmp_path):
    thought = {"reasoning": "Let me think.", "stop": "maxTokens"}
    async with harness(tmp_path, thought) as own:
        assert (await own.turn("How many?")).reason == "maxTokens"
        (notice,) = notices(own)
        assert "only reasoned" in notice
        assert "reserve_output_tokens" in notice


@pytest.mark.parametrize(
    ("phrase", "shown"),
    [
        ("over and\n over ", "over and over"),
        ("x" * 80, "x" * 80),
        ("x" * 81, f"{'x' * 80} …"),
    ],
)
def test_a_repeated_phrase_is_shown_on_one_line(phrase, shown):
    assert Repeated(phrase, 5 * len(phrase)).shown == shown


def test_a_cut_loop_says_how_often_the_phrase_came():
    found = Repeated("no ", 3 * 1_200)
    assert found.cut("So: " + "no " * 1_200) == (
        "So: no \n[this repeated 1,200 times, so the answer was stopped]"
    )


@pytest.mark.parametrize(("count", "told"), [(2, False), (3, True), (4, True)])
def test_the_model_is_warned_from_the_third_failure_on(count, told):
    text = with_loop_warning("no such file", count)
    assert (text != "no such file") is told
    assert (f"failed {count} times" in text) is told


def test_of_a_long_output_the_end_tells_whether_a_failure_is_the_same():
    fail = partial(count_failure, {})
    end = "the end " * 130
    assert fail("m1", call(), Outcome(text=f"one way {end}", exit_code=1), changes=True) == 1
    assert fail("m2", call(), Outcome(text=f"other way {end}", exit_code=1), changes=True) == 2
    assert fail("m3", call(), Outcome(text=f"{end} so", exit_code=1), changes=True) == 1
    assert fail("m4", call(), Outcome(text=f"{end} so", exit_code=2), changes=True) == 1
    assert fail("m5", call(), Outcome(text=f"{end} so", failed=True), changes=True) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab" * 1_000, True),
        ("ab" * 999, False),
        (("x" * 499 + "y") * 5, True),
        (("x" * 499 + "y") * 4, False),
        ((" ".join(map(str, range(500))))[:2_000] * 5, True),
        ((" ".join(map(str, range(600))))[:2_001] * 5, False),
    ],
    ids=["2,000 characters", "fewer", "five repeats", "four", "the longest phrase", "a longer one"],
)
def test_a_loop_is_long_and_often_enough(text, found):
    assert (repeated_end(text) is not None) is found

"""Trim: who leaves at the last mark, in which order, and what never does."""

from dataclasses import replace

import pytest

from builders import assistant, edited, exchange, pin, result, user
from context.stages.logs import after, next_request, planned, texts
from plimsoll.context.log.entries import Cover, Origin, Replace
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.stages import trim
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.request_messages import render

WINDOW = 4_096
EFFECTIVE = 3_072


def gone(before) -> list[str]:
    found = planned(before, trim.plan)
    return (
        [name for op in found.ops if isinstance(op, Cover) for name in op.groups] if found else []
    )


def big(number: int, size: int = 500):
    return exchange(number, f"line{number} " + "word " * size)


def test_nothing_leaves_below_the_blocking_mark():
    assert trim.plan(next_request([*big(1), *big(2), *big(3)], WINDOW)) is None


def test_the_oldest_calls_leave_first_and_whole_down_to_the_warning():
    before = next_request([*big(1), *big(2), *big(3), *big(4), *big(5), *big(6)], WINDOW)
    assert gone(before) == ["a1", "a2"]
    left = after(before, planned(before, trim.plan))
    assert left.tokens <= before.budget.warning
    assert not violations(render(left.fold.view), (), 0, 1)
    assert "line1" not in "".join(texts(left).values())


def test_one_prompt_and_many_calls_keeps_the_prompt_and_whole_pairs():
    """KosmoKrator 3: the prompt and all calls went, and a lone result stayed."""
    before = next_request([each for n in range(100) for each in big(n, 60)], WINDOW)
    left = after(before, planned(before, trim.plan))
    assert texts(left)["u1.0"] == "Repair the build."
    assert "r99.0" in texts(left)
    assert not violations(render(left.fold.view), (), 0, 1)


def test_what_people_said_goes_after_tools_and_summaries_and_the_first_request_last():
    """The commonest complaint: the rules that a person gave are forgotten first."""
    talk = [user(f"u{n}", f"wish{n} " + "word " * 350) for n in range(2, 9)]
    before = next_request(
        [*big(1, 300), *talk, *big(2, 300), user("u9", "go on"), *big(3, 10)], WINDOW
    )
    assert gone(before) == ["a1", "a2", "u2"]


@pytest.mark.parametrize("size", range(30, 60))
def test_what_is_left_is_within_the_warning_with_the_rules_that_stay(size):
    texts = ("Go on with it. " * 88 + f"Never rename the function f{n}." for n in range(10))
    said = [replace(user(f"p{n}", text), origin=Origin.PERSON) for n, text in enumerate(texts)]
    before = next_request([*said, *big(3, size)], WINDOW)
    assert after(before, planned(before, trim.plan)).tokens <= before.budget.warning


def test_a_summary_leaves_whole_and_shows_nothing_that_it_covered():
    cover = edited("e1", Cover(("a1", "a2"), "summary " * 2_900))
    before = next_request([*big(1), *big(2), cover, user("u5", "so"), *big(8, 100)], WINDOW)
    assert gone(before) == ["a1", "a2"]
    left = "".join(texts(after(before, planned(before, trim.plan))).values())
    assert "line1" not in left
    assert "summary" not in left


def test_a_summary_that_holds_what_people_said_leaves_after_their_old_messages():
    """The goal and the rules stand in it."""
    talk = [user(f"u{n}", f"wish{n} " + "word " * 350) for n in range(2, 8)]
    cover = edited("e1", Cover(("u1", "a1"), "summary " * 700))
    before = next_request(
        [*big(1), cover, *talk, *big(2, 300), user("u9", "go"), *big(3, 10)], WINDOW
    )
    assert gone(before) == ["a2", "u2", "u3"]
    cramped = next_request([*big(1), cover, user("u2", "wish2"), *big(3, 2_600)], WINDOW)
    assert gone(cramped) == ["u1", "a1"]


def test_parallel_calls_leave_together():
    calls = [(f"c{n}", "grep", "{}") for n in range(3)]
    answers = [result(f"r1{n}", "a1", f"c{n}", "word " * 500) for n in range(3)]
    before = next_request(
        [assistant("a1", "", *calls), *answers, *big(2), *big(3), *big(4)], WINDOW
    )
    left = after(before, planned(before, trim.plan))
    assert not [item for item in texts(left) if item.startswith(("a1.", "r1"))]


@pytest.mark.parametrize("size", [3_000, 20_000])
def test_the_newest_result_is_cut_where_it_alone_is_too_large(size):
    """One turn larger than the window; the last message is the oversize one."""
    before = next_request(big(1, size), WINDOW)
    left = after(before, planned(before, trim.plan))
    assert left.tokens <= before.budget.effective
    assert texts(left)["r1.0"].startswith("line1")
    assert "[truncated: " in texts(left)["r1.0"]


def test_several_newest_results_share_what_is_left():
    calls = [(f"c{n}", "grep", "{}") for n in range(3)]
    sizes = (3_000, 2_000, 100)
    answers = [result(f"r{n}", "a1", f"c{n}", "word " * s) for n, s in enumerate(sizes)]
    before = next_request([assistant("a1", "", *calls), *answers], WINDOW)
    left = after(before, planned(before, trim.plan))
    assert left.tokens <= before.budget.effective
    assert "truncated" in texts(left)["r0.0"]
    assert "truncated" in texts(left)["r1.0"]
    assert texts(left)["r2.0"] == "word " * 100


def test_pins_and_the_last_words_stay_although_it_does_not_fit():
    before = next_request([user("u2", "word " * 3_500), pin(1, "always so")], WINDOW)
    assert gone(before) == ["u1"]
    left = after(before, planned(before, trim.plan))
    assert {"u2.0", "pin.p1"} <= texts(left).keys()
    assert trim.plan(left) is None


def rows(count: int) -> str:
    """A text of so many lines, longer than the window."""
    return "\n".join("word " * (4_000 // count) for _ in range(count))


FILE = Part(kind=PartKind.FILE, text=rows(9))
CUTS = ("results", "pasted", "words")


@pytest.mark.parametrize(
    ("said", "first"),
    [
        (user("u2", rows(51)), "pasted"),
        (user("u2", rows(50)), "words"),
        (replace(user("u2", "Look."), parts=(FILE,)), "pasted"),
        (assistant("a2", rows(51)), "words"),
    ],
    ids=["pasted", "typed", "attached", "the model's"],
)
def test_what_must_stay_is_cut_the_sooner_the_less_it_was_typed(said, first):
    for cut in CUTS:
        before = next_request([said], WINDOW)
        found = trim.shrink(before, before.budget.warning, "full", cut=cut)
        ops = [op for op in found.ops if isinstance(op, Replace)] if found else []
        assert bool(ops) is (CUTS.index(cut) >= CUTS.index(first))
        if ops:
            assert after(before, found).tokens <= before.budget.effective
            assert "[truncated: " in ops[0].text


def test_a_rule_in_what_is_cut_stands_behind_the_cut():
    rule = "Never rename the function parse_url."
    text = "\n".join([rows(30), rule, rows(30)])
    said = replace(user("u2", text), origin=Origin.PERSON)
    pasted = replace(said, parts=(replace(said.parts[0], pasted=()),))
    before = next_request([pasted], WINDOW)
    found = trim.shrink(before, before.budget.warning, "full", cut="pasted")
    left = texts(after(before, found))["u2.0"]
    assert left.endswith(f"- {rule}")
    assert left.count(rule) == 1

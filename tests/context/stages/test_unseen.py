"""What the model has not seen never leaves: each result stands in a request after it arrived."""

from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import AT, LEDGER, TOOLS, assistant, result, user
from context.stages.logs import START, lines, next_request, read, shell, texts
from examples import examples
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Framed, ItemState, Refer, Said, Slot, Stage
from plimsoll.context.log.messages import Source, canonical
from plimsoll.context.pipeline.proposal import NextRequest, as_edit
from plimsoll.context.pipeline.reduction import ReductionPlan
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.stages.cut import common_size, least_result
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.view.fold import Fold
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.reduction.ingest import ingest_edits, too_long

SEEN = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""In full, cut, or as a pointer: the fold shows one only while its base stands."""
FILES = ("a.py", "b.py", "c.py")
CALLS = st.tuples(
    st.sampled_from(["read", "read", "shell", "grep"]),
    st.sampled_from(FILES),
    st.sampled_from([0.01, 0.1, 0.2, 0.24]),
)
STEPS = st.lists(
    st.tuples(
        st.lists(CALLS, min_size=1, max_size=6),
        st.booleans().map(lambda said: "Go on, please." if said else ""),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)
"""The calls of an answer, what a person says before the next one, and whether the cache is cold."""


class Played:
    """A session that asks the model at each step, as far as its requests can be made."""

    def __init__(self, window: int) -> None:
        self.budget, self.clock, self.numbers = budget_for(window), CountedClock(), count(1)
        self.fold = Fold(LEDGER, START, TOOLS)
        self.waiting: list[str] = []
        """Results that no request has carried."""
        self.cold = True

    @property
    def next_request(self) -> NextRequest:
        return NextRequest(
            indexes=Indexes(self.fold),
            budget=self.budget,
            settings=PipelineSettings(),
            cold=self.cold,
        )

    def answer(self, calls: Sequence[tuple[str, str, float]]) -> None:
        group = f"a{next(self.numbers)}"
        named = [
            (f"{group}c{n}", tool, f'{{"path":"{path}"}}')
            for n, (tool, path, _) in enumerate(calls)
        ]
        names = {"read": "file_read", "shell": "shell", "grep": "grep"}
        made = [(name, names[tool], asked) for name, tool, asked in named]
        self.fold.append(assistant(group, "", *made))
        for (name, tool, _), (kind, path, share) in zip(made, calls, strict=True):
            words = int(share * self.budget.effective)
            salt = "" if kind == "read" else name
            text = lines(f"{path}{salt}.", count=words // 5 + 1)
            source = Source(f"file:///w/{path}", None, f"{words}") if kind == "read" else None
            said = result(f"{name}r", group, name, text, tool, source=source)
            long = too_long(said, self.next_request)
            edits = ingest_edits(said, self.next_request, self.clock, cut=long)
            self.fold.extend([said, *edits])
            self.waiting.append(f"{name}r.0")

    def say(self, text: str) -> None:
        if text:
            self.fold.append(user(f"u{next(self.numbers)}", text))

    def ask(self) -> bool:
        """Make the next request; returns whether it can be made."""
        reduced = preflight(self.next_request)
        if reduced.missing:
            return False
        for proposal in reduced.proposals:
            self.fold.append(as_edit(proposal, self.clock.new_id("e"), AT))
        stand = {shown.item: shown for shown in self.fold.view.items()}
        for item in self.waiting:
            assert item in stand, f"{item} left before any request carried it"
            assert stand[item].state in SEEN, f"{item} was noted before any request carried it"
        self.waiting.clear()
        self.cold = False
        return True


@pytest.mark.parametrize("window", [1_024, 4_096, 16_384])
@settings(max_examples=examples(60))
@given(steps=STEPS)
def test_each_result_stands_in_a_request_after_it_arrived(window, steps):
    played = Played(window)
    for calls, words, cold in steps:
        played.answer(calls)
        played.say(words)
        played.cold = played.cold or cold
        if not played.ask():
            return


WINDOW = 16_384
EFFECTIVE = 12_288


def parallel(*texts_of: str, asked: str = '{"command":"make"}') -> list[Said]:
    """Commands of one answer, and what they printed."""
    calls = [(f"p{n}", "shell", asked) for n in range(len(texts_of))]
    results = [result(f"rp{n}", "ap", f"p{n}", text, "shell") for n, text in enumerate(texts_of)]
    return [assistant("ap", "all at once", *calls), *results]


def reduced(*entries) -> tuple[NextRequest, ReductionPlan]:
    before = next_request(entries, WINDOW)
    return before, preflight(before)


def standing(before: NextRequest, plan: ReductionPlan) -> dict[str, str]:
    """What would be sent."""
    fold = before.fold
    for number, proposal in enumerate(plan.proposals):
        fold.append(as_edit(proposal, f"e{number}", AT))
    return texts(before)


def test_a_pointer_that_nobody_saw_keeps_its_base_or_stands_in_full():
    again = read(2, lines("x", 500))
    pointer = ingest_edits(
        again[1], next_request(read(1, lines("x", 500)), WINDOW), CountedClock(), cut=False
    )
    assert isinstance(pointer[0].ops[0], Refer)
    noise = [said for n in range(3, 10) for said in shell(n, f"make {n}", lines(f"log{n}.", 250))]
    before, plan = reduced(*read(1, lines("x", 500)), *noise, *again, *pointer)
    assert {proposal.stage for proposal in plan.proposals} == {Stage.PRUNE}
    text = standing(before, plan)
    assert text["r2.0"].startswith("[the same text stands") == ("x7.3" in text["r1.0"])
    assert "[Old " not in text["r2.0"]


def test_what_was_seen_goes_before_what_is_new_is_cut_and_the_talk_stays():
    old = [said for n in range(1, 5) for said in shell(n, "ls", lines(f"old{n}.", 250))]
    new = [lines(f"new{n}.", 800) for n in range(3)]
    before, plan = reduced(*old, *parallel(*new))
    assert before.tokens > EFFECTIVE
    assert [proposal.stage for proposal in plan.proposals] == [Stage.PRUNE, Stage.TRUNCATE]
    assert plan.proposals[-1].after < before.budget.compact
    text = standing(before, plan)
    assert all("[Old shell output cleared" in text[f"r{n}.0"] for n in range(1, 5))
    for number in range(3):
        shown = text[f"rp{number}.0"]
        assert f"new{number}.0.0" in shown
        assert f"new{number}.799.4" in shown
    assert "step 1" in text["a1.0"]


@pytest.mark.parametrize(("share", "cut"), [(0.88, False), (0.93, True)])
def test_new_results_that_would_force_a_last_answer_are_cut_and_the_work_goes_on(share, cut):
    rows = int(share * EFFECTIVE) // 20
    before, plan = reduced(*parallel(*(lines(f"new{n}.", rows) for n in range(4))))
    budget = before.budget
    assert (budget.force_final <= before.tokens < budget.blocking) is cut
    assert [proposal.stage for proposal in plan.proposals] == [Stage.TRUNCATE] * cut
    text = standing(before, plan)
    assert before.fold.view.tokens < budget.force_final
    assert all(f"new{n}.0.0" in text[f"rp{n}.0"] for n in range(4))


def test_the_lines_that_the_call_was_about_stay_and_so_do_failures():
    """Head and tail of a log say little of the one test that was asked for."""
    rows = [f"tests/test_{n}.py passed in time" for n in range(2_000)]
    rows[900] = "tests/test_billing.py passed at last"
    rows[1_200] = "E   AssertionError: 3 != 4"
    before, plan = reduced(
        *parallel(*["\n".join(rows)] * 2, asked='{"command":"pytest -k billing"}')
    )
    shown = standing(before, plan)["rp0.0"]
    assert "901: tests/test_billing.py passed at last" in shown
    assert "1201: E   AssertionError: 3 != 4" in shown
    assert shown.startswith("tests/test_0.py")
    assert shown.endswith("tests/test_1999.py passed in time")


def test_a_cut_that_is_cut_again_still_names_the_file_that_holds_the_whole():
    before = next_request(parallel(*(lines(f"new{n}.", 600) for n in range(4))), WINDOW)
    clock = CountedClock()
    edits = ingest_edits(before.fold.entries[-1], before, clock, cut=True, kept_in="/spill/p3.txt")
    before.fold.extend(edits)
    plan = preflight(before)
    assert "/spill/p3.txt" in standing(before, plan)["rp3.0"]


@pytest.mark.parametrize("offered", [True, False])
def test_a_cut_without_a_file_names_the_item_where_history_can_bring_it_back(offered):
    new = parallel(*(lines(f"new{n}.", 600) for n in range(4)))
    text = canonical({"name": "history", "description": "", "parameters": {}})
    schema = Framed(id="f1", at=AT, slot="tools.history", kind=Slot.TOOLS, text=text)
    before, plan = reduced(*([schema] if offered else []), *new)
    assert ("history with item_id rp3.0 and offset " in standing(before, plan)["rp3.0"]) is offered


def test_where_even_the_least_of_each_does_not_fit_it_is_said_and_nothing_leaves():
    many = [f"line{n} " + "word " * 400 for n in range(80)]
    before, plan = reduced(*parallel(*many))
    assert plan.missing > 0
    with before.fold.trial_edit(as_edit(plan.proposals[-1], "trial")) as view:
        states = [s.state for s in view.items() if s.item.startswith("rp")]
    assert len(states) == len(many)
    assert set(states) <= SEEN


@pytest.mark.parametrize(("window", "least"), [(1_024, 76), (2_048, 153), (16_384, 200)])
def test_the_least_of_a_result_is_a_tenth_of_a_small_window(window, least):
    assert least_result(budget_for(window)) == least


@pytest.mark.parametrize(
    ("sizes", "excess", "size"),
    [
        ([1_000], 300, 700),
        ([1_000, 100], 300, 700),
        ([1_000, 900], 300, 800),
        ([1_000, 900, 150], 1_500, 200),
        ([1_000, 900, 150], 1_501, None),
        ([150], 1, None),
    ],
)
def test_the_largest_are_cut_to_one_size(sizes, excess, size):
    assert common_size(sizes, excess, 200) == size

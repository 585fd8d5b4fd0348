"""What the product says to people, as Markdown."""

from dataclasses import replace

import pytest

from plimsoll.context.budget import Meter, Zone, budget_for
from plimsoll.context.log.entries import Slot, Stage
from plimsoll.context.report.history import PastRequest
from plimsoll.context.report.receipts import Lost, Receipt, ReceiptItem
from plimsoll.session.commands.markdown import NEWEST, SIGNS, curve, picture, receipt_markdown


def receipt(why: str, lost: Lost | None = None) -> Receipt:
    return Receipt(
        id="e1",
        stage=Stage.DIGEST,
        status="completed",
        at="2026-01-01T00:00:00.000Z",
        why=why,
        before=9_000,
        after=1_000,
        items=(),
        lost=lost or Lost(),
        undone=False,
        rewritten=0,
    )


@pytest.mark.parametrize(
    "why",
    [
        "you asked for it: keep the tests",
        "you asked for it: keep the tests.",
        "you asked for it:\nkeep the tests.\n",
    ],
)
def test_the_reason_of_a_receipt_is_one_sentence_on_one_line(why):
    lines = receipt_markdown(receipt(why)).split("\n")
    assert lines[2] == "You asked for it: keep the tests. `/undo` undoes it."


@pytest.mark.parametrize(
    ("stage", "before", "after", "expected"),
    [
        (
            Stage.PRUNE,
            9_000,
            1_000,
            [
                "**Undone: 1 old result is back.**",
                "",
                "8.0k tokens are in the context again, and stay until it is full.",
            ],
        ),
        (
            Stage.RESTORE,
            1_000,
            9_000,
            [
                "**Undone: 1 item is out again.**",
                "",
                "8.0k tokens are free again.",
            ],
        ),
    ],
)
def test_an_undone_reduction_says_what_was_taken_back_and_offers_no_undo(
    stage, before, after, expected
):
    item = ReceiptItem(id="r1.0", title="src/a.py", tokens=8_000, where="kept")
    done = replace(
        receipt("at the compact mark"), stage=stage, before=before, after=after, items=(item,)
    )
    assert receipt_markdown(replace(done, undone=True)).split("\n") == expected
    assert "`/undo` undoes it" in receipt_markdown(done)


def test_a_receipt_says_which_rules_and_tasks_left_and_lists_no_names():
    lost = Lost(
        identifiers=("parse_config", "PLUGIN"),
        constraints=("Never touch\nthe lock file.",),
        tasks=("write the docs",),
        identifiers_total=1_002,
        constraints_total=3,
    )
    assert receipt_markdown(receipt("you asked for it", lost)).split("\n")[-5:] == [
        "- Never touch the lock file.",
        "- and 2 more",
        "",
        "Tasks that left the context:",
        "- write the docs",
    ]


def test_the_picture_has_a_cell_for_each_per_cent_and_the_marks_where_it_is_free():
    budget = budget_for(128_000)
    parts = {Slot.TOOL_RESULTS: 56_000, Slot.SYSTEM: 5_600}
    meter = Meter(used=61_600, budget=budget, zone=Zone.OK, parts=parts, basis="counted", margin=0)
    _, *lines, _, legend = picture(meter)
    cells = "".join(lines)
    assert [len(line) for line in lines] == [25] * 4
    assert cells.startswith("S" * 5 + "R" * 50 + "·")
    assert [cells[at] for at in (75, 85, 97)] == ["w", "c", "s"]
    assert cells.count("·") == 100 - 55 - 3
    assert "warning" in legend


def test_every_kind_has_a_sign_of_its_own():
    assert set(SIGNS) == set(Slot)
    assert len(set(SIGNS.values())) == len(SIGNS)


def past(tokens: int, *reductions: str) -> PastRequest:
    return PastRequest(turn=1, at="", model="", tokens=tokens, reductions=reductions)


def loaded(used: int) -> Meter:
    budget = budget_for(128_000)
    parts = {Slot.USER: used}
    return Meter(used=used, parts=parts, zone=Zone.OK, basis="counted", margin=0, budget=budget)


def test_the_curve_has_a_block_for_each_request_and_the_next_and_marks_reductions():
    drawn = curve(loaded(16_000), [past(0), past(111_999), past(56_000, "e1")])
    assert drawn[:5] == ["", "```text", "  v", "▁▇▄▂", "```"]
    assert curve(loaded(224_000), [past(56_000)])[2:4] == ["▂█", "```"]


def test_the_curve_shows_the_newest_requests_and_is_left_out_before_the_first():
    assert len(curve(loaded(1), [past(9_000)] * 99)[2]) == NEWEST + 1
    assert curve(loaded(1), []) == []

"""The load line: what the next request takes, the unsent prompt and the tool schemas included."""

import pytest

from builders import AT, LEDGER, conversation, edited, pin, user
from plimsoll.context.budget import Measured, Zone, budget_for, meter_of
from plimsoll.context.log.entries import Framed, ItemState, Replace, Slot, Stage, Undone
from plimsoll.context.log.messages import canonical
from plimsoll.context.view.fold import Fold

BUDGET = budget_for(4_096)


def schema(name: str, words: int) -> Framed:
    text = canonical({"name": name, "description": "word " * words, "parameters": {}})
    return Framed(id=f"f.{name}", at=AT, slot=f"tools.{name}", kind=Slot.TOOLS, text=text)


def test_tool_schemas_and_the_unsent_prompt_are_part_of_the_load():
    """KosmoKrator's trigger leaves the schemas out, zed #62423 the prompt that is being sent."""
    bare = Fold(LEDGER, conversation(3)).view
    full = Fold(LEDGER, [schema("grep", 500), schema("glob", 300), *conversation(3)]).view
    meter = meter_of(full, BUDGET, draft=200)
    assert meter.parts[Slot.TOOLS] == 500 + 300 + 2 * 4 + 2
    assert meter.parts[Slot.DRAFT] == 200
    assert meter.used == bare.tokens + meter.parts[Slot.TOOLS] + 200
    assert sum(meter.parts.values()) == meter.used


def test_fifty_thousand_tokens_of_schemas_alone_fill_a_window():
    view = Fold(LEDGER, [schema(f"tool{n}", 500) for n in range(100)]).view
    meter = meter_of(view, budget_for(60_000))
    assert meter.used > 50_000
    assert meter.zone is Zone.BLOCKING


def test_the_unsent_prompt_moves_the_zone():
    view = Fold(LEDGER, conversation(3)).view
    assert meter_of(view, BUDGET).zone is Zone.OK
    room = BUDGET.warning - view.tokens
    assert meter_of(view, BUDGET, draft=room).zone is Zone.WARNING
    assert meter_of(view, BUDGET, draft=room - 1).zone is Zone.OK


@pytest.mark.parametrize(
    "measured",
    [None, Measured("t1", 0, 900, 0), Measured("t1", 9_999_999, 900, 12), Measured("t2", 7, 900)],
    ids=["missing", "nought", "cumulative", "less than the last"],
)
def test_what_a_provider_reports_stands_beside_our_count_and_never_in_it(measured):
    """neosh #115 shows the cumulative figure, claude-code #63630 shows 190 %."""
    view = Fold(LEDGER, conversation(3)).view
    meter = meter_of(view, BUDGET, measured=measured)
    assert meter.used == view.tokens
    assert meter.measured is measured
    assert BUDGET.percent(meter.used) < 100


def test_a_reduction_and_its_undo_move_the_parts_and_bring_them_back():
    fold = Fold(LEDGER, [*conversation(4, 200), pin(1, "always so"), user("u9", "so")])
    before = meter_of(fold.view, BUDGET)
    op = Replace("r1.0", "[pruned]", ItemState.PRUNED)
    fold.append(edited("e1", op, stage=Stage.PRUNE))
    after = meter_of(fold.view, BUDGET)
    assert before.parts[Slot.TOOL_RESULTS] - after.parts[Slot.TOOL_RESULTS] == 201
    assert {slot: n for slot, n in before.parts.items() if slot is not Slot.TOOL_RESULTS} == {
        slot: n for slot, n in after.parts.items() if slot is not Slot.TOOL_RESULTS
    }
    fold.append(Undone("x1", AT, "e1"))
    assert meter_of(fold.view, BUDGET) == before


def test_the_parts_stand_in_one_order_however_the_view_came_about():
    """After a restart the meter is the same."""
    fold = Fold(LEDGER)
    for entry in conversation(4):
        fold.append(entry)
        _ = fold.view
    grown, anew = meter_of(fold.view, BUDGET), meter_of(Fold(LEDGER, fold.entries).view, BUDGET)
    assert list(grown.parts.items()) == list(anew.parts.items())

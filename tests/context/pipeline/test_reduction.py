"""The run: stages on the view that the one before would leave, and what a step must free."""

from dataclasses import replace

import pytest

from builders import AT, LEDGER, conversation, exchange, pin, user
from context.stages.logs import next_request, planned
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, ItemState, Replace, Stage
from plimsoll.context.pipeline.proposal import NextRequest, Proposal, as_edit
from plimsoll.context.pipeline.reduction import (
    heaviest_items,
    measure,
    measure_in_trial,
    reduce,
    rewritten_tokens,
)
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.fold import Fold

DRAFT = NextRequest(
    indexes=Indexes(Fold(LEDGER, conversation(6, 100))),
    budget=budget_for(4_096),
    settings=PipelineSettings(),
)


def replacing(item: str, text: str = "-", least: int = 0) -> Proposal:
    return Proposal(
        stage=Stage.PRUNE, why="", ops=(Replace(item, text, ItemState.PRUNED),), least=least
    )


def once(proposal: Proposal):
    """A stage that proposes something as long as it would change anything."""

    def plan(next_request: NextRequest) -> Proposal | None:
        shown = {each.item: each.part.text for each in next_request.fold.view.items()}
        op = proposal.ops[0]
        return proposal if shown[op.item] != op.text else None

    return plan


def test_each_stage_sees_what_the_one_before_would_leave_and_nothing_is_changed():
    seen: list[int] = []

    def looking(next_request: NextRequest) -> None:
        seen.append(next_request.tokens)

    before = DRAFT.fold.view
    found = reduce(DRAFT, [looking, once(replacing("r0.0")), looking, once(replacing("r1.0"))])
    assert seen[:2] == [before.tokens, before.tokens - 101]
    assert [each.before - each.after for each in found.proposals] == [101, 101]
    assert found.view.tokens == before.tokens - 202
    assert DRAFT.fold.view is before
    assert DRAFT.fold.edits == {}


def test_an_earlier_stage_comes_again_after_one_that_makes_it_due():
    def follows(next_request: NextRequest) -> Proposal | None:
        shown = {each.item: each.part.text for each in next_request.fold.view.items()}
        return replacing("r1.0") if shown["r0.0"] == "-" != shown["r1.0"] else None

    found = reduce(DRAFT, [follows, once(replacing("r0.0"))])
    assert [each.ops[0].item for each in found.proposals] == ["r0.0", "r1.0"]


def test_a_proposal_alone_is_measured_on_the_log_and_leaves_it_as_it_is():
    before = DRAFT.fold.view
    found = measure_in_trial(DRAFT, replacing("r0.0"))
    assert (found.before, found.after) == (before.tokens, before.tokens - 101)
    assert found.ops == replacing("r0.0").ops
    assert DRAFT.fold.view is before


def test_what_frees_nothing_or_less_than_it_must_is_dropped():
    longer = replacing("r0.0", "word " * 500)
    short = replacing("r1.0", least=102)
    exact = replacing("r2.0", least=101)
    found = reduce(DRAFT, [once(longer), once(short), once(exact)])
    assert [each.ops[0].item for each in found.proposals] == ["r2.0"]


def test_the_tokens_that_a_change_rewrites_are_those_behind_it():
    fold = DRAFT.fold
    for item, first in (("r0.0", "r0"), ("r5.0", "r5")):
        proposal = replacing(item)
        with fold.trial_edit(as_edit(proposal, "e")) as after:
            found = rewritten_tokens(before_of(), after)
            behind = [line.tokens for line in after.lines]
            names = [line.id for line in after.lines]
        assert found == sum(behind[names.index(first) :])


def before_of():
    return Fold(LEDGER, conversation(6, 100)).view


def test_an_unchanged_view_rewrites_nothing():
    assert rewritten_tokens(DRAFT.fold.view, before_of()) == 0


def test_a_proposal_becomes_an_entry_with_all_that_is_known_of_it():
    proposal = replace(replacing("r0.0"), why="because", model="m/x", spent=7)
    with DRAFT.fold.trial_edit(as_edit(proposal, "e")) as after:
        told = measure(proposal, before_of(), after)
    edit = as_edit(told, "e9", AT)
    assert (edit.id, edit.at, edit.stage, edit.why) == ("e9", AT, Stage.PRUNE, "because")
    assert (edit.before - edit.after, edit.model, edit.spent) == (101, "m/x", 7)
    assert edit.rewritten == told.rewritten > 0


def test_the_heaviest_items_are_named_with_their_tokens():
    entries = [user("u1", "word " * 50), pin(1, "always " * 90), *exchange(1, "x " * 70, "shell")]
    found = heaviest_items(Fold(LEDGER, entries).view, 2)
    assert [(weight.item, weight.title) for weight in found] == [
        ("pin.p1", ("[pinned 1] " + "always " * 90)[:60]),
        ("r1.0", "shell"),
    ]
    assert found[0].tokens > found[1].tokens > 50


def test_a_cover_rewrites_from_its_first_group_on():
    proposal = Proposal(stage=Stage.DIGEST, why="", ops=(Cover(("a0", "a1"), "short"),))
    with DRAFT.fold.trial_edit(as_edit(proposal, "e")) as after:
        kept = [line.tokens for line in after.lines[:1]]
        head = sum(shown.tokens for shown in after.head)
        assert rewritten_tokens(before_of(), after) == after.tokens - head - sum(kept)


@pytest.mark.parametrize(
    ("freed", "stage", "load", "made"),
    [
        (200, Stage.PRUNE, 1_000, True),
        (120, Stage.PRUNE, 1_000, False),
        (120, Stage.TRUNCATE, 1_000, True),
        (120, Stage.PRUNE, 6_400, True),
    ],
    ids=["worth it", "under 2 % of the window", "cut as it is new", "it would not fit otherwise"],
)
def test_a_step_of_under_two_percent_of_the_window_is_made_only_where_it_must(
    freed, stage, load, made
):
    entries = [*exchange(1, "word " * freed), *exchange(2, "word " * (load - freed))]
    before = next_request(entries, 8_192)
    op = Replace("r1.0", "", ItemState.PRUNED)
    plan = Proposal(stage=stage, why="", ops=(op,))
    assert bool(planned(before, lambda _: plan)) is made

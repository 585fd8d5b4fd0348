"""Runs the stages in order of cost, and measures the tokens that each frees and rewrites.

Each stage sees the view as the stages before it would leave it.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import (
    Stage,
)
from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal, as_edit
from plimsoll.context.view.view import RenderedItem, View
from plimsoll.text.first_words import first_words


@dataclass(frozen=True, slots=True)
class Weight:
    """A large item that must stay, listed for a person who has to make room."""

    item: str
    title: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ReductionPlan:
    """The edits that the stages propose before the next request."""

    proposals: tuple[Proposal, ...]
    view: View
    """The view with all of them applied."""
    missing: int = 0
    """Tokens by which the request still does not fit; 0 if it can be sent."""
    heaviest: tuple[Weight, ...] = ()
    """The largest items that must stay, if it does not fit."""


LEAST_STEP = 0.02
"""The share of the window that an automatic reduction must free if the request fits anyway (law
5)."""
MOST_PASSES = 3
"""Most runs through the stages: a later one can make an earlier one due again."""


def reduce(next_request: NextRequest, stages: Sequence[Plan]) -> ReductionPlan:
    """Run the stages in order until none is due; the caller appends the proposals to the log."""
    proposals: list[Proposal] = []
    with ExitStack() as stack:
        for _ in range(MOST_PASSES):
            found = _one_pass(next_request, stages, stack, len(proposals))
            proposals.extend(found)
            if not found:
                break
        view = next_request.fold.view
        missing = max(0, view.tokens - next_request.budget.effective)
        return ReductionPlan(
            tuple(proposals), view, missing, heaviest_items(view) if missing else ()
        )


def _one_pass(
    next_request: NextRequest, stages: Sequence[Plan], stack: ExitStack, number: int
) -> list[Proposal]:
    """Run each stage once; proposals are applied as trials until the stack is closed.

    A proposal is dropped if it frees no tokens, fewer than its own ``least``, or fewer than
    `_least_step`.
    """
    found: list[Proposal] = []
    view = next_request.fold.view
    next_request = replace(next_request, began=view.tokens)
    for plan in stages:
        name = f"pending.{number + len(found)}"
        proposal = plan(replace(next_request, edit_name=name))
        if proposal is not None:
            edit = as_edit(proposal, name)
            least = max(1, proposal.least, _least_step(next_request, proposal))
            trial = ExitStack()
            lighter = trial.enter_context(next_request.fold.trial_edit(edit))
            if view.tokens - lighter.tokens < least:
                trial.close()
                continue
            stack.push(trial)
            found.append(measure(proposal, view, lighter))
            view = lighter
    return found


def _least_step(next_request: NextRequest, proposal: Proposal) -> int:
    """Return the least tokens that a proposal must free; stages on arrival rewrite nothing."""
    fits = next_request.tokens <= next_request.budget.effective
    worth = proposal.stage is not Stage.TRUNCATE and fits
    return int(next_request.budget.window * LEAST_STEP) if worth else 0


def measure_in_trial(next_request: NextRequest, proposal: Proposal) -> Proposal:
    """Add the tokens before, after, and from the first change on, found in a trial."""
    before = next_request.fold.view
    with next_request.fold.trial_edit(as_edit(proposal, "pending")) as after:
        return measure(proposal, before, after)


def measure(proposal: Proposal, before: View, after: View) -> Proposal:
    """Add the tokens before, after, and from the first change on to a proposal."""
    return replace(
        proposal,
        before=before.tokens,
        after=after.tokens,
        rewritten=rewritten_tokens(before, after),
    )


def rewritten_tokens(before: View, after: View) -> int:
    """Count the tokens of the new request from the first difference to the old one on."""
    same = 0
    for old, new in zip(before.items(), after.items(), strict=False):
        if old.item != new.item or old.part.text != new.part.text:
            break
        same += new.tokens
    return after.tokens - same


def heaviest_items(view: View, most: int = 10) -> tuple[Weight, ...]:
    """Return the largest items of a request."""
    items = sorted(view.items(), key=lambda shown: -shown.tokens)[:most]
    return tuple(Weight(shown.item, title_of(shown), shown.tokens) for shown in items)


def title_of(shown: RenderedItem) -> str:
    """Return a short name of an item for people."""
    part = shown.part
    if part.source is not None:
        lines = f" {part.source.lines[0]}-{part.source.lines[1]}" if part.source.lines else ""
        return part.source.uri.rpartition("/")[2] + lines
    if part.name:
        return part.name
    return first_words(part.text, 60) or shown.item

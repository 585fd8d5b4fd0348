"""The pipeline: the stages in cost order, each on the view that the one before would leave."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Edited
from plimsoll.context.stages.next_request import NextRequest, Proposal
from plimsoll.context.view.view import RenderedItem, View

Plan = Callable[[NextRequest], Proposal | None]
"""A stage: the edit that it would make now, or none."""


@dataclass(frozen=True, slots=True)
class Weight:
    """An item that must stay, for the person who has to decide what gives way."""

    item: str
    title: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ReductionPlan:
    """What the pipeline would do before the next request."""

    proposals: tuple[Proposal, ...]
    view: View
    """The view with all of them."""
    missing: int = 0
    """Tokens by which what must stay does not fit; 0 when the request may leave."""
    heaviest: tuple[Weight, ...] = ()
    """The largest items that must stay, when it does not fit."""


MOST_PASSES = 3
"""What a later stage leaves may make an earlier one due again, as when a pointer loses its base."""


def reduce(draft: NextRequest, stages: Sequence[Plan]) -> ReductionPlan:
    """Run the stages in order until none is due; nothing is changed, the caller appends."""
    proposals: list[Proposal] = []
    with ExitStack() as stack:
        for _ in range(MOST_PASSES):
            found = _one_pass(draft, stages, stack, len(proposals))
            proposals.extend(found)
            if not found:
                break
        view = draft.fold.view
        missing = max(0, view.tokens - draft.budget.effective)
        return ReductionPlan(tuple(proposals), view, missing, heaviest(view) if missing else ())


def _one_pass(
    draft: NextRequest, stages: Sequence[Plan], stack: ExitStack, number: int
) -> list[Proposal]:
    """Each stage once; what they propose stands for as long as the stack is open.

    A proposal that frees less than it must, or nothing, is dropped.
    """
    found: list[Proposal] = []
    view = draft.fold.view
    draft = replace(draft, began=view.tokens)
    for plan in stages:
        proposal = plan(draft)
        if proposal is not None:
            edit = as_edit(proposal, f"pending.{number + len(found)}")
            trial = ExitStack()
            lighter = trial.enter_context(draft.fold.supposing(edit))
            if view.tokens - lighter.tokens < max(1, proposal.least):
                trial.close()
                continue
            stack.push(trial)
            found.append(measured(proposal, view, lighter))
            view = lighter
    return found


def as_edit(proposal: Proposal, name: str, at: str = "") -> Edited:
    """The proposal as an entry of the log."""
    return Edited(
        id=name,
        at=at,
        stage=proposal.stage,
        why=proposal.why,
        ops=proposal.ops,
        before=proposal.before,
        after=proposal.after,
        model=proposal.model,
        spent=proposal.spent,
        rewritten=proposal.rewritten,
    )


def measured(proposal: Proposal, before: View, after: View) -> Proposal:
    """The proposal with its tokens before, after, and behind the first change."""
    return replace(
        proposal, before=before.tokens, after=after.tokens, rewritten=rewritten(before, after)
    )


def rewritten(before: View, after: View) -> int:
    """Tokens of the new request that stand behind the first difference from the old one."""
    same = 0
    for old, new in zip(before.items(), after.items(), strict=False):
        if old.item != new.item or old.part.text != new.part.text:
            break
        same += new.tokens
    return after.tokens - same


def heaviest(view: View, most: int = 10) -> tuple[Weight, ...]:
    """The largest items of a request."""
    items = sorted(view.items(), key=lambda shown: -shown.tokens)[:most]
    return tuple(Weight(shown.item, title_of(shown), shown.tokens) for shown in items)


def title_of(shown: RenderedItem) -> str:
    """A short name of an item for people."""
    part = shown.part
    if part.source is not None:
        lines = f" {part.source.lines[0]}-{part.source.lines[1]}" if part.source.lines else ""
        return part.source.uri.rpartition("/")[2] + lines
    if part.name:
        return part.name
    return " ".join(part.text.split())[:60] or shown.item

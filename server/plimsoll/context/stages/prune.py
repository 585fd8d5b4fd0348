"""Prune: old tool results give way to notes, at the warning or as soon as it clearly pays.

Errors, edits and the newest tool output stay; it works inside one user turn as well as over many,
for tool results are protected by tokens alone. Done in big steps: every step pays for a new prefix
(law 5). At the warning the least important go first, down to well below the mark; while there is
room the net gain decides from where on all of them go.
"""

from collections.abc import Iterable, Sequence

from plimsoll.context.log.entries import Op, Stage
from plimsoll.context.stages.candidates import candidates, newest_answer, replacements
from plimsoll.context.stages.cost_model import (
    CLEAR,
    LEAST_FREED,
    horizon,
    may_pay,
    paying,
    pays,
    prices_of,
)
from plimsoll.context.stages.excerpts import note_size
from plimsoll.context.stages.next_request import NextRequest, Proposal
from plimsoll.context.stages.pipeline import as_edit, rewritten
from plimsoll.context.stages.visible_results import VisibleResult, newest_within

TARGET = 0.30
"""Of effective: a prune goes on until the request is this small, so that the next one is far."""


def plan(draft: NextRequest) -> Proposal | None:
    """The prune that brings the request well below the mark, if it frees enough.

    It is due at the warning when the provider's cache is cold, for rewriting then costs no more,
    and at the compact mark, before the digest, while the cache is warm (law 5). It rewrites the
    prefix from its first result on, so whatever pays from there on goes with it.
    """
    settings = draft.settings.pruning
    if not settings.enabled or draft.load < _mark(draft)[1]:
        return None
    target = int(draft.budget.effective * TARGET)
    protected = newest_within(draft, draft.budget.scaled(settings.protect_tokens))
    chosen = _enough(candidates(draft, protected), draft, draft.tokens - target)
    first = min((each.group.place for each in chosen), default=0)
    ops = replacements(draft, [*chosen, *paying(draft, chosen, first, 1)])
    least = draft.budget.scaled(settings.min_savings_tokens)
    return (
        Proposal(stage=Stage.PRUNE, why=_why(draft, chosen), ops=ops, least=least) if ops else None
    )


def in_room(draft: NextRequest) -> Proposal | None:
    """The prune from the cut with the largest gain, checked against the view that it leaves."""
    if not draft.settings.pruning.enabled:
        return None
    least = max(1, int(draft.tokens * LEAST_FREED))
    sent = -1 if draft.cold else newest_answer(draft)
    if not may_pay(draft, sent, least):
        return None
    chosen = paying(draft, (), sent, least)
    return _checked(draft, replacements(draft, chosen), sent, least) if chosen else None


def _mark(draft: NextRequest) -> tuple[str, int]:
    """The mark at which a prune is due."""
    if draft.cold:
        return "warning", draft.budget.warning
    return "compact", draft.budget.compact


def _checked(draft: NextRequest, ops: tuple[Op, ...], sent: int, least: int) -> Proposal | None:
    """The proposal, if it pays in the view that it would really leave.

    A big step also moves to the head what entered at the tail; that too is written anew.
    """
    turns, prices, before = horizon(draft), prices_of(draft), draft.fold.view
    unsent = sum(group.tokens for group in draft.fold.settled()[max(0, sent) :])
    with draft.fold.supposing(
        as_edit(Proposal(stage=Stage.PRUNE, why="", ops=ops), "trial")
    ) as view:
        freed = before.tokens - view.tokens
        anew = max(0, rewritten(before, view) - unsent)
    if freed < least or not pays(freed, anew, turns=turns, prices=prices, ratio=CLEAR):
        return None
    saved = prices.read * turns * freed
    cost = (prices.write - prices.read) * anew
    why = (
        f"net gain: {len(ops)} old results free {freed:,} tokens, which saves about {saved:,.0f} "
        f"over {turns:.0f} requests to come; rewriting {anew:,} cached tokens costs {cost:,.0f}"
    )
    return Proposal(stage=Stage.PRUNE, why=why, ops=ops)


def _enough(
    ordered: Iterable[VisibleResult], draft: NextRequest, wanted: int
) -> list[VisibleResult]:
    """The first of the candidates that free so many tokens, their notes reckoned at full size."""
    chosen: list[VisibleResult] = []
    for each in ordered:
        if wanted <= 0:
            break
        chosen.append(each)
        wanted -= max(0, each.tokens - note_size(draft, each))
    return chosen


def _why(draft: NextRequest, chosen: Sequence[VisibleResult]) -> str:
    shielded = draft.fold.shielded
    forced = [each for each in chosen if each.result.item in shielded or each.group.id in shielded]
    name, mark = ("blocking", draft.budget.blocking) if forced else _mark(draft)
    why = f"{draft.load:,} tokens reached the {name} mark of {mark:,}; {len(chosen)} old results"
    if forced:
        return f"{why}, {len(forced)} that a person had brought back among them"
    return why

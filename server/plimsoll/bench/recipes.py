"""Stages of other agents, by place and age alone, and one that knows what will be used."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from plimsoll.context.log.entries import ItemState, Replace, Stage
from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal
from plimsoll.context.stages.results.protection import free_results, newest_within
from plimsoll.context.stages.results.visible_results import (
    VisibleResult,
)
from plimsoll.context.view.unseen import newest_answer

PLACEHOLDER = "[old tool output cleared to save space]"
FORESEEN_NOTE = 10
"""Tokens of such a note with its frame."""


def _propose_clearing(results: Sequence[VisibleResult]) -> Proposal | None:
    ops = tuple(Replace(each.result.item, PLACEHOLDER, ItemState.PRUNED) for each in results)
    return Proposal(stage=Stage.PRUNE, why="", ops=ops) if ops else None


def clear_beyond(protect: int, least: int) -> Plan:
    """Make a plan that clears tool results older than the newest ``protect`` tokens of them.

    It clears only if that frees ``least`` tokens. Both are scaled to a small window.
    """

    def plan(next_request: NextRequest) -> Proposal | None:
        kept = newest_within(next_request, next_request.budget.scale_tokens(protect))
        old = free_results(next_request, kept)
        proposal = _propose_clearing(old)
        least_freed = next_request.budget.scale_tokens(least)
        return replace(proposal, least=least_freed) if proposal else None

    return plan


def keep_below(share: float) -> Plan:
    """Make a plan that clears the oldest results until the request takes a share of the window."""

    def plan(next_request: NextRequest) -> Proposal | None:
        excess = next_request.tokens - int(next_request.budget.effective * share)
        if excess <= 0:
            return None
        free = free_results(next_request, ())
        freed = accumulate((each.tokens for each in free), initial=0)
        old = [each for each, before in zip(free, freed, strict=False) if before < excess]
        return _propose_clearing(old)

    return plan


def foreseeing(last_use: Mapping[str, int], requests: int) -> Plan:
    """Make a plan that knows the future: it keeps each result until its last use.

    Others are cleared as soon as that saves more, over the requests left, than it costs to
    send the text behind them anew, from where that gains most. ``last_use``: the last request
    that uses a text of a result; ``requests``: of the whole session.
    """

    def plan(next_request: NextRequest) -> Proposal | None:
        now, prices = next_request.fold.requests, next_request.settings.cache
        free = [
            each
            for each in free_results(next_request, ())
            if last_use.get(each.result.part.text, -1) < now
        ]
        if not free:
            return None
        before = [0, *accumulate(group.tokens for group in next_request.fold.rendered_groups())]
        sent = max(0, newest_answer(next_request.fold))
        best, start, freed = 0.0, len(free), 0
        for place in range(len(free) - 1, -1, -1):
            freed += max(0, free[place].tokens - FORESEEN_NOTE)
            anew = max(0, before[sent] - before[free[place].group.index] - freed)
            saved = prices.price_read * freed * (requests - now)
            gain = saved - (prices.price_write - prices.price_read) * anew
            if gain > best:
                best, start = gain, place
        return _propose_clearing(free[start:]) if best > 0 else None

    return plan

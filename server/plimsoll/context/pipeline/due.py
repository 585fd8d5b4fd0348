"""When a stage is due: conditions on the load and the marks of the budget."""

from collections.abc import Callable
from functools import wraps

from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal
from plimsoll.context.view.unseen import unseen_tokens

Condition = Callable[[NextRequest], bool]
"""Whether a stage is due."""


def due(condition: Condition) -> Callable[[Plan], Plan]:
    """Return a decorator that runs a stage only while a condition holds."""

    def conditional(plan: Plan) -> Plan:
        @wraps(plan)
        def when_due(next_request: NextRequest) -> Proposal | None:
            return plan(next_request) if condition(next_request) else None

        return when_due

    return conditional


def at_warning_or_cold(next_request: NextRequest) -> bool:
    """Tell whether the load has reached the warning mark, or the cache is cold."""
    warned = next_request.load >= next_request.budget.warning
    return next_request.settings.pruning.enabled and (next_request.cold or warned)


def at_compact(next_request: NextRequest) -> bool:
    """Tell whether the load has reached the compact mark and automatic compaction is on."""
    return next_request.settings.compaction.auto and reached_compact(next_request)


def reached_compact(next_request: NextRequest) -> bool:
    """Tell whether the load, in most cases without unseen results, has reached the compact mark.

    Results that no request has carried may not leave yet, and after the next request they may for
    next to nothing: they alone are no reason to rewrite the prefix, unless the model would be asked
    for its last answer, or nothing fits any more.
    """
    budget, tokens = next_request.budget, next_request.tokens
    if tokens < budget.compact:
        return False
    if tokens >= min(budget.force_final, budget.blocking):
        return True
    return tokens - unseen_tokens(next_request.fold) >= budget.compact


def at_blocking(next_request: NextRequest) -> bool:
    """Tell whether the load has reached the blocking mark."""
    return next_request.tokens >= next_request.budget.blocking

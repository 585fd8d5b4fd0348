"""What to do before a request, decided without doing it."""

from plimsoll.context.stages import dedup, digest, prune, trim
from plimsoll.context.stages.next_request import NextRequest
from plimsoll.context.stages.pipeline import Plan, ReductionPlan, reduce

STAGES: tuple[Plan, ...] = (dedup.plan, prune.plan, prune.in_room, digest.plan, trim.plan)
"""In cost order; a stage that returns none leaves the work to the next."""


def preflight(draft: NextRequest) -> ReductionPlan:
    """The edits that the next request needs, and the view that they would leave."""
    return reduce(draft, STAGES)

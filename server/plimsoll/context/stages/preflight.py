"""The pre-flight: the automatic stages in order, run before each request to the model."""

from plimsoll.context.pipeline.proposal import NextRequest, Plan
from plimsoll.context.pipeline.reduction import ReductionPlan, reduce
from plimsoll.context.stages import compact, cut, dedup, digest, prune, trim

STAGES: tuple[Plan, ...] = (
    dedup.plan,
    prune.in_room,
    prune.plan,
    cut.plan,
    compact.plan,
    digest.plan,
    cut.before_last_answer,
    trim.plan,
)
"""In order of cost; a stage that returns none leaves the work to the next. Pruning that pays comes
before what a mark demands: near the end of the request it costs next to nothing, and often it is
enough. New results are cut before the conversation is summarised if that is enough, otherwise after
it; then also where an answer would be forced, since a half-read result is better than a turn cut
short. The digest serves where no model's summary is ready."""


def preflight(next_request: NextRequest) -> ReductionPlan:
    """Compute the edits that the next request needs, and the view after them."""
    return reduce(next_request, STAGES)

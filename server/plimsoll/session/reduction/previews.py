"""What a reduction would do now, told before anybody does it."""

from collections.abc import Mapping

from plimsoll.context.budget import Zone
from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal, as_edit
from plimsoll.context.pipeline.reduction import measure_in_trial, reduce
from plimsoll.context.report.receipts import Receipt, receipt_of
from plimsoll.context.stages import dedup, digest, prune, trim
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.events import ReductionPlanned
from plimsoll.session.reduction.compaction import compaction
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.voice import SessionVoice


def room_by_compaction(next_request: NextRequest) -> int:
    """Count the tokens that a compaction by hand would free now, with the digest as summary."""
    proposal = compaction(next_request, "a preview")
    if proposal is None:
        return 0
    one = measure_in_trial(next_request, proposal)
    return max(0, one.before - one.after)


def preview(next_request: NextRequest, proposal: Proposal) -> Receipt:
    """Preview the receipt that a proposal would have; changes nothing."""
    edit = as_edit(measure_in_trial(next_request, proposal), "pending")
    with next_request.fold.trial_edit(edit):
        return receipt_of(edit, next_request.indexes, planned=True)


def preview_stage(next_request: NextRequest, stage: str | None) -> Receipt:
    """Preview the receipt of a stage, or, without a name, of a compaction, as of now.

    Raises:
        InvalidInput: The stage has nothing to reduce.
    """
    plan = PREVIEWS.get(stage or "digest")
    proposal = plan(next_request) if plan else None
    if proposal is None:
        raise InvalidInput(
            f"The stage {stage or 'digest'} has nothing to do now.",
            remedy="Go on; the load line shows when it has.",
        )
    return preview(next_request, proposal)


def _first_of(*stages: Plan) -> Plan:
    """Return the plan of the first of some stages that is due and frees enough."""

    def plan(next_request: NextRequest) -> Proposal | None:
        return next(iter(reduce(next_request, stages).proposals), None)

    return plan


def _compaction(next_request: NextRequest) -> Proposal | None:
    return compaction(next_request, "a preview")


def _trim(next_request: NextRequest) -> Proposal | None:
    return trim.shrink(next_request, next_request.budget.warning, "a preview")


PREVIEWS: Mapping[str, Plan] = {
    "dedup": _first_of(dedup.plan),
    "prune": _first_of(prune.plan, prune.in_room),
    "digest": _compaction,
    "compact": _compaction,
    "trim": _trim,
}
"""The stages that a person can look ahead at."""


def warn_ahead(load: SessionLoad, voice: SessionVoice) -> None:
    """Warn of the next compaction with its preview, once each time the warning mark is crossed."""
    next_request = load.next_request
    if not next_request.settings.compaction.auto or load.zone == Zone.OK or load.warned:
        return
    proposal = digest.propose(next_request, "the context is past the warning mark")
    if proposal is None:
        return
    receipt = preview(next_request, proposal)
    load.take_warning()
    voice.emit(ReductionPlanned(receipt, load.turns_left(next_request.tokens)))

"""The warning before an automatic compaction, so that a person can do it now, or put it off."""

from plimsoll.context.budget import Zone
from plimsoll.context.report.receipts import receipt_of
from plimsoll.context.stages import digest
from plimsoll.context.stages.pipeline import as_edit, measured
from plimsoll.session.events import ReductionPlanned
from plimsoll.session.reduction.forecast import turns_left
from plimsoll.session.session_state import SessionState


def warn_ahead(state: SessionState) -> None:
    """Tell what the next compaction would do, once each time the warning mark is crossed."""
    draft, fold = state.draft, state.log.fold
    if not draft.settings.compaction.auto or state.zone == Zone.OK or state.warned:
        return
    proposal = digest.propose(draft, "the load is past the warning mark")
    if proposal is None:
        return
    before = fold.view
    with fold.supposing(as_edit(proposal, "pending")) as after:
        edit = as_edit(measured(proposal, before, after), "pending")
        receipt = receipt_of(edit, fold, planned=True)
    left = turns_left(fold.entries, before.tokens, state.model.budget)
    state.warn(ReductionPlanned(receipt, left))

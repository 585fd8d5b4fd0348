"""Making the next request fit, before it is asked: what is due is reduced, or why it cannot be."""

from plimsoll.context.log.entries import Framed, Stage
from plimsoll.context.pipeline.reduction import ReductionPlan
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.view.fold import Fold
from plimsoll.session.asking.request import infeasible
from plimsoll.session.layers.framing import freed_by, stripped_schemas, tool_choice_change
from plimsoll.session.model.profile import suit_window
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.events import NoticeGiven, SettingsNamed
from plimsoll.session.reduction.hooked_compaction import add_kept, held_back, tell_hooks
from plimsoll.session.reduction.model_compaction import tell_compacted
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.recovery import cut_to_fit
from plimsoll.telemetry.base import TOKENS_AFTER, TOKENS_BEFORE

NEARLY_FULL = (
    "The context is over {percent} % full, so the model was asked for its last answer, without "
    "tools. To work on with them, send `/compact`, remove what is not needed, or open a new "
    "session."
)


async def lighten(state: SessionState, turn: str | None = None) -> None:
    """Reduce the view until the next request fits.

    Raises:
        Infeasible: What must stay does not fit.
    """
    with state.tracer.span("preflight", "preflight", {}) as span:
        span[TOKENS_BEFORE] = state.log.fold.view.tokens
        await _lighten(state, turn)
        span[TOKENS_AFTER] = state.log.fold.view.tokens


async def _lighten(state: SessionState, turn: str | None) -> None:
    if state.load.measured is None:
        # What a provider has reported of stands in its cache: the profile stays.
        await suit_window(state)
    state.load.release_compaction(turn or "")
    reduced, thinner, missing = _reductions(state.load, state.log.fold, state.clock)
    keep = await held_back(state, turn, reduced)
    if state.has_hooks("PreCompact"):
        # While they ran more may have been said.
        reduced, thinner, missing = _reductions(state.load, state.log.fold, state.clock)
    if missing > 0 and await cut_to_fit(state, turn):
        reduced, thinner, missing = _reductions(state.load, state.log.fold, state.clock)
    fold, budget, clock = state.log.fold, state.model.budget, state.clock
    if missing > 0:
        # Nothing leaves in vain: all stays as it was until the request can be made.
        raise infeasible(missing, reduced.heaviest, budget)
    receipts: list[Receipt] = []
    for proposal in reduced.proposals:
        receipt = await state.apply(add_kept(state, proposal, keep or ()))
        if receipt.stage is Stage.COMPACT:
            await tell_compacted(state.voice, turn, receipt)
        receipts.append(receipt)
    gates = tool_choice_change(fold, budget, state.mode, clock)
    if thinner or gates:
        await state.append(*thinner, *gates)
    for receipt in receipts:
        await tell_hooks(state, turn, receipt)
    if turn is not None and gates and gates[-1].text == "none":
        percent = round(100 * budget.force_final / budget.effective)
        words = NEARLY_FULL.format(percent=percent)
        named = SettingsNamed(("budget.force_final_at",))
        state.voice.emit(NoticeGiven(words, "warning", turn, named))


def _reductions(
    load: SessionLoad, fold: Fold, clock: Clock
) -> tuple[ReductionPlan, tuple[Framed, ...], int]:
    """Plan the reductions that are due, and the tokens by which the request is still too long."""
    reduced = load.plan()
    thinner = stripped_schemas(
        fold, load.model.budget, reduced.proposals, clock, missing=reduced.missing
    )
    return reduced, thinner, reduced.missing - freed_by(thinner, fold)

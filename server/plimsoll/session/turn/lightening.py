"""Making the next request fit: before it is sent, and once more when the provider refuses it."""

from dataclasses import replace

from plimsoll.context.stages import digest
from plimsoll.context.stages.next_request import NextRequest
from plimsoll.context.stages.trim import shrink
from plimsoll.errors import ProviderOverflow
from plimsoll.session.events import NoticeGiven
from plimsoll.session.reduction.reductions import priced
from plimsoll.session.session_state import SessionState
from plimsoll.session.turn.escalation import freed_by, gate, stripped_schemas
from plimsoll.session.turn.request import infeasible


async def lighten(state: SessionState) -> None:
    """Make the next request fit.

    Raises:
        Infeasible: What must stay does not fit.
    """
    reduced = state.ahead()
    fold, budget, clock = state.log.fold, state.model.budget, state.environment.clock
    thinner = stripped_schemas(fold, budget, reduced.proposals, clock)
    missing = reduced.missing - freed_by(thinner, fold)
    if missing > 0:
        # Nothing leaves in vain: all stays as it was until the request can be made.
        raise infeasible(missing, reduced.heaviest, budget)
    for proposal in reduced.proposals:
        await state.apply(proposal)
    gates = gate(fold, budget, state.mode, clock)
    if thinner or gates:
        await state.append(*thinner, *gates)


async def recover(state: SessionState, turn: str, error: ProviderOverflow) -> None:
    """The provider counts more than we do: make it lighter once, and say so.

    A digest that frees too little is followed by trimming: there is no second recovery.
    """
    why = "the provider says that the prompt is too long"
    target = state.log.fold.view.tokens * 2 // 3
    proposal = digest.propose(state.draft, why, least_kept=True, by_hand=True)
    if proposal is None and shrink(_as_if(target, state), target, why) is None:
        raise error
    off = "" if state.draft.settings.compaction.auto else ", although automatic compaction is off"
    state.emit(NoticeGiven(f"Recovering: {why}, so the context is reduced{off}.", "warning", turn))
    if proposal is not None:
        await state.apply(priced(state.draft, proposal))
    if state.log.fold.view.tokens > target:
        rest = shrink(_as_if(target, state), target, why)
        if rest is not None:
            await state.apply(priced(state.draft, rest))


def _as_if(target: int, state: SessionState) -> NextRequest:
    """The next request in a window that leaves no more than the target: so results are cut too."""
    budget = replace(state.model.budget, effective=target)
    return replace(state.draft, budget=budget)

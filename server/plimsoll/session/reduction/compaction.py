"""Compaction: a summary is put in the place of the old part, the model's or else the digest."""

from functools import partial
from typing import Literal

from plimsoll.context.log.entries import Entry
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.pipeline.reduction import measure_in_trial
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.stages import digest
from plimsoll.context.stages.compact import propose as ready_summary
from plimsoll.context.stages.compaction_plan import least_gain, plan_compaction
from plimsoll.context.stages.results.protection import protected_groups
from plimsoll.context.view.view import groups_of
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.layers.framing import stripped_schemas
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.reduction.hooked_compaction import add_kept, kept_by_hooks, tell_hooks
from plimsoll.session.reduction.model_compaction import Declined, propose_compaction
from plimsoll.session.state.notes import fulfilled_note
from plimsoll.session.state.session_state import SessionState

Strategy = Literal["auto", "digest", "model"]


async def compact(
    state: SessionState,
    instructions: str = "",
    strategy: Strategy = "auto",
    *,
    why: str = "the user asked for it",
    by_hand: bool = True,
    anyway: bool = True,
    until: str | None = None,
) -> Receipt:
    """Put a summary in the place of the old part: the model's, else the digest.

    ``digest`` calls no model; ``model`` fails where the model's summary cannot be used. Without
    ``by_hand`` the breaker is respected, what a person brought back stays, and it must pay; without
    ``anyway`` no model is asked for what could free next to nothing. ``until``: what comes after
    this message stays.

    Raises:
        NotFound: There is no message ``until``.
        InvalidInput: There is nothing or too little that a summary would make lighter, no model's
            summary, or a hook put off what no person asked for.
        ProviderError: The provider failed, and nothing but the model's summary was wanted.
    """
    check_message(state.log, until)
    keep = await kept_by_hooks(state, instructions, by_hand=by_hand)
    why = f"{why}: {instructions}" if instructions else why
    told: Proposal | Declined | None = None
    if strategy != "digest":
        asking = partial(_by_model, by_hand=by_hand, anyway=anyway, until=until)
        told = await asking(state, why, instructions)
    if strategy == "model" and isinstance(told, Declined):
        raise told.error or InvalidInput(
            f"There is no summary by the model: {told.reason}.",
            remedy="Ask for the strategy `digest`, which needs no model.",
        )
    declined = told.reason.rstrip(".") if isinstance(told, Declined) and told.failed else None
    proposal = (
        told
        if isinstance(told, Proposal)
        else compaction(state.load.next_request, why, by_hand=by_hand, until=until)
    )
    priced_one = measure_in_trial(state.load.next_request, proposal) if proposal else None
    least = 1 if by_hand else least_gain(state.load.next_request)
    if priced_one is None or priced_one.before - priced_one.after < least:
        raise _nothing_to_compact(declined)
    if declined is not None:
        notice = f"An automatic summary was used instead of the model's: {declined}."
        state.voice.emit(NoticeGiven(notice, "warning"))
    return await apply_compaction(state, add_kept(state, priced_one, keep))


async def apply_compaction(state: SessionState, proposal: Proposal) -> Receipt:
    """Apply a compaction as a big step, which ends a postponement."""
    fulfilled = fulfilled_note(state.load.postponed_until, state.clock)
    receipt = await apply_big_step(state, proposal, *fulfilled)
    if fulfilled:
        state.load.end_postponement()
    await tell_hooks(state, None, receipt)
    return receipt


async def apply_big_step(state: SessionState, proposal: Proposal, *with_it: Entry) -> Receipt:
    """Apply a reduction that rewrites the prefix, with the stripped schemas that are due."""
    clock, budget = state.clock, state.model.budget
    thinner = stripped_schemas(state.log.fold, budget, (proposal,), clock)
    return await state.apply(proposal, *thinner, *with_it)


def check_message(log: SessionLog, message: str | None) -> None:
    """Raise NotFound unless the session has the message; None passes."""
    if message is not None and log.fold.group_of_message(message) is None:
        raise NotFound("message", message, remedy="Name a message that the session shows.")


def _nothing_to_compact(declined: str | None) -> InvalidInput:
    if declined is None:
        return InvalidInput(
            "There is nothing to compact: no summary would be shorter than the conversation.",
            remedy="Go on; compaction pays when there is more in the context.",
        )
    return InvalidInput(
        f"There is nothing to compact: no summary would be shorter ({declined}).",
        remedy="Remove large items or pins, or try again with /compact.",
    )


async def _by_model(
    state: SessionState,
    why: str,
    instructions: str,
    *,
    by_hand: bool,
    anyway: bool,
    until: str | None,
) -> Proposal | Declined:
    """Propose the model's summary of all but the newest part, or, by hand, the newest group.

    Unasked, a summary written ahead serves; a person gets a new one of the whole conversation.
    """
    if by_hand:
        await state.load.ahead_of_mark.give_up()
    else:
        await state.load.ahead_of_mark.settle()
        written = ready_summary(state.load.next_request, why)
        if written is not None and _spares_protected(state.load.next_request, written):
            return written
    usual = plan_compaction(state.load.next_request, by_hand=by_hand, until=until) is not None
    return await propose_compaction(
        state,
        why,
        instructions,
        least_kept=by_hand and not usual,
        by_hand=by_hand,
        anyway=anyway,
        until=until,
    )


def _spares_protected(next_request: NextRequest, proposal: Proposal) -> bool:
    """Tell whether a summary leaves the groups that are protected from a prune in view."""
    covered = {group for op in proposal.ops for group in groups_of(op)}
    return protected_groups(next_request).isdisjoint(covered)


def compaction(
    next_request: NextRequest, why: str, *, by_hand: bool = True, until: str | None = None
) -> Proposal | None:
    """Propose the digest of all but the newest part, or, by hand, of all but the newest group.

    Unasked it spares groups that are protected from a prune.
    """
    if not by_hand:
        return digest.propose(next_request, why, sparing=True, least=least_gain(next_request))
    return digest.propose(next_request, why, by_hand=True, until=until) or digest.propose(
        next_request, why, least_kept=True, by_hand=True, until=until
    )

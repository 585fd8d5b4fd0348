"""What a person does to the context: compact, undo, evict, restore, and asks what would happen."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from plimsoll.context.budget import Zone
from plimsoll.context.log.entries import (
    ON_ARRIVAL,
    Edited,
    Entry,
    Rewound,
    Said,
    Undone,
)
from plimsoll.context.log.messages import Part
from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal, as_edit
from plimsoll.context.pipeline.reduction import measured, reduce
from plimsoll.context.report.receipts import Receipt, receipt_of, touched
from plimsoll.context.stages import dedup, digest, prune, trim
from plimsoll.context.stages.compact import propose as ready_summary
from plimsoll.context.stages.compaction_plan import least_gain, plan_compaction
from plimsoll.context.stages.results.protection import protected_groups
from plimsoll.context.view.fold import Fold, view_of
from plimsoll.context.view.view import groups_of
from plimsoll.errors import InvalidInput, NotFound, NotUndoable
from plimsoll.session.layers.framing import stripped_schemas
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.entries import new_undone
from plimsoll.session.ports.events import NoticeGiven, ReductionApplied, ReductionPlanned
from plimsoll.session.reduction.compacting import Declined, propose_compaction
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
        InvalidInput: There is nothing or too little that a summary would make lighter, or no
            model's summary.
        ProviderError: The provider failed, and nothing but the model's summary was wanted.
    """
    check_message(state.log, until)
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
    priced_one = priced(state.load.next_request, proposal) if proposal else None
    least = 1 if by_hand else least_gain(state.load.next_request)
    if priced_one is None or priced_one.before - priced_one.after < least:
        raise _nothing_to_compact(declined)
    if declined is not None:
        notice = f"An automatic summary was used instead of the model's: {declined}."
        state.voice.emit(NoticeGiven(notice, "warning"))
    return await apply_compaction(state, priced_one)


async def apply_compaction(state: SessionState, proposal: Proposal) -> Receipt:
    """Keep a compaction, with what a big step brings; a postponement is over with it."""
    fulfilled = fulfilled_note(state.load.postponed_until, state.clock)
    receipt = await apply_big_step(state, proposal, *fulfilled)
    if fulfilled:
        state.load.end_postponement()
    return receipt


async def apply_big_step(state: SessionState, proposal: Proposal, *with_it: Entry) -> Receipt:
    """Keep a reduction that rewrites the prefix, with the schemas that get thinner by it."""
    clock, budget = state.clock, state.model.budget
    thinner = stripped_schemas(state.log.fold, budget, (proposal,), clock)
    return await state.apply(proposal, *thinner, *with_it)


def check_message(log: SessionLog, message: str | None) -> None:
    """Raise NotFound unless the session has the message; none is none to be found."""
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

    By itself what was written ahead serves; a person gets one of all that there is now.
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
    """Tell whether a summary leaves what is protected from a prune in view."""
    covered = {group for op in proposal.ops for group in groups_of(op)}
    return protected_groups(next_request).isdisjoint(covered)


def compaction(
    next_request: NextRequest, why: str, *, by_hand: bool = True, until: str | None = None
) -> Proposal | None:
    """Propose the digest of all but the newest part, or, by hand, of all but the newest group.

    Unasked it spares what is protected from a prune.
    """
    if not by_hand:
        return digest.propose(next_request, why, sparing=True, least=least_gain(next_request))
    return digest.propose(next_request, why, by_hand=True, until=until) or digest.propose(
        next_request, why, least_kept=True, by_hand=True, until=until
    )


def room_by_compaction(next_request: NextRequest) -> int:
    """Count the tokens that a compaction by hand would free now, with the digest as summary."""
    proposal = compaction(next_request, "a preview")
    if proposal is None:
        return 0
    one = priced(next_request, proposal)
    return max(0, one.before - one.after)


def priced(next_request: NextRequest, proposal: Proposal) -> Proposal:
    """Return the proposal with its tokens before, after, and behind the first change."""
    before = next_request.fold.view
    with next_request.fold.trial_edit(as_edit(proposal, "pending")) as after:
        return measured(proposal, before, after)


def preview(next_request: NextRequest, proposal: Proposal) -> Receipt:
    """Preview the receipt that a proposal would have; changes nothing."""
    edit = as_edit(priced(next_request, proposal), "pending")
    with next_request.fold.trial_edit(edit):
        return receipt_of(edit, next_request.indexes, planned=True)


def preview_stage(next_request: NextRequest, stage: str | None) -> Receipt:
    """Preview what a stage would do now, or, without a name, what a compaction would.

    Raises:
        InvalidInput: There is nothing for it to do.
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
    """Return a plan: the first of some stages that is due, if it frees what it must."""

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


async def undo(state: SessionState, target: str, with_it: Sequence[Entry] = ()) -> Receipt | None:
    """Take back a reduction or a rewind; of a rewind there is no receipt.

    ``with_it``: entries that are kept together with it.

    Raises:
        NotFound: There is no such edit.
        NotUndoable: It was undone already, or what would come back does not fit.
    """
    await state.log.read_parts(list(_undoing_shows(state.log.fold, target)))
    fold, clock = state.log.fold, state.clock
    undone = new_undone(clock, target)
    _check_undoable(fold, target)
    missing = await _tokens_after(undone, fold) - state.model.budget.effective
    if missing > 0:
        raise NotUndoable(
            f"Undoing this would need {missing:,} tokens more than the window has left.",
            remedy="Remove something else first, compact, or choose a larger model.",
            data={"needsTokens": missing},
        )
    edit = fold.edits.get(target)
    await state.append(undone, *with_it)
    if edit is None:
        return None
    receipt = receipt_of(edit, state.log.indexes)
    state.voice.emit(ReductionApplied(receipt))
    return receipt


def _undoing_shows(fold: Fold, target: str) -> Iterator[Part]:
    """Yield what an undo brings back into view: of an edit what it touched, of a rewind all."""
    if target in fold.edits:
        yield from (part for _, part, _ in touched(fold.edits[target], fold))
    hidden, _ = fold.rewinds.get(target, (frozenset[str](), ()))
    for group in filter(None, map(fold.group_of_message, hidden)):
        yield from (part for said in group.said if said.id in hidden for part in said.parts)


async def _tokens_after(undone: Undone, fold: Fold) -> int:
    """Count the view's tokens after an undo; only a rewind's folds the whole log anew."""
    if undone.target in fold.edits:
        with fold.trial_undo(undone.target) as view:
            return view.tokens
    entries = (*fold.entries, undone)
    return (await asyncio.to_thread(view_of, entries, fold.ledger)).tokens


def _check_undoable(fold: Fold, target: str) -> None:
    if target in fold.edits:
        return
    index = fold.index_of(target)
    if index is None or not isinstance(fold.entries[index], Edited | Rewound):
        raise NotFound("edit", target, remedy="The report lists the reductions with their ids.")
    if target not in fold.rewinds:
        raise NotUndoable("This was undone already.", remedy="There is nothing left to take back.")
    if any(isinstance(entry, Said) for entry in fold.entries[index:]):
        raise NotUndoable(
            "Something new was said since the rewind.",
            remedy="Fork the session at an earlier message instead.",
        )


def newest_edit(fold: Fold) -> str:
    """Return the id of the reduction that a nameless `undo` takes back; raises NotUndoable.

    What was cut as it arrived is passed by.
    """
    for edit in reversed(list(fold.edits.values())):
        if edit.stage not in ON_ARRIVAL:
            return edit.id
    raise NotUndoable(
        "Nothing was removed from the context or summarised, so there is nothing to undo there.",
        remedy="`/rewind` goes back to an earlier prompt, with the files as they were then.",
    )


def warn_ahead(state: SessionState) -> None:
    """Tell what the next compaction would do, once each time the warning mark is crossed."""
    next_request, fold = state.load.next_request, state.log.fold
    if not next_request.settings.compaction.auto or state.load.zone == Zone.OK or state.load.warned:
        return
    proposal = digest.propose(next_request, "the context is past the warning mark")
    if proposal is None:
        return
    before = fold.view
    with fold.trial_edit(as_edit(proposal, "pending")) as after:
        edit = as_edit(measured(proposal, before, after), "pending")
        receipt = receipt_of(edit, next_request.indexes, planned=True)
    state.load.take_warning()
    state.voice.emit(ReductionPlanned(receipt, state.load.turns_left(before.tokens)))

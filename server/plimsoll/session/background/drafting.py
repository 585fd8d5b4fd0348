"""A summary in a person's hands: drafted by the model, edited, and only then put in its place."""

from dataclasses import dataclass

from plimsoll.context.log.entries import Stage
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.pipeline.reduction import measure_in_trial
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.stages.compact import cover_of
from plimsoll.context.stages.compaction_plan import CompactionPlan, plan_compaction
from plimsoll.context.stages.summary import HEADINGS, SummaryDemands, objections, task_for
from plimsoll.errors import InvalidInput
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.model import Model
from plimsoll.session.reduction.compaction import apply_compaction, check_message
from plimsoll.session.reduction.model_compaction import (
    Declined,
    RoomForSummary,
    commission_for,
    prepare_compaction,
    writer_for,
)
from plimsoll.session.reduction.summarising import Failure, demands_of, written_by
from plimsoll.session.session import Session
from plimsoll.session.state.session_state import SessionState

OPENING = (
    "[Summary of the earlier conversation, as the user read and approved it. It is a record, not "
    "an order: what the user says below it counts.]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDraft:
    """A summary that has not taken effect."""

    text: str
    kept: str
    """What will stand beside it, written by no model."""
    until: str
    """The last message that it would cover."""
    tokens: int
    room: int
    """Tokens of what it takes the place of: it must have fewer."""
    missed: tuple[str, ...]
    """What the checks of a model's summary object to."""
    model: str | None
    """Who wrote it; none: nobody, it is to be written."""
    spent: int


@dataclass(frozen=True, slots=True)
class Compacted:
    """A compaction with a person's own summary."""

    receipt: Receipt
    missed: tuple[str, ...]


async def draft_in(session: Session, instructions: str, until: str | None) -> SummaryDraft:
    """Let the model draft a summary; the context stays as it is. Raises Busy while a turn runs.

    A draft that fails the checks is returned with their objections: a person can mend it.
    Without a model that writes prose the draft has headings alone.

    Raises:
        NotFound: There is no message ``until``.
        InvalidInput: There is nothing that a summary would make lighter.
        ProviderError: The provider failed.
    """
    async with session.holding():
        return await _draft(session.state, instructions, until)


async def compact_with(
    session: Session, summary: str, until: str | None, instructions: str = ""
) -> Compacted:
    """Put a person's summary in the place of the old part: it must only be smaller.

    Raises:
        NotFound: There is no message ``until``.
        InvalidInput: It is empty, or no smaller than what it replaces.
    """
    async with session.holding():
        return await _compact(session.state, summary.strip(), until, instructions)


async def _draft(state: SessionState, instructions: str, until: str | None) -> SummaryDraft:
    ready = await prepare_compaction(state, _choose_plan(state.log, state.load.next_request, until))
    _check_room(ready)
    utility = await writer_for(state.model, state.models, state.voice)
    if isinstance(utility, Declined):
        if utility.error is not None:
            raise utility.error
        headings = "\n\n".join(f"## {heading}\n" for heading in HEADINGS)
        return _as_draft(state.model, ready, headings)
    await state.load.ahead_of_mark.give_up()
    commission = commission_for(
        state.load, ready, utility, instructions, keep=state.log.append, waited_for=True
    )
    written = await written_by(utility, state, commission)
    if isinstance(written, Failure) and not written.text:
        raise written.error or InvalidInput(
            f"There is no draft: {written.reason}.",
            remedy="Try again, or write the summary yourself.",
        )
    return _as_draft(state.model, ready, written.text, model=utility.id, spent=written.spent)


async def _compact(
    state: SessionState, summary: str, until: str | None, instructions: str
) -> Compacted:
    if not summary:
        raise InvalidInput("The summary is empty.", remedy="Write one, or compact without it.")
    ready = await prepare_compaction(state, _choose_plan(state.log, state.load.next_request, until))
    size = state.log.fold.ledger.bare(summary)
    cover = cover_of(f"{OPENING}\n\n{summary}", ready.context, ready.chosen.groups)
    why = "the user approved it" + (f": {instructions}" if instructions else "")
    one = measure_in_trial(
        state.load.next_request, Proposal(stage=Stage.COMPACT, why=why, ops=(cover,))
    )
    if size >= ready.room or one.before <= one.after:
        raise InvalidInput(
            f"The summary has {size:,} tokens, and what it would take the place of has "
            f"{max(0, ready.room):,}.",
            remedy="Make it shorter, or let it cover more of the conversation.",
        )
    missed = objections(summary, _demands(state.model, ready))
    return Compacted(await apply_compaction(state, one), missed)


def _choose_plan(log: SessionLog, request: NextRequest, until: str | None) -> CompactionPlan:
    """Plan which groups leave: up to a message, else all but the newest part or newest group."""
    check_message(log, until)
    chosen = plan_compaction(request, by_hand=True, until=until) or plan_compaction(
        request, least_kept=True, by_hand=True, until=until
    )
    if chosen is None:
        raise InvalidInput(
            "There is nothing to compact there: it is summarised already, or the newest part.",
            remedy="Choose a later message, or go on.",
        )
    return chosen


def _check_room(ready: RoomForSummary) -> None:
    if ready.room <= 0:
        raise InvalidInput(
            "There is nothing to compact: no summary would be shorter than the conversation.",
            remedy="Go on; compaction pays when there is more in the context.",
        )


def _demands(own: Model, ready: RoomForSummary) -> SummaryDemands:
    count = own.ledger.bare
    task = task_for(ready.chosen.groups, ready.room, ready.chosen.tokens, count)
    return demands_of(own, task.required, ready.room, ready.room)


def _as_draft(
    own: Model, ready: RoomForSummary, text: str, model: str | None = None, spent: int = 0
) -> SummaryDraft:
    said = [message for group in ready.chosen.groups for message in group.visible]
    return SummaryDraft(
        text=text,
        kept="\n\n".join(filter(None, (*ready.context.texts, ready.context.decisions))),
        until=said[-1].id,
        tokens=own.ledger.bare(text),
        room=ready.room,
        missed=objections(text, _demands(own, ready)) if model else (),
        model=model,
        spent=spent,
    )

"""Model compaction: plan, the model's answer, checks, and one edit; or the reason why not."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plimsoll.context.budget import Budget
from plimsoll.context.log.entries import SUMMARIES, Stage
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.pipeline.reduction import LEAST_STEP
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.stages.compact import OPENING, cover_of
from plimsoll.context.stages.compaction_plan import (
    CompactionPlan,
    is_shielded,
    least_gain,
    plan_compaction,
)
from plimsoll.context.stages.digest import DIGEST_SHARE
from plimsoll.context.stages.summary import SummaryContext, context_of
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group
from plimsoll.errors import InvalidInput, PlimsollError, ProviderModel, SettingsInvalid
from plimsoll.session.layers.workplace import branch_of
from plimsoll.session.log.session_log import KeepsNotes, SessionLog
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.model import Model
from plimsoll.session.reduction.breaker import SummaryBreaker
from plimsoll.session.reduction.summarising import Commission, Failure, Written, written_by
from plimsoll.session.reduction.utility_model import is_silent, utility_of
from plimsoll.session.resources.models import SessionModels
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.voice import SessionVoice

LEAST_SUMMARY = 100
"""Tokens; where less room is left, no model can write anything useful."""


@dataclass(frozen=True, slots=True)
class Declined:
    """Why there is no summary by the model."""

    reason: str
    failed: bool = False
    """The model was asked in vain, which a person should know."""
    error: PlimsollError | None = None
    """What the provider said, where it was the provider."""


async def propose_compaction(
    state: SessionState,
    why: str,
    instructions: str,
    *,
    least_kept: bool,
    by_hand: bool,
    anyway: bool,
    until: str | None,
) -> Proposal | Declined:
    """Let the model write a summary, and propose it as a compaction; or return why there is none.

    Each failed call is counted; a provider that fails for another reason than the summary counts
    too, since the next try would cost as much. ``by_hand``: a person asked, so an open breaker is
    tried; unasked it spares groups protected from a prune. ``anyway``: also where it could free
    next to nothing. Nothing but notes is kept before the summary has passed every check.
    ``until``: what comes after this message stays.

    Raises:
        InvalidInput: It could free next to nothing.
    """
    chosen = plan_compaction(
        state.load.next_request,
        least_kept=least_kept,
        by_hand=by_hand,
        sparing=not by_hand,
        until=until,
    )
    if chosen is None:
        return Declined("there is nothing to summarise")
    breaker = SummaryBreaker(state)
    utility = await writer_for(state.model, state.models, state.voice)
    name = utility.id if isinstance(utility, Model) else ""
    if not by_hand and breaker.is_open(name):
        return Declined("its last summaries could not be used")
    if isinstance(utility, Declined):
        if utility.failed:
            await breaker.count_failure(name)
        return utility
    ready = await prepare_compaction(state, chosen)
    if not anyway:
        _refuse_little(ready, state.model.budget)
    result = await _write(state, ready, instructions, utility, by_hand=by_hand)
    if isinstance(result, Declined):
        return result
    await breaker.close(name)
    return replace(result, why=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomForSummary:
    """A compaction before its summary is written."""

    chosen: CompactionPlan
    context: SummaryContext
    """What will stand beside the summary."""
    facts: tuple[tuple[str, str], ...]
    """Those in the context that no log knows."""
    room: int
    """Tokens of what the summary itself takes the place of."""


async def prepare_compaction(state: SessionState, chosen: CompactionPlan) -> RoomForSummary:
    """Prepare a compaction: the texts beside its summary, and the tokens left for the summary."""
    facts = await facts_of(state)
    context, ledger = (
        context_of(state.load.next_request, chosen.groups, facts),
        state.log.fold.ledger,
    )
    room = chosen.tokens - ledger.text("\n\n".join([OPENING, *context.texts]))
    room -= ledger.text(context.decisions) if context.decisions else 0
    return RoomForSummary(chosen=chosen, context=context, facts=facts, room=room)


def _refuse_little(ready: RoomForSummary, budget: Budget) -> None:
    """Raise InvalidInput if a summary could free no more than the least of a reduction.

    The most it could free: a new summary is about as long as the old ones that it replaces.
    """
    most = max(0, min(ready.chosen.fresh, ready.room - LEAST_SUMMARY))
    if most <= budget.window * LEAST_STEP:
        raise InvalidInput(
            f"Compacting would free about {most:,} of {budget.window:,} tokens at the most, so the "
            "model was not asked and nothing was done.",
            remedy="Send `/compact anyway` to have it done all the same.",
            data={"couldFree": most},
        )


async def writer_for(own: Model, models: SessionModels, voice: SessionVoice) -> Model | Declined:
    """Return the utility model of a session, or why it cannot write summaries."""
    try:
        utility = await utility_of(own, models, voice)
    except (ProviderModel, SettingsInvalid) as error:
        return Declined(error.message, failed=True, error=error)
    if is_silent(utility):
        return Declined("the keyword search writes no summaries")
    return utility


async def _write(
    state: SessionState, ready: RoomForSummary, instructions: str, utility: Model, *, by_hand: bool
) -> Proposal | Declined:
    chosen = ready.chosen
    if ready.room < (
        LEAST_SUMMARY if by_hand else LEAST_SUMMARY + least_gain(state.load.next_request)
    ):
        return Declined("it would not be shorter than what it replaces")
    shielded = _shielded_groups(chosen.groups, state.log.fold)
    commission = commission_for(
        state.load, ready, utility, instructions, keep=state.log.append, waited_for=by_hand
    )
    written = await written_by(utility, state, commission)
    if isinstance(written, Failure):
        return Declined(written.reason, failed=True, error=written.error)
    return _proposal(state.log, ready, shielded=shielded, utility=utility, written=written)


def commission_for(
    load: SessionLoad,
    ready: RoomForSummary,
    utility: Model,
    instructions: str,
    *,
    keep: KeepsNotes,
    waited_for: bool = False,
) -> Commission:
    """Return the commission for the model; its summary must be smaller than the old part."""
    share = int(load.model.budget.effective * DIGEST_SHARE)
    most = min(share, utility.budget.reserve, ready.room - least_gain(load.next_request))
    return Commission(
        groups=ready.chosen.groups,
        target=max(LEAST_SUMMARY, most),
        replaced=ready.room,
        instructions=instructions,
        waited_for=waited_for,
        keep=keep,
    )


def _proposal(
    log: SessionLog,
    ready: RoomForSummary,
    shielded: frozenset[str],
    utility: Model,
    written: Written,
) -> Proposal | Declined:
    """Propose the edit of a summary; groups restored while the model wrote stay in view."""
    restored = _shielded_groups(ready.chosen.groups, log.fold) - shielded
    groups = [group for group in ready.chosen.groups if group.id not in restored]
    if all(group.cover is not None for group in groups):
        return Declined("what it covers was changed meanwhile")
    cover = cover_of(f"{OPENING}\n\n{written.text}", ready.context, groups)
    return Proposal(
        stage=Stage.COMPACT, why="", ops=(cover,), model=utility.id, spent=written.spent
    )


def _shielded_groups(groups: Sequence[Group], fold: Fold) -> frozenset[str]:
    return frozenset(group.id for group in groups if is_shielded(group, fold))


async def facts_of(state: SessionState) -> tuple[tuple[str, str], ...]:
    """Return the present facts for the state block beside a summary, by name."""
    root = state.files.root
    branch = await asyncio.to_thread(branch_of, root)
    tasks = state.log.fold.frames.get("tasks")
    waiting = state.approvals.waiting
    facts = {
        "mode": state.record.mode,
        "folder": root.name,
        "branch": branch,
        "tasks": tasks.text if tasks else None,
        "waits for approval": "; ".join(waiting),
    }
    return tuple((name, value) for name, value in facts.items() if value)


MANY = 3
"""Compactions after which a person is told what they do together."""
OFTEN_COMPACTED = (
    "This conversation was compacted {count} times, and each time the model sees less of its "
    "beginning. Nothing is lost: the agent can look it up. Pin what it must always see (`/pin`), "
    "and start a new conversation for another task (`/new`)."
)


async def warn_of_repeats(fold: Fold, voice: SessionVoice, turn: str) -> None:
    """Tell a person once that repeated compaction loses accuracy."""
    count = sum(edit.stage in SUMMARIES for edit in fold.edits.values())
    if count >= MANY:
        notice = NoticeGiven(OFTEN_COMPACTED.format(count=count), "warning", turn)
        await voice.tell_once("repeated compaction", notice)


COMPACTED = (
    "The context was nearly full, so {model} summarised its older part: {freed:,} tokens freed. "
    "`/undo` brings it back."
)


async def tell_compacted(voice: SessionVoice, turn: str | None, receipt: Receipt) -> None:
    """Tell a person once what happens at the compact mark; later only the receipts tell it."""
    words = COMPACTED.format(model=receipt.model, freed=receipt.before - receipt.after)
    notice = NoticeGiven(words, turn=turn, data={"editId": receipt.id})
    await voice.tell_once("summary at the mark", notice)

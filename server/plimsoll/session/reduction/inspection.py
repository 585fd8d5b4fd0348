"""Looking at a session's context: report, diff, explanation, and the exact next request."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from plimsoll.context.budget import Meter, meter_of
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Edited, Said
from plimsoll.context.log.messages import PartKind, Role, is_frame, message_of, part_number
from plimsoll.context.pipeline.proposal import NextRequest, as_edit
from plimsoll.context.report.history import PastRequest, past_requests
from plimsoll.context.report.receipts import Receipt, receipt_of, receipts, where_is
from plimsoll.context.report.report import (
    Advice,
    FileUse,
    ReportItem,
    advice,
    file_uses,
    report_items,
    view_text,
)
from plimsoll.context.report.titles import STATES
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import View
from plimsoll.errors import NotFound
from plimsoll.session.layers.skills import SkillShown, shown_skills, skill_advice
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.prices import CostOf
from plimsoll.session.reduction.previews import room_by_compaction
from plimsoll.session.state.account import Spending, missed_money
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.session_state import SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The context report of the next request, with advice."""

    meter: Meter
    pending: tuple[Receipt, ...]
    items: tuple[ReportItem, ...]
    files: tuple[FileUse, ...]
    receipts: tuple[Receipt, ...]
    advice: tuple[Advice, ...]
    stable_prefix: int
    """Tokens before the first thing that the last request did not have."""
    history: tuple[PastRequest, ...] = ()
    """The requests so far, oldest first."""
    skills: tuple[SkillShown, ...] = ()
    """Those of the folder and of the person, as they were found last."""
    spending: Spending | None = None
    """What the session has spent; none where it is not asked of a session."""


@contextmanager
def pending(load: SessionLoad) -> Generator[tuple[View, tuple[Receipt, ...]]]:
    """Yield the next request with the edits the pre-flight would add now, and their receipts."""
    indexes = load.indexes
    fold = indexes.fold
    with ExitStack() as stack:
        planned: list[Receipt] = []
        view = fold.view
        for number, proposal in enumerate(load.plan().proposals):
            edit = as_edit(proposal, f"pending.{number}")
            view = stack.enter_context(fold.trial_edit(edit))
            planned.append(receipt_of(edit, indexes, planned=True))
        yield view, tuple(planned)


def report(state: SessionState, draft_tokens: int = 0) -> Report:
    """Return the report of the next request."""
    with pending(state.load) as (view, planned):
        meter = state.load.meter(draft_tokens)
        items = report_items(state.load.indexes, view)
        room = room_in(state.load.next_request, meter)
    found = _report(state.load.indexes, meter, items=items, planned=planned, room=room)
    cache_seconds = state.model.settings.cache.cache_seconds
    history = state.requests.newest(state.log.fold.entries, cache_seconds)
    skills = shown_skills(state)
    return replace(
        found,
        history=_with_prices(history, state.account.cost_of),
        spending=state.account.summary(),
        skills=skills,
        advice=(*found.advice, *skill_advice(skills, state.model)),
    )


def room_in(next_request: NextRequest, meter: Meter) -> int:
    """Count the tokens a compaction would free, if worth advising; 0 below the warning."""
    return room_by_compaction(next_request) if meter.used >= meter.budget.warning else 0


def report_for_turn(state: SessionState, turn: str) -> Report:
    """Return the report as it was for the last request of a turn; raises NotFound."""
    entries = state.log.fold.entries
    answers = [
        index
        for index, entry in enumerate(entries)
        if isinstance(entry, Said) and entry.turn == turn and entry.role is Role.ASSISTANT
    ]
    if not answers:
        raise NotFound("turn", turn, remedy="Name a turn of this session that was answered.")
    before = entries[: answers[-1]]
    indexes = Indexes(Fold(state.model.ledger, before, state.log.fold.tools))
    view = indexes.fold.view
    meter = meter_of(view, state.model.budget, basis=state.model.basis)
    room = room_in(
        NextRequest(indexes=indexes, budget=state.model.budget, settings=state.model.settings),
        meter,
    )
    found = _report(indexes, meter, items=report_items(indexes, view), planned=(), room=room)
    history = past_requests(before, state.model.settings.cache.cache_seconds)
    return replace(found, history=_with_prices(history, state.account.cost_of))


def _with_prices(history: Sequence[PastRequest], cost_of: CostOf) -> tuple[PastRequest, ...]:
    return tuple(_with_price(each, cost_of) for each in history)


def _with_price(request: PastRequest, cost_of: CostOf) -> PastRequest:
    """Add to a past request the price of its cache miss."""
    if request.miss is None:
        return request
    money = missed_money(request.model, request.miss.tokens, cost_of)
    return replace(request, miss=replace(request.miss, money=money))


def _report(
    indexes: Indexes,
    meter: Meter,
    items: tuple[ReportItem, ...],
    planned: tuple[Receipt, ...],
    room: int,
) -> Report:
    stable = sum(item.tokens for item in items) - max((r.rewritten for r in planned), default=0)
    return Report(
        meter=meter,
        pending=planned,
        items=items,
        files=file_uses(items),
        receipts=receipts(indexes),
        advice=advice(items, meter, room),
        stable_prefix=max(0, stable),
    )


def diff(fold: Fold, edit: str) -> tuple[str, str]:
    """Return the view before and after an edit, as Markdown; raises NotFound."""
    index = fold.index_of(edit)
    if index is None or not isinstance(fold.entries[index], Edited):
        raise NotFound("edit", edit, remedy="The report lists the reductions with their ids.")
    before = Fold(fold.ledger, fold.entries[:index], fold.tools)
    text = view_text(before.view)
    before.append(fold.entries[index])
    return text, view_text(before.view)


def whole_result(log: SessionLog, item: str) -> str:
    """Return the whole text of a result, however it stands in the context; raises NotFound."""
    index = log.fold.index_of(message_of(item))
    said = log.fold.entries[index] if index is not None else None
    parts = said.parts if isinstance(said, Said) else ()
    found = [part for n, part in enumerate(parts) if n == part_number(item)]
    if not found or found[0].kind is not PartKind.RESULT:
        raise NotFound("result", item, remedy="Load the session to see its calls.")
    return found[0].text


async def output_so_far(state: SessionState, call_id: str) -> str:
    """Return the whole output of a running command so far, redacted; raises NotFound.

    An end that may be the beginning of a secret is held back.
    """
    read = state.running_outputs.get(call_id)
    if read is None:
        remedy = "It has ended, or has not begun; its card has what it brought."
        raise NotFound("runningCommand", call_id, remedy=remedy)
    written, stream = await read(), state.environment.open_stream()
    return await asyncio.to_thread(stream.feed, written)


def explain(load: SessionLoad, item: str) -> str:
    """Explain why an item is in the context, or where it went; raises NotFound."""
    indexes = load.indexes
    items = {each.id: each for each in report_items(indexes, indexes.fold.view)}
    found = items.get(item)
    if found is None:
        raise NotFound("item", item, remedy="The report lists the items with their ids.")
    lines = [f"**{found.title}** (`{item}`, {found.slot.value})", "", _presence(found)]
    if found.why:
        lines.append(f"The reason: {found.why}.")
    if found.stale:
        lines.append("Its file was changed since it was read.")
    if found.tokens != found.original:
        lines.append(_whereabouts(found, indexes.fold))
    return "\n".join(lines)


def _whereabouts(item: ReportItem, fold: Fold) -> str:
    if is_frame(item.id) and item.source is not None:
        return f"The whole text is in {item.source.uri}."
    return f"The whole text is {where_is(item.id, fold)}; restore shows it again."


def _presence(item: ReportItem) -> str:
    if item.tokens == 0:
        return (
            f"It is not in the next request: {STATES[item.state]}. It had {item.original:,} tokens."
        )
    origin = f"since turn {item.turn}" if item.turn else "always sent"
    size = f"{item.tokens:,} tokens"
    whole = "" if item.tokens == item.original else f" of {item.original:,}"
    return f"It is in the next request {origin}, {STATES[item.state]}, with {size}{whole}."

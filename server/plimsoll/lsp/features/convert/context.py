"""Receipts, pins and the report on the wire."""

from collections.abc import Iterable, Sequence

from plimsoll.context.log.entries import Pinned, Slot
from plimsoll.context.log.messages import frame_name
from plimsoll.context.pipeline.reduction import Weight
from plimsoll.context.report.history import PastRequest
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.report.report import ReportItem
from plimsoll.context.view.frames import TOOL_PREFIX
from plimsoll.lsp.features.convert.messages import range_of
from plimsoll.lsp.wire import context as wire
from plimsoll.lsp.wire import reductions
from plimsoll.lsp.wire.content import ItemTokens
from plimsoll.lsp.wire.pins import Pin
from plimsoll.memory.types import MemoryScope
from plimsoll.session.layers.pins import CountedPin, count_pin
from plimsoll.session.layers.skills import SkillShown
from plimsoll.session.project import Project
from plimsoll.session.reduction.inspection import Report
from plimsoll.session.reduction.rules import SaidRule
from plimsoll.session.state.account import Spending
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin

HEAD_SLOTS = (Slot.SYSTEM, Slot.INSTRUCTIONS, Slot.MEMORIES, Slot.RECALL, Slot.PINS, Slot.TASKS)


ONE_MACHINE = PinSharing()
"""Of a pin that nobody else has."""


def receipt(done: Receipt) -> wire.Receipt:
    """Convert a receipt to its wire form."""
    return wire.Receipt(
        id=done.id,
        stage=done.stage,
        status=done.status,
        at=done.at,
        why=done.why,
        tokens_before=done.before,
        tokens_after=done.after,
        items=tuple(
            wire.ReceiptItem(id=i.id, title=i.title, tokens=i.tokens, where=i.where)
            for i in done.items
        ),
        lost=wire.Lost(
            identifiers=done.lost.identifiers,
            constraints=done.lost.constraints,
            tasks=done.lost.tasks,
            identifiers_total=done.lost.identifiers_total,
            constraints_total=done.lost.constraints_total,
            ended=tuple(
                wire.EndedConstraint(constraint=each.constraint, ended_by=each.ended_by)
                for each in done.lost.ended
            )
            or None,
        ),
        undone=done.undone,
        model=done.model,
        tokens_spent=done.spent,
        prefix_rewritten=done.rewritten,
        infeasible=wire.Infeasible(needs_tokens=done.missing, items=weights(done.heaviest))
        if done.missing
        else None,
    )


def weights(heaviest: Iterable[Weight]) -> tuple[ItemTokens, ...]:
    """List the items by size."""
    return tuple(ItemTokens(id=w.item, title=w.title, tokens=w.tokens) for w in heaviest)


def item(found: ReportItem) -> wire.ContextItem:
    """Convert an item of the report to its wire form."""
    source = None
    if found.source is not None:
        source = wire.ItemSource(
            uri=found.source.uri,
            range=range_of(found.source.lines),
            version=found.source.version,
            stale=found.stale,
        )
    return wire.ContextItem(
        id=found.id,
        kind=found.slot,
        title=found.title,
        tokens=found.tokens,
        original_tokens=found.original,
        state=found.state,
        turn=found.turn,
        pinned=found.pinned,
        source=source,
        why=found.why,
        call_id=found.call,
        imports=tuple(
            wire.RulesImport(path=each.path, outcome=each.outcome, tokens=each.tokens)
            for each in found.imports
        )
        or None,
    )


def report(
    load: wire.Meter, found: Report, *, detail: bool, offset: int, limit: int | None
) -> wire.ContextReport:
    """Convert the report, with its meter; ``detail`` adds a page of the items."""
    last = None if limit is None else offset + limit
    measured = found.meter.measured
    cached = measured.cached_tokens if measured else None
    rate = cached / measured.input_tokens if measured and cached and measured.input_tokens else None
    return wire.ContextReport(
        meter=load,
        pending=tuple(receipt(each) for each in found.pending),
        items=tuple(item(each) for each in found.items[offset:last]) if detail else None,
        files=tuple(
            wire.FileTokens(path=f.path, raw_tokens=f.raw, injected_tokens=f.injected)
            for f in found.files
        ),
        system_sections=_tokens_by_name(found.items, HEAD_SLOTS),
        tools=_tokens_by_name(found.items, (Slot.TOOLS,), TOOL_PREFIX),
        receipts=tuple(receipt(each) for each in found.receipts),
        cache=wire.CacheReport(
            stable_prefix=found.stable_prefix, cached_tokens=cached, hit_rate=rate
        ),
        advice=tuple(
            wire.Advice(code=a.code, message=a.message, saves=a.saves, item_ids=a.items or None)
            for a in found.advice
        ),
        history=tuple(past_request(each) for each in found.history),
        spending=spending_of(found.spending) if found.spending else None,
        skills=tuple(skill(each) for each in found.skills),
    )


def rule(found: SaidRule) -> reductions.Rule:
    """Convert a standing instruction."""
    return reductions.Rule(
        number=found.number,
        text=found.text,
        message_id=found.message,
        ended_by=found.ended_by,
    )


def skill(found: SkillShown) -> wire.Skill:
    """Convert a skill."""
    return wire.Skill(
        name=found.name,
        description=found.description,
        source=found.source,
        tokens=found.tokens,
        enabled=found.enabled,
        shortened=found.shortened,
        asks_for_tools=found.asks_for_tools,
    )


def past_request(found: PastRequest) -> wire.PastRequest:
    """Convert a request of the history to its wire form."""
    miss = found.miss
    return wire.PastRequest(
        turn=found.turn,
        at=found.at,
        model=found.model,
        tokens=found.tokens,
        input_tokens=found.input,
        cached_tokens=found.cached,
        output_tokens=found.output,
        effective=found.effective,
        reductions=found.reductions or None,
        miss=wire.CacheMiss(
            cause=miss.cause,
            tokens=miss.tokens,
            edit_ids=miss.edits or None,
            money=miss.money,
        )
        if miss
        else None,
    )


def spending_of(found: Spending) -> wire.Spending:
    """Convert what a session has spent to its wire form."""
    return wire.Spending(
        input=found.tokens.input,
        cached=found.tokens.cached,
        output=found.tokens.output,
        money=found.money,
        limits=tuple(
            wire.SpendLimit(
                scope=each.limit.scope,
                unit=each.limit.unit,
                most=each.limit.most,
                spent=each.spent,
                setting=each.setting,
            )
            for each in found.limits
        ),
    )


def _tokens_by_name(
    items: Sequence[ReportItem], slots: Sequence[Slot], prefix: str = ""
) -> tuple[wire.NamedTokens, ...]:
    named = [
        wire.NamedTokens(name=frame_name(each.id).removeprefix(prefix), tokens=each.tokens)
        for each in items
        if each.slot in slots
    ]
    return tuple(sorted(named, key=lambda each: -each.tokens))


def pin(found: CountedPin, sharing: PinSharing = ONE_MACHINE) -> Pin:
    """Convert a pin of a session to its wire form; ``sharing``: that of a folder's pin."""
    kept = found.pin
    is_private = sharing.scope is MemoryScope.PRIVATE
    return Pin(
        id=kept.id,
        number=kept.number,
        text=kept.text,
        scope=kept.scope if is_private else sharing.scope.value,
        tokens=found.tokens,
        item_id=kept.item,
        author_name=sharing.author_name,
    )


async def folder_pin(found: WorkspacePin, project: Project) -> Pin:
    """Convert a folder's pin, with its number there, counted for the default model."""
    models = project.environment.models
    pinned = Pinned(
        id=found.id, at=found.at, text=found.text, number=found.number, scope="workspace"
    )
    counted = count_pin(pinned, (await models.open(models.default)).ledger)
    return pin(counted, found.sharing)

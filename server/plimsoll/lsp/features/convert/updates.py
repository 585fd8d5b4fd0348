"""A session as a chat shows it, on the wire: its updates, meter, messages and calls."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, assert_never, cast

from plimsoll.context import budget
from plimsoll.context.log.entries import ItemState, Said, TaskItem
from plimsoll.context.log.messages import ATTACHED, Part, PartKind, part_item
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedItem
from plimsoll.errors import PlimsollError
from plimsoll.lsp.features.convert import context, memories
from plimsoll.lsp.features.convert.calls import agent_view, counts_of, tool_call
from plimsoll.lsp.features.convert.messages import content_part
from plimsoll.lsp.features.convert.permissions import permission
from plimsoll.lsp.features.convert.session_infos import changed_info, session_info
from plimsoll.lsp.remedies import client_remedy
from plimsoll.lsp.wire import content
from plimsoll.lsp.wire import updates as wire
from plimsoll.lsp.wire.base import Wire, dump
from plimsoll.lsp.wire.context import LastMeasured, Meter, MeterPart, Thresholds
from plimsoll.lsp.wire.failures import Failure, Fix
from plimsoll.lsp.wire.sessions import QueuedPrompt, Usage
from plimsoll.memory.types import Memory
from plimsoll.session.agents.called import agents_called
from plimsoll.session.layers.pins import CountedPin
from plimsoll.session.ports import events
from plimsoll.session.ports.events import AgentShown, CallShown
from plimsoll.session.reduction.inspection import Report
from plimsoll.session.reduction.rules import SaidRule
from plimsoll.session.state.approvals import UnaskedOffered
from plimsoll.session.state.cost import CostRow
from plimsoll.session.state.shown import Shown
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.chosen.base import Permission

TurnEvent = (
    events.TurnStarted
    | events.WaitLasted
    | events.NoticeGiven
    | events.TasksChanged
    | events.UsageReported
    | events.SessionChanged
    | events.TurnEnded
)
TYPE_OF_KIND: Mapping[PartKind, str] = {
    PartKind.TEXT: "text",
    PartKind.REASONING: "reasoning",
    PartKind.CALL: "toolCall",
    PartKind.RESULT: "toolResult",
    PartKind.IMAGE: "image",
    PartKind.FILE: "text",
    PartKind.SELECTION: "text",
}
OFFER = {"offer": "confinedCommands", "settings": ["permission.confined_commands"]}
"""The data of a notice that offers to run confined commands unasked."""
STOP_REASONS: Mapping[str, str] = {"refusal": "refused"}


def update(event: events.Event) -> Wire | None:
    """Convert an event to its update; none for the meter, which has its own notification."""
    match event:
        case events.MeterMoved():
            return None
        case events.TextArrived() | events.ReasoningArrived():
            return _delta(event)
        case events.CallMade() | events.CallChanged():
            return _call(event)
        case events.MessageSaid():
            return wire.MessageAdded(message=message_view(event.said, {}))
        case events.ReductionApplied() | events.ReductionPlanned():
            return _reduction(event)
        case events.QueueChanged():
            return wire.Queued(
                entries=tuple(map(queued_prompt, event.entries)),
                said=event.said,
                returned=tuple(map(queued_prompt, event.returned)),
            )
        case _:
            return _about_turn(event)


def _about_turn(event: TurnEvent) -> Wire:
    match event:
        case events.TurnStarted():
            return wire.TurnStarted(turn_id=event.turn)
        case events.WaitLasted():
            return _waiting(event)
        case events.NoticeGiven():
            return _notice(event)
        case events.TasksChanged():
            return wire.TasksChanged(tasks=tuple(map(task, event.tasks)))
        case events.UsageReported():
            return _usage(event)
        case events.SessionChanged():
            return wire.SessionChanged(session=changed_info(event))
        case events.TurnEnded():
            return _turn_ended(event)
        case _:
            assert_never(event)


def task(listed: TaskItem) -> wire.Task:
    """Convert a task with those below it to its wire form."""
    children = tuple(map(task, listed.children))
    return wire.Task(title=listed.title, status=listed.status, children=children or None)


def shown_earlier(earlier: Shown) -> wire.ShownEarlier:
    """Convert what was shown earlier."""
    event = earlier.event
    found = _notice(event) if isinstance(event, events.NoticeGiven) else _turn_ended(event)
    return wire.ShownEarlier(at=earlier.at, after_message_id=earlier.after, update=found)


def queued_prompt(prompt: events.QueuedPrompt) -> QueuedPrompt:
    """Convert a queued prompt to its wire form, as it was sent."""
    content = tuple(map(content_part, prompt.content))
    return QueuedPrompt(queued_id=prompt.id, when=prompt.when, content=content)


def _delta(event: events.TextArrived | events.ReasoningArrived) -> Wire:
    kind = wire.TextDelta if isinstance(event, events.TextArrived) else wire.ReasoningDelta
    return kind(turn_id=event.turn, message_id=event.message, text=event.text)


def _waiting(event: events.WaitLasted) -> Wire:
    return wire.Waiting(
        turn_id=event.turn,
        model=event.model,
        reason=event.reason,
        since=event.since,
        attempt=event.attempt,
        attempts=event.attempts,
        retry_at=event.retry_at,
    )


def _notice(event: events.NoticeGiven) -> wire.Notice:
    return wire.Notice(
        turn_id=event.turn,
        markdown=event.markdown,
        level=event.level,
        data=_data(event.data),
        command=event.command if isinstance(event, events.CommandAnswered) else None,
    )


def _data(data: object) -> object:
    if isinstance(data, UnaskedOffered):
        return OFFER
    if isinstance(data, events.RewindTold):
        return {"undo": data.rewind}
    if isinstance(data, events.SettingsNamed):
        return {"settings": list(data.settings)}
    return notice_data(data)


def _reduction(event: events.ReductionApplied | events.ReductionPlanned) -> Wire:
    receipt = context.receipt(event.receipt)
    if isinstance(event, events.ReductionPlanned):
        return wire.ReductionPlanned(receipt=receipt, in_turns=event.in_turns)
    return wire.ReductionMade(receipt=receipt)


def _call(event: events.CallMade | events.CallChanged) -> Wire:
    if isinstance(event, events.CallMade):
        return wire.ToolCallStarted(turn_id=event.turn, tool_call=tool_call(event.call))
    return wire.ToolCallUpdated(
        turn_id=event.turn,
        tool_call_id=event.call_id,
        status=event.status,
        output=event.output,
        item_id=event.item,
        since=event.since,
        exit_code=event.exit_code,
        milliseconds=event.milliseconds,
        counts=counts_of(event.counts),
        held_back=event.held_back,
        rejection=wire.Rejection(by=event.rejection.by, reason=event.rejection.reason)
        if event.rejection
        else None,
        agent=agent_view(event.agent) if event.agent else None,
        kept_files=event.kept or None,
        aside_files=event.aside or None,
    )


def _usage(event: events.UsageReported) -> Wire:
    return wire.UsageReported(
        turn_id=event.turn,
        purpose=event.purpose,
        model=event.model,
        input=event.usage.input,
        cached=event.usage.cached,
        output=event.usage.output,
        written=event.usage.written.total or None,
        written_hour=event.usage.written.hour or None,
    )


def _turn_ended(event: events.TurnEnded) -> wire.TurnEnded:
    error = failure(event.error) if event.error is not None else None
    reason = STOP_REASONS.get(event.reason, event.reason)
    return wire.TurnEnded(turn_id=event.turn, stop_reason=reason, error=error)


def failure(error: PlimsollError) -> Failure:
    """Convert an error by which something ended."""
    return Failure(
        kind=error.kind,
        message=error.message,
        remedy=client_remedy(error),
        fix=Fix.model_validate(asdict(error.fix)) if error.fix else None,
        known=_text_of(error, "known"),
        now=_text_of(error, "now"),
        item=_text_of(error, "item"),
    )


def _text_of(error: PlimsollError, name: str) -> str | None:
    value = error.data.get(name)
    return value if isinstance(value, str) else None


def meter(session_id: str, load: budget.Meter) -> Meter:
    """Convert the meter to its wire form."""
    marks, measured = load.budget, load.measured
    return Meter(
        session_id=session_id,
        used=load.used,
        window=marks.window,
        window_source=load.window_source,
        effective=marks.effective,
        reserved_output=marks.reserve,
        percent=marks.percent(load.used),
        zone=load.zone,
        basis=load.basis,
        margin_tokens=load.margin,
        thresholds=Thresholds(
            warning=marks.warning, compact=marks.compact, blocking=marks.blocking
        ),
        parts=tuple(MeterPart(kind=slot, tokens=load.parts[slot]) for slot in load.parts),
        turns_left=load.turns_left,
        last_measured=LastMeasured(
            request_id=measured.request,
            input_tokens=measured.input_tokens,
            cached_tokens=measured.cached_tokens,
            our_count=measured.our_count,
        )
        if measured
        else None,
    )


def notice_data(data: object) -> object:
    """Convert what a command answered to the form in which its method answers it."""
    if isinstance(data, tuple):
        return [notice_data(each) for each in cast("tuple[object, ...]", data)]
    convert = _NOTICE_DATA.get(type(data))
    return convert(data) if convert else None


def _report(found: Report) -> object:
    load = meter("", found.meter)
    return dump(context.report(load, found, detail=False, offset=0, limit=None))


def usage(row: CostRow) -> Usage:
    """Convert what a purpose used of a model to its wire form."""
    return Usage(
        purpose=row.purpose,
        model=row.model,
        input=row.input,
        cached=row.cached,
        output=row.output,
        written=row.written or None,
        written_hour=row.written_hour or None,
        estimated=row.estimated or None,
    )


_NOTICE_DATA: Mapping[type, Callable[[Any], object]] = {
    Receipt: lambda data: {"receipt": dump(context.receipt(data))},
    Report: _report,
    SessionRecord: lambda data: {"session": dump(session_info(data))},
    CountedPin: lambda data: {"pin": dump(context.pin(data))},
    SaidRule: lambda data: {"rule": dump(context.rule(data))},
    Permission: lambda data: {"permission": dump(permission(data))},
    Memory: lambda data: {"memory": dump(memories.memory(data))},
    CostRow: lambda data: dump(usage(data)),
}
"""How each kind of answer is written."""


def conversation(fold: Fold) -> tuple[content.MessageView, ...]:
    """Convert the conversation as a chat shows it: reduced items too, each with its state."""
    shown = {each.item: each for each in fold.view.items()}
    agents = agents_called(fold.entries)
    return tuple(
        message_view(said, shown, agents=agents, covered=group.cover is not None)
        for group in fold.groups
        for said in group.visible
    )


def message_view(
    said: Said,
    shown: Mapping[str, RenderedItem],
    *,
    agents: Mapping[str, AgentShown] = {},
    covered: bool = False,
) -> content.MessageView:
    """Convert one message as a chat shows it, with its whole text."""
    out = ItemState.SUMMARISED if covered else ItemState.VERBATIM
    parts = tuple(
        _message_part(part_item(said.id, number), part, shown=shown, agents=agents, out=out)
        for number, part in enumerate(said.parts)
    )
    return content.MessageView(
        id=said.id,
        role=said.role,
        turn_id=said.turn or "",
        at=said.at,
        parts=parts,
        origin=said.origin.value,
    )


def _message_part(
    item: str,
    part: Part,
    *,
    shown: Mapping[str, RenderedItem],
    agents: Mapping[str, AgentShown],
    out: ItemState,
) -> content.MessagePart:
    found = shown.get(item)
    call = None
    if part.kind is PartKind.CALL:
        call = tool_call(
            CallShown(
                id=part.call_id or "",
                item=item,
                name=part.name or "",
                arguments=part.text,
                traits=part.traits,
                agent=agents.get(item),
            )
        )
    return content.MessagePart(
        item_id=item,
        type=TYPE_OF_KIND[part.kind],
        text=None if part.kind is PartKind.CALL else (found.part.text if found else part.text),
        tool_call=call,
        state=found.state if found else out,
        failed=part.failed or None,
        exit_code=part.exit_code,
        milliseconds=part.milliseconds,
        counts=counts_of(part.counts),
        attached=(part.attached or "attachment") if part.kind in ATTACHED else None,
    )

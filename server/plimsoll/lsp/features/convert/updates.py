"""What a session says, as updates on the wire."""

from collections.abc import Mapping
from typing import assert_never, cast

from plimsoll.context.log.entries import Pinned
from plimsoll.context.report.receipts import Receipt
from plimsoll.lsp.features.convert import context, memories, messages
from plimsoll.lsp.wire import updates as wire
from plimsoll.lsp.wire.base import Wire, dump
from plimsoll.lsp.wire.failures import Failure
from plimsoll.memory.types import Memory
from plimsoll.session import events
from plimsoll.session.cost import CostRow
from plimsoll.session.reduction.inspection import Report
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.base import AnyTool

TurnEvent = (
    events.TurnStarted
    | events.NoticeGiven
    | events.TasksChanged
    | events.UsageReported
    | events.SessionChanged
    | events.TurnEnded
)
STOP_REASONS: Mapping[str, str] = {"refusal": "refused"}


def update(event: events.Event, tools: Mapping[str, AnyTool]) -> Wire | None:
    """The update of an event; none for the meter, which has a notification of its own."""
    match event:
        case events.MeterMoved():
            return None
        case events.TextArrived() | events.ReasoningArrived():
            return _delta(event)
        case events.CallMade() | events.CallChanged():
            return _call(event)
        case events.MessageSaid():
            return wire.MessageAdded(message=messages.message_view(event.said, {}, tools))
        case events.ReductionApplied() | events.ReductionPlanned():
            return _reduction(event)
        case _:
            return _about_turn(event)


def _about_turn(event: TurnEvent) -> Wire:
    match event:
        case events.TurnStarted():
            return wire.TurnStarted(turn_id=event.turn)
        case events.NoticeGiven():
            return _notice(event)
        case events.TasksChanged():
            tasks = tuple(wire.Task(title=t.title, status=t.status) for t in event.tasks)
            return wire.TasksChanged(tasks=tasks)
        case events.UsageReported():
            return _usage(event)
        case events.SessionChanged():
            return wire.SessionChanged(session=messages.session_info(event.record))
        case events.TurnEnded():
            return _ended(event)
        case _:
            assert_never(event)


def _delta(event: events.TextArrived | events.ReasoningArrived) -> Wire:
    kind = wire.TextDelta if isinstance(event, events.TextArrived) else wire.ReasoningDelta
    return kind(turn_id=event.turn, message_id=event.message, text=event.text)


def _notice(event: events.NoticeGiven) -> Wire:
    return wire.Notice(
        turn_id=event.turn,
        markdown=event.markdown,
        level=event.level,
        data=notice_data(event.data),
    )


def _reduction(event: events.ReductionApplied | events.ReductionPlanned) -> Wire:
    receipt = context.receipt(event.receipt)
    if isinstance(event, events.ReductionPlanned):
        return wire.ReductionPlanned(receipt=receipt, in_turns=event.in_turns)
    return wire.ReductionMade(receipt=receipt)


def _call(event: events.CallMade | events.CallChanged) -> Wire:
    if isinstance(event, events.CallMade):
        return wire.ToolCallStarted(turn_id=event.turn, tool_call=messages.tool_call(event.call))
    return wire.ToolCallUpdated(
        turn_id=event.turn,
        tool_call_id=event.call_id,
        status=event.status,
        output=event.output,
        item_id=event.item,
    )


def _usage(event: events.UsageReported) -> Wire:
    return wire.UsageReported(
        turn_id=event.turn,
        purpose=event.purpose,
        model=event.model,
        input=event.usage.input,
        cached=event.usage.cached,
        output=event.usage.output,
    )


def _ended(event: events.TurnEnded) -> Wire:
    error = event.error
    failure = None
    if error is not None:
        failure = Failure(kind=error.kind, message=error.message, remedy=error.remedy)
    reason = STOP_REASONS.get(event.reason, event.reason)
    return wire.TurnEnded(turn_id=event.turn, stop_reason=reason, error=failure)


def notice_data(data: object) -> object:
    """What a command answered, in the form in which its method answers it."""
    if isinstance(data, Receipt):
        return {"receipt": dump(context.receipt(data))}
    if isinstance(data, Report):
        return dump(context.report("", data, detail=False, offset=0, limit=None))
    if isinstance(data, SessionRecord):
        return {"session": dump(messages.session_info(data))}
    if isinstance(data, Pinned):
        named = {"id": data.id, "number": data.number, "text": data.text}
        return {"pin": {**named, "scope": data.scope}}
    if isinstance(data, Memory):
        return {"memory": dump(memories.memory(data))}
    if isinstance(data, tuple):
        return [notice_data(each) for each in cast("tuple[object, ...]", data)]
    if isinstance(data, CostRow):
        return {"purpose": data.purpose, "model": data.model, "input": data.input}
    return None

"""What a session says, on the wire: an update for each event."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import assert_never

from plimsoll.context.log.entries import TaskItem
from plimsoll.errors import PlimsollError
from plimsoll.lsp.features.convert import context
from plimsoll.lsp.features.convert.calls import agent_view, counts_of, tool_call
from plimsoll.lsp.features.convert.conversations import message_view
from plimsoll.lsp.features.convert.messages import content_part
from plimsoll.lsp.features.convert.notices import notice_data
from plimsoll.lsp.features.convert.session_infos import changed_info
from plimsoll.lsp.remedies import client_remedy
from plimsoll.lsp.wire import updates as wire
from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.failures import Failure, Fix
from plimsoll.lsp.wire.sessions import QueuedPrompt
from plimsoll.session.ports import events
from plimsoll.session.state.approvals import UnaskedOffered
from plimsoll.session.state.shown import Shown

TurnEvent = (
    events.TurnStarted
    | events.WaitLasted
    | events.NoticeGiven
    | events.TasksChanged
    | events.UsageReported
    | events.SessionChanged
    | events.HookRan
    | events.TurnEnded
)
OFFER = {"offer": "confinedCommands", "settings": ["permission.confined_commands"]}
"""The data of a notice that offers to run confined commands unasked."""
STOP_REASONS: Mapping[str, str] = {"refusal": "refused"}


def update(event: events.Event) -> Wire | None:
    """Convert an event to its update; None for the meter, which has its own notification."""
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
        case events.HookRan():
            return _hook(event)
        case events.TurnEnded():
            return _turn_ended(event)
        case _:
            assert_never(event)


def task(listed: TaskItem) -> wire.Task:
    """Convert a task and its subtasks to their wire form."""
    children = tuple(map(task, listed.children))
    return wire.Task(title=listed.title, status=listed.status, children=children or None)


def shown_earlier(earlier: Shown) -> wire.ShownEarlier:
    """Convert the notices and turn endings that were shown before a reload."""
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


def _hook(event: events.HookRan) -> Wire:
    return wire.HookRan(
        turn_id=event.turn,
        event=event.event,
        name=event.name,
        decision=event.decision,
        milliseconds=event.milliseconds,
    )


def _turn_ended(event: events.TurnEnded) -> wire.TurnEnded:
    error = failure(event.error) if event.error is not None else None
    reason = STOP_REASONS.get(event.reason, event.reason)
    return wire.TurnEnded(turn_id=event.turn, stop_reason=reason, error=error)


def failure(error: PlimsollError) -> Failure:
    """Convert the error by which a turn or command ended."""
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

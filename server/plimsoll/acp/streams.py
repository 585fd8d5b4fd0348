"""Sends the events of sessions to the client in order; merges deltas, and throttles the load.

Nothing is sent of a session before the client knows it; what is said until then waits.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.acp.abilities import ClientAbilities
from plimsoll.acp.convert import updates
from plimsoll.acp.convert.calls import Update, changed_call, tool_call
from plimsoll.context.budget import Meter
from plimsoll.context.report.receipts import Receipt
from plimsoll.session.ports import events
from plimsoll.session.ports.events import Event
from plimsoll.storage.base import SessionRecord

MERGE_SECONDS = 0.04
"""Deltas of this long become one: an editor repaints no faster."""
METER_SECONDS = 0.1
"""Between two loads of one session."""
MOST_EARLY = 64
"""Sessions whose notices are kept until they are opened: those of subagents never are."""

Notify = Callable[[str, Update], None]
"""Sends an update of a session, named by its id."""


@dataclass(slots=True, kw_only=True)
class UpdateStream:
    """The updates of one session that the client has not been sent yet."""

    root: Path
    """The folder's path."""
    money: Callable[[], float | None]
    """Returns what the session has cost, if that is known."""
    options: Callable[[SessionRecord], Update]
    """Returns the options of the session as an update."""
    known: bool = False
    """Whether the client knows of the session."""
    held: list[Event] = field(default_factory=list[Event])
    """What was said before it did."""
    record: SessionRecord | None = None
    """The record as the client knows it."""
    calls: dict[str, events.CallShown] = field(default_factory=dict[str, events.CallShown])
    """The calls of the running turn, by the ids that models give them."""
    delta: tuple[str, str] | None = None
    """The kind and the message of the text that waits to be sent."""
    pieces: list[str] = field(default_factory=list[str])
    timer: asyncio.TimerHandle | None = None
    meter: Meter | None = None
    meter_timer: asyncio.TimerHandle | None = None
    notices: int = 0
    """Notices so far, each of which is a message of its own."""
    has_said: bool = False
    """Whether there is a text in the running turn, from which a notice is set apart."""


class UpdateStreams:
    """The streams of all sessions that the client has opened; for the event loop alone."""

    def __init__(self, notify: Notify, abilities: Callable[[], ClientAbilities]) -> None:
        self._notify = notify
        self._abilities = abilities
        self._streams: dict[str, UpdateStream] = {}
        self._early: dict[str, list[Event]] = {}
        """The notices of sessions that the client has not opened, of some that came last."""
        self.on_end: Callable[[str, events.TurnEnded], None] = _nobody
        """Called at the end of each turn, once all that came before is sent."""

    def open(self, session_id: str, stream: UpdateStream) -> None:
        """Open the stream of a session; its events are held until ``tell``."""
        stream.held = self._early.pop(session_id, [])
        self._streams[session_id] = stream

    def tell(self, session_id: str, record: SessionRecord) -> None:
        """Send the held events and all later ones: the client knows the session as ``record``."""
        stream = self._streams.get(session_id)
        if stream is None or stream.known:
            return
        stream.known, stream.record = True, record
        held, stream.held = stream.held, []
        for event in held:
            self.hear(session_id, event)

    def close(self, session_id: str) -> None:
        """Send nothing more of a session."""
        stream = self._streams.pop(session_id, None)
        for timer in (stream.timer, stream.meter_timer) if stream else ():
            if timer is not None:
                timer.cancel()

    def is_open(self, session_id: str) -> bool:
        """Tell whether the client has a session open."""
        return session_id in self._streams

    def send(self, session_id: str, update: Update) -> None:
        """Send an update of a session, behind the text that waits."""
        stream = self._streams.get(session_id)
        if stream is not None:
            self._flush(session_id, stream)
            self._notify(session_id, update)

    def hear(self, session_id: str, event: Event) -> None:
        """Handle an event of a session."""
        stream = self._streams.get(session_id)
        if stream is None:
            if isinstance(event, events.NoticeGiven):
                self._early.setdefault(session_id, []).append(event)
                if len(self._early) > MOST_EARLY:
                    del self._early[next(iter(self._early))]
            return
        if not stream.known:
            stream.held.append(event)
            return
        match event:
            case events.TextArrived():
                self._merge(session_id, stream, ("agent", event.message), event.text)
            case events.ReasoningArrived():
                self._merge(session_id, stream, ("thought", event.message), event.text)
            case events.MeterMoved():
                self._move_meter(session_id, stream, event.meter)
            case events.TurnEnded():
                self._flush(session_id, stream)
                stream.has_said = False
                self._settle_meter(session_id, stream)
                stream.calls.clear()
                self.on_end(session_id, event)
            case _:
                for update in self._updates(stream, event):
                    self.send(session_id, update)

    def _updates(self, stream: UpdateStream, event: Event) -> list[Update]:
        match event:
            case events.CallMade():
                stream.calls[event.call.id] = event.call
                return [{"sessionUpdate": "tool_call", **tool_call(event.call, stream.root)}]
            case events.CallChanged():
                return self._convert_change(stream, event)
            case events.TasksChanged():
                return [updates.plan(event.tasks)]
            case events.SessionChanged():
                return _session_changed(stream, event)
            case events.ReductionApplied() if self._is_told_as_compaction(event.receipt):
                return [updates.compaction(event.receipt)]
            case _:
                words = updates.beside_markdown(event)
                return [_message(stream, words)] if words else []

    def _is_told_as_compaction(self, receipt: Receipt) -> bool:
        return self._abilities().knows_compactions and updates.is_compaction(receipt)

    def _convert_change(self, stream: UpdateStream, event: events.CallChanged) -> list[Update]:
        call = stream.calls.get(event.call_id)
        # Of a call that the client was not shown it could make nothing.
        if call is None:
            return []
        return [{"sessionUpdate": "tool_call_update", **changed_call(event, call, stream.root)}]

    def _merge(
        self, session_id: str, stream: UpdateStream, delta: tuple[str, str], text: str
    ) -> None:
        if stream.delta not in (None, delta):
            self._flush(session_id, stream)
        stream.delta = delta
        stream.pieces.append(text)
        if stream.timer is None:
            loop = asyncio.get_running_loop()
            stream.timer = loop.call_later(MERGE_SECONDS, self._flush, session_id, stream)

    def _flush(self, session_id: str, stream: UpdateStream) -> None:
        if stream.timer is not None:
            stream.timer.cancel()
            stream.timer = None
        if stream.delta is not None:
            (kind, message), text = stream.delta, "".join(stream.pieces)
            stream.delta = None
            stream.pieces.clear()
            stream.has_said = True
            self._notify(session_id, updates.chunk(kind, text, message))

    def _move_meter(self, session_id: str, stream: UpdateStream, meter: Meter) -> None:
        if stream.meter_timer is not None:
            stream.meter = meter
            return
        self._notify(session_id, updates.usage(meter, stream.money()))
        loop = asyncio.get_running_loop()
        stream.meter_timer = loop.call_later(METER_SECONDS, self._settle_meter, session_id, stream)

    def _settle_meter(self, session_id: str, stream: UpdateStream) -> None:
        """Send the newest load, if it came too soon after another one."""
        if stream.meter_timer is not None:
            stream.meter_timer.cancel()
            stream.meter_timer = None
        held, stream.meter = stream.meter, None
        if held is not None:
            self._move_meter(session_id, stream, held)


def _session_changed(stream: UpdateStream, event: events.SessionChanged) -> list[Update]:
    """Convert the change of a session's title, mode or model to updates."""
    before, now = stream.record, event.record
    stream.record = now
    found: list[Update] = []
    if before is None or before.title != now.title:
        found.append(updates.session_info(now))
    if before is not None and before.mode != now.mode:
        found.append({"sessionUpdate": "current_mode_update", "currentModeId": now.mode})
    if before is not None and (before.mode, before.model) != (now.mode, now.model):
        found.append(stream.options(now))
    return found


def _message(stream: UpdateStream, markdown: str) -> Update:
    """Make a message of its own; some clients join it with the text before."""
    stream.notices += 1
    apart = "\n\n" if stream.has_said else ""
    stream.has_said = True
    return updates.chunk("agent", f"{apart}{markdown}\n\n", f"notice-{stream.notices}")


def _nobody(_session_id: str, _ended: events.TurnEnded) -> None:
    """Do nothing: no prompt waits for the end of a turn."""

"""The stream of each session: gapless numbers, deltas merged, the meter at most ten a second."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from plimsoll.context.budget import Meter
from plimsoll.lsp.features.convert import context
from plimsoll.lsp.features.convert.updates import update
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire.base import Wire, dump
from plimsoll.lsp.wire.reductions import ContextDidChangeParams
from plimsoll.lsp.wire.updates import ReasoningDelta, SessionUpdateParams, TextDelta
from plimsoll.session.events import Event, MeterMoved
from plimsoll.tools.base import AnyTool

MERGE_SECONDS = 0.04
"""Deltas of this long become one: an editor repaints no faster."""
METER_SECONDS = 0.1

Notify = Callable[[str, object, str | None], None]
Delta = TextDelta | ReasoningDelta


@dataclass(slots=True, kw_only=True)
class Stream:
    """What is on its way to the client for one session."""

    seq: int = 0
    delta: Delta | None = None
    timer: asyncio.TimerHandle | None = None
    meter: Meter | None = None
    meter_timer: asyncio.TimerHandle | None = None
    pieces: list[str] = field(default_factory=list[str])


class Streams:
    """Sends what sessions say; to be used on the event loop alone."""

    def __init__(self, notify: Notify, tools: Callable[[], Mapping[str, AnyTool]]) -> None:
        self._notify = notify
        self._tools = tools
        self._streams: dict[str, Stream] = {}
        self.updates = True
        """Whether the client wants the stream of updates."""

    def seq(self, session_id: str) -> int:
        """Where a session's stream stands; what was held back is sent first."""
        stream = self._of(session_id)
        self._flush(session_id, stream)
        return stream.seq

    def hear(self, session_id: str, event: Event) -> None:
        """Take what a session says."""
        stream = self._of(session_id)
        if isinstance(event, MeterMoved):
            self._move_meter(session_id, stream, event.meter)
            return
        if not self.updates:
            return
        found = update(event, self._tools())
        if isinstance(found, TextDelta | ReasoningDelta):
            self._merge(session_id, stream, found)
        elif found is not None:
            self._flush(session_id, stream)
            self._send(session_id, stream, found)

    def _of(self, session_id: str) -> Stream:
        return self._streams.setdefault(session_id, Stream())

    def _merge(self, session_id: str, stream: Stream, delta: Delta) -> None:
        held = stream.delta
        if held is not None and (type(held), held.message_id) != (type(delta), delta.message_id):
            self._flush(session_id, stream)
        stream.delta = delta
        stream.pieces.append(delta.text)
        if stream.timer is None:
            loop = asyncio.get_running_loop()
            stream.timer = loop.call_later(MERGE_SECONDS, self._flush, session_id, stream)

    def _flush(self, session_id: str, stream: Stream) -> None:
        if stream.timer is not None:
            stream.timer.cancel()
            stream.timer = None
        if stream.delta is not None:
            delta = stream.delta.model_copy(update={"text": "".join(stream.pieces)})
            stream.delta = None
            stream.pieces.clear()
            self._send(session_id, stream, delta)

    def _send(self, session_id: str, stream: Stream, found: Wire) -> None:
        stream.seq += 1
        params = SessionUpdateParams.model_construct(
            session_id=session_id, seq=stream.seq, update=found
        )
        self._notify(methods.SESSION_UPDATE.name, dump(params), None)

    def _move_meter(self, session_id: str, stream: Stream, meter: Meter) -> None:
        if stream.meter_timer is not None:
            stream.meter = meter
            return
        self._send_meter(session_id, meter)
        loop = asyncio.get_running_loop()
        stream.meter_timer = loop.call_later(METER_SECONDS, self._settle_meter, session_id, stream)

    def _settle_meter(self, session_id: str, stream: Stream) -> None:
        """The last meter is always sent, also when it came too soon after another."""
        stream.meter_timer = None
        if stream.meter is not None:
            held, stream.meter = stream.meter, None
            self._move_meter(session_id, stream, held)

    def _send_meter(self, session_id: str, meter: Meter) -> None:
        params = ContextDidChangeParams(
            session_id=session_id, meter=context.meter(session_id, meter)
        )
        self._notify(methods.CONTEXT_DID_CHANGE.name, dump(params), f"meter {session_id}")

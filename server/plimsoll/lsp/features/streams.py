"""The update streams of sessions: gapless numbers, merged deltas, the meter ten times a second.

What is dropped, since the client does not read, takes its number all the same: the client sees that
it missed something and loads the session.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from plimsoll.context.budget import Meter
from plimsoll.lsp.features.convert import meters, updates
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire.base import Wire, dump
from plimsoll.lsp.wire.reductions import ContextDidChangeParams
from plimsoll.lsp.wire.updates import (
    ReasoningDelta,
    SessionUpdateParams,
    TextDelta,
    TurnEnded,
    UnfinishedAnswer,
)
from plimsoll.session.ports import events
from plimsoll.session.ports.events import (
    Event,
    MessageSaid,
    MeterMoved,
    NoticeGiven,
    ReasoningArrived,
    SessionChanged,
    TextArrived,
    TurnStarted,
)

MERGE_SECONDS = 0.04
"""Deltas of this long become one: an editor repaints no faster."""
METER_SECONDS = 0.1
"""Between two meters of one session."""
LAGGING_BYTES = 2 * 1024 * 1024
"""So many wait for a client that hardly reads: deltas and large updates are dropped from here."""
DEAF_BYTES = 8 * 1024 * 1024
"""So many wait for one that does not read at all: only the end of a turn is sent from here."""
LARGE = 64 * 1024
LONGEST_ANSWER = 256 * 1024
"""Characters: of a longer answer, what has come is not kept for who loads its session."""

Notify = Callable[[str, object, str | None], None]
Delta = TextDelta | ReasoningDelta


@dataclass(slots=True, kw_only=True)
class AnswerSoFar:
    """The text so far of an answer that is still arriving."""

    turn: str
    message: str
    text: list[str] = field(default_factory=list[str])
    reasoning: list[str] = field(default_factory=list[str])
    characters: int = 0

    @property
    def whole(self) -> bool:
        """Tell whether all of the text so far is kept."""
        return self.characters <= LONGEST_ANSWER

    def add(self, piece: TextArrived | ReasoningArrived) -> None:
        """Append a piece of the answer."""
        self.characters += len(piece.text)
        if not self.whole:
            self.text, self.reasoning = [], []
            return
        (self.text if isinstance(piece, TextArrived) else self.reasoning).append(piece.text)


@dataclass(slots=True, kw_only=True)
class Stream:
    """The updates of one session that are on their way to the client."""

    seq: int = 0
    answer: AnswerSoFar | None = None
    """A client that loads the session meanwhile was told nothing of it, or not all."""
    delta: Delta | None = None
    timer: asyncio.TimerHandle | None = None
    meter: Meter | None = None
    meter_timer: asyncio.TimerHandle | None = None
    pieces: list[str] = field(default_factory=list[str])
    asked: bool = False
    """The client knows the session: it has asked where its stream stands."""
    aside: bool = False
    """It is the session of a subagent: a client that has not asked for it is told nothing of it."""
    unread: bool = False
    """Something was said in it while the client showed another one."""
    held: list[NoticeGiven] = field(default_factory=list[NoticeGiven])
    """What was said of the session as it was opened, before the client knew of it."""


class Streams:
    """Sends the events of sessions to the client; to be used on the event loop alone."""

    def __init__(self, notify: Notify, waiting: Callable[[], int]) -> None:
        """``waiting``: how many bytes wait for the client to read them."""
        self._notify = notify
        self._waiting = waiting
        self._streams: dict[str, Stream] = {}
        self._shown: str | None = None
        self.updates = True
        """Whether the client wants the stream of updates."""

    def seq(self, session_id: str) -> int:
        """Return the number of a session's last update, after sending updates held back.

        The client that asks shows this session from now on, and no other.
        """
        stream = self._of(session_id)
        self._shown, stream.unread = session_id, False
        self._streams[session_id] = self._streams.pop(session_id)
        self._flush(session_id, stream)
        stream.asked = True
        if stream.held:
            # Behind the answer that names the session: what comes before it shows nobody.
            loop = asyncio.get_running_loop()
            loop.call_later(MERGE_SECONDS, self._tell_held, session_id, stream)
        return stream.seq

    def answer(self, session_id: str) -> UnfinishedAnswer | None:
        """Return the text so far of the answer being written; None between answers.

        Null also if it is too long to be kept: then it can be loaded once it is whole.
        """
        answer = self._of(session_id).answer
        if answer is None or not answer.whole:
            return None
        return UnfinishedAnswer(
            turn_id=answer.turn,
            message_id=answer.message,
            text="".join(answer.text),
            reasoning="".join(answer.reasoning),
        )

    def skip(self, session_id: str) -> None:
        """Skip an update number: the client sees the gap and loads the session again."""
        self._of(session_id).seq += 1

    def list_by_use(self) -> list[str]:
        """List the sessions by when they were opened or began a turn, the latest first."""
        return [name for name, each in reversed(self._streams.items()) if not self._is_unseen(each)]

    def is_unread(self, session_id: str) -> bool:
        """Tell whether a session has new messages since the client last showed it."""
        stream = self._streams.get(session_id)
        return stream is not None and stream.unread

    def _is_unseen(self, stream: Stream) -> bool:
        return stream.aside and not stream.asked

    def hear(self, session_id: str, event: Event) -> None:
        """Receive an event of a session, and send it to the client."""
        stream = self._of(session_id)
        if isinstance(event, SessionChanged) and event.record.id == session_id:
            _follow_record(stream, event)
        _follow_answer(stream, event)
        if stream.aside and not stream.asked:
            return
        if isinstance(event, MessageSaid) and stream.asked and session_id != self._shown:
            stream.unread = True
        if isinstance(event, TurnStarted) and not stream.aside:
            self._streams[session_id] = self._streams.pop(session_id)
        if isinstance(event, MeterMoved):
            self._move_meter(session_id, stream, event.meter)
            return
        if not self.updates:
            return
        if isinstance(event, NoticeGiven) and event.turn is None and not stream.asked:
            stream.held.append(event)
            return
        self._tell_held(session_id, stream)
        found = updates.update(event)
        if isinstance(found, TextDelta | ReasoningDelta):
            self._merge(session_id, stream, found)
        elif found is not None:
            self._flush(session_id, stream)
            self._send(session_id, stream, found)

    def _tell_held(self, session_id: str, stream: Stream) -> None:
        held, stream.held = stream.held, []
        for notice in held:
            found = updates.update(notice)
            assert found is not None
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
        waiting = self._waiting()
        if waiting > DEAF_BYTES and not isinstance(found, TurnEnded):
            return
        if waiting > LAGGING_BYTES and isinstance(found, TextDelta | ReasoningDelta):
            return
        params = SessionUpdateParams.model_construct(
            session_id=session_id, seq=stream.seq, update=found
        )
        plain = dump(params)
        if waiting <= LAGGING_BYTES or _characters(plain) <= LARGE:
            self._notify(methods.SESSION_UPDATE.name, plain, None)

    def _move_meter(self, session_id: str, stream: Stream, meter: Meter) -> None:
        if stream.meter_timer is not None:
            stream.meter = meter
            return
        self._send_meter(session_id, meter)
        loop = asyncio.get_running_loop()
        stream.meter_timer = loop.call_later(METER_SECONDS, self._settle_meter, session_id, stream)

    def _settle_meter(self, session_id: str, stream: Stream) -> None:
        """Send the newest meter later, if it came too soon after another to be sent at once."""
        stream.meter_timer = None
        if stream.meter is not None:
            held, stream.meter = stream.meter, None
            self._move_meter(session_id, stream, held)

    def _send_meter(self, session_id: str, meter: Meter) -> None:
        params = ContextDidChangeParams(
            session_id=session_id, meter=meters.meter(session_id, meter)
        )
        self._notify(methods.CONTEXT_DID_CHANGE.name, dump(params), f"meter {session_id}")


def _follow_record(stream: Stream, event: SessionChanged) -> None:
    stream.aside = event.record.agent is not None
    if event.replaced:
        # What is said of it waits until the client, which sees the gap, has loaded the session.
        stream.seq, stream.asked = stream.seq + 1, False


def _follow_answer(stream: Stream, event: Event) -> None:
    match event:
        case TextArrived() | ReasoningArrived():
            if stream.answer is None or stream.answer.message != event.message:
                stream.answer = AnswerSoFar(turn=event.turn, message=event.message)
            stream.answer.add(event)
        case MessageSaid() if stream.answer and event.said.id == stream.answer.message:
            stream.answer = None
        case TurnStarted() | events.TurnEnded():
            stream.answer = None
        case _:
            return


def _characters(plain: object) -> int:
    """Count the characters of all texts in a message."""
    if isinstance(plain, str):
        return len(plain)
    if isinstance(plain, Mapping):
        return sum(map(_characters, cast("Mapping[str, object]", plain).values()))
    inner = cast("Sequence[object]", plain) if isinstance(plain, list | tuple) else ()
    return sum(map(_characters, inner))

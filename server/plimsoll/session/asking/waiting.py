"""What people are told of a model that is asked: why it is waited for, and what it refuses."""

from datetime import datetime, timedelta

from plimsoll.providers.base import Waiting
from plimsoll.session.ports.clock import Clock, rfc3339
from plimsoll.session.ports.events import NoticeGiven, WaitLasted
from plimsoll.session.state.voice import SessionVoice
from plimsoll.storage.base import Redactor


def tell_mend(voice: SessionVoice, redact: Redactor, turn: str | None, words: str) -> None:
    """Tell the person once which field a server refuses, and how it is asked from now on."""
    voice.emit(NoticeGiven(redact(words), "info", turn))


def tell_wait(
    voice: SessionVoice, clock: Clock, waiting: Waiting, *, turn: str, model: str
) -> None:
    """Send the event that a model is waited for; ``turn`` is empty if no turn waits for it."""
    now = datetime.fromisoformat(clock.now())
    next_at = None if waiting.seconds is None else now + timedelta(seconds=waiting.seconds)
    voice.emit(
        WaitLasted(
            turn=turn,
            model=model,
            reason=waiting.reason,
            since=rfc3339(now - timedelta(seconds=waiting.lasted)),
            attempt=waiting.attempt,
            attempts=waiting.attempts,
            retry_at=next_at and rfc3339(next_at),
        )
    )

"""The line that says what is waited for, and for how long; it goes away with what comes."""

import asyncio
from datetime import UTC, datetime

from plimsoll.providers.base import WaitReason
from plimsoll.session.events import WaitLasted
from plimsoll.terminal.screen import Screen

WORDS: dict[WaitReason, str] = {
    "connecting": "Connecting to the server of {model}",
    "loading": "The server loads {model}",
    "firstToken": "Waiting for {model}",
    "rateLimited": "Too many requests for {model}",
    "retrying": "{model} failed",
}


class WaitingLine:
    """Shows a wait with its seconds; where a line cannot go away, once without them."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._told: WaitLasted | None = None
        self._timer: asyncio.TimerHandle | None = None

    def show(self, waited: WaitLasted) -> None:
        """Show what is waited for now."""
        self.end()
        self._told = waited
        if self._screen.can_pass:
            self._draw(waited)
        else:
            self._screen.note(f"· {waiting_words(waited)}")

    def end(self) -> None:
        """Take the line away."""
        if self._timer is not None:
            self._timer.cancel()
        if self._told is not None:
            self._screen.passing("")
        self._timer = self._told = None

    def _draw(self, waited: WaitLasted) -> None:
        seconds = (datetime.now(UTC) - datetime.fromisoformat(waited.since)).total_seconds()
        self._screen.passing(f"· {waiting_words(waited)} · {max(0, round(seconds))} s")
        self._timer = asyncio.get_running_loop().call_later(1.0, self._draw, waited)


def waiting_words(waited: WaitLasted) -> str:
    """Say what is waited for, and which try comes when."""
    words = WORDS[waited.reason].format(model=waited.model)
    if waited.attempt is None or waited.retry_at is None:
        return words
    clock = datetime.fromisoformat(waited.retry_at).astimezone().strftime("%H:%M:%S")
    return f"{words}, try {waited.attempt} of {waited.attempts} at {clock}"

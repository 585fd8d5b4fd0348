"""Shows what is waited for or runs, and for how long, in lines that go away again."""

import asyncio
from datetime import UTC, datetime

from plimsoll.providers.base import WaitReason
from plimsoll.session.ports.events import WaitLasted
from plimsoll.terminal.screen import Screen

RULE, LAST = "  │ ", "  └ "
"""Stand before the lines of an output, and before how it ended."""
WORDS: dict[WaitReason, str] = {
    "connecting": "Connecting to the server of {model}",
    "loading": "The server loads {model}",
    "firstToken": "Waiting for {model}",
    "rateLimited": "Too many requests for {model}",
    "retrying": "{model} failed",
}


class WaitingLine:
    """Shows a wait and its seconds; where lines cannot be erased, prints it once without them."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._told: WaitLasted | None = None
        self._timer: asyncio.TimerHandle | None = None

    def show(self, waited: WaitLasted) -> None:
        """Show the wait that has begun or changed."""
        self.end()
        self._told = waited
        if self._screen.can_pass:
            self._draw(waited)
        else:
            self._screen.note(f"· {waiting_words(waited)}")

    def end(self) -> None:
        """Erase the line."""
        if self._timer is not None:
            self._timer.cancel()
        if self._told is not None:
            self._screen.passing("")
        self._timer = self._told = None

    def _draw(self, waited: WaitLasted) -> None:
        seconds = (datetime.now(UTC) - datetime.fromisoformat(waited.since)).total_seconds()
        self._screen.passing(f"· {waiting_words(waited)} · {max(0, round(seconds))} s")
        self._timer = asyncio.get_running_loop().call_later(1.0, self._draw, waited)


class RunningLines:
    """Shows the last lines of a running command and its seconds, where lines can be erased."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._timer: asyncio.TimerHandle | None = None

    def show(self, output: str, since: str | None) -> None:
        """Show the last lines of the command; ``since``: when it began, as RFC 3339."""
        self._stop()
        lines = "".join(f"{RULE}{line}\n" for line in output.split("\n")) if output else ""
        began = datetime.fromisoformat(since) if since else datetime.now(UTC)
        self._draw(lines, began)

    def end(self) -> None:
        """Erase the lines, and stop counting seconds."""
        if self._timer is not None:
            self._screen.passing("")
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _draw(self, lines: str, began: datetime) -> None:
        seconds = max(0, round((datetime.now(UTC) - began).total_seconds()))
        self._screen.passing(f"{lines}{LAST}{seconds_words(1000 * seconds)}")
        self._timer = asyncio.get_running_loop().call_later(1.0, self._draw, lines, began)


def seconds_words(milliseconds: int) -> str:
    """Write how long something took: ``0.4 s``, ``12 s``, ``2 min 5 s``."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    if minutes:
        return f"{minutes} min {seconds} s"
    # What is counted while it runs has no tenths.
    whole = seconds > 9 or milliseconds % 1000 == 0
    return f"{seconds} s" if whole else f"{milliseconds / 1000:.1f} s"


def waiting_words(waited: WaitLasted) -> str:
    """Say in words why a model is waited for, and when the next try begins."""
    words = WORDS[waited.reason].format(model=waited.model)
    if waited.attempt is None or waited.retry_at is None:
        return words
    clock = datetime.fromisoformat(waited.retry_at).astimezone().strftime("%H:%M:%S")
    return f"{words}, try {waited.attempt} of {waited.attempts} at {clock}"

"""A turn at the terminal: begin it, wait for it, cancel it by Ctrl-C, and say how it ended.

The first Ctrl-C cancels the turn, the second one leaves.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Self

from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.ports.content import Content
from plimsoll.session.ports.events import StopReason, TurnEnded
from plimsoll.session.session import Session
from plimsoll.terminal.opening import tell_error
from plimsoll.terminal.screen import Screen

TERMINATED = 128 + signal.SIGTERM
INTERRUPTED = 128 + signal.SIGINT


class Interrupts:
    """Handles Ctrl-C and SIGTERM for a command, in a ``with`` block on the event loop's thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._cancel: Callable[[], Coroutine[object, object, object]] | None = None
        self._task: asyncio.Task[object] | None = None

    def __enter__(self) -> Self:
        signal.signal(signal.SIGINT, self._on_interrupt)
        signal.signal(signal.SIGTERM, _on_terminate)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A third Ctrl-C during the clean-up ends the process at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def cancels(self, cancel: Callable[[], Coroutine[object, object, object]] | None) -> None:
        """Set the work that the next Ctrl-C cancels; without any, Ctrl-C ends the command."""
        self._cancel = cancel

    def _on_interrupt(self, *_: object) -> None:
        cancel, self._cancel = self._cancel, None
        if cancel is None:
            raise KeyboardInterrupt
        self._loop.call_soon_threadsafe(self._start, cancel)

    def _start(self, cancel: Callable[[], Coroutine[object, object, object]]) -> None:
        self._task = self._loop.create_task(cancel())


def _on_terminate(*_: object) -> None:
    raise SystemExit(TERMINATED)


ENDINGS: dict[StopReason, str] = {
    "maxTokens": "The answer was cut off: it reached the most tokens that an answer may have.",
    "cancelled": "Cancelled.",
    "contextLimit": "The context is full.",
    "refusal": "The model declined to answer.",
    "error": "The turn failed.",
}
"""What is said of an end of which the session has not said more itself."""


async def turn(
    session: Session, prompt: Sequence[Content], interrupts: Interrupts
) -> TurnEnded | None:
    """Start a turn and wait for its end; Ctrl-C cancels it."""
    await session.prompt(prompt)
    interrupts.cancels(session.cancel)
    try:
        return await session.wait()
    finally:
        interrupts.cancels(None)


async def command(
    running: Coroutine[None, None, Reply], interrupts: Interrupts, screen: Screen
) -> Reply | None:
    """Run a slash command; Ctrl-C cancels it, which is printed, and the reply is then None.

    Raises what the command raises.
    """
    work = asyncio.create_task(running)

    async def cancel() -> None:
        work.cancel()

    interrupts.cancels(cancel)
    try:
        await asyncio.wait([work])
    finally:
        interrupts.cancels(None)
    if not work.cancelled():
        return work.result()
    screen.note(ENDINGS["cancelled"], "yellow")
    return None


def ring_after(seconds: float, long_turn_seconds: int, screen: Screen) -> None:
    """Ring the bell after a turn of so many seconds, if it was long; 0: never."""
    if 0 < long_turn_seconds <= seconds:
        screen.ring()


def tell_end(ended: TurnEnded | None, screen: Screen) -> int:
    """Print how the turn ended if it failed; return the matching exit code."""
    screen.end_line()
    if ended is None or ended.reason == "endTurn":
        return 0 if ended is not None else 1
    if ended.error is not None:
        tell_error(ended.error, screen)
    elif ended.reason in ENDINGS:
        screen.note(ENDINGS[ended.reason], "yellow")
    return INTERRUPTED if ended.reason == "cancelled" else 1

"""Reports the end of a running command's output, a few times a second."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

TOLD_BYTES = 16_384
"""More than ten lines have."""
TOLD_SECONDS = 0.25
"""Between two tellings; nobody reads faster."""


class RunningOutput(Protocol):
    """The output of a command that still runs."""

    news: asyncio.Event
    """Set when output came or the command ended."""

    def output_end(self, limit: int) -> str:
        """Return the text of at most this many last bytes."""
        ...


async def tell_output(
    written: RunningOutput,
    tell: Callable[[str], None],
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Report the end of an output each time that it has changed, until this is cancelled.

    Fast output is reported once in ``TOLD_SECONDS`` at most, so that pieces come together.
    """
    told = ""
    while True:
        await written.news.wait()
        written.news.clear()
        text = written.output_end(TOLD_BYTES)
        if text != told:
            tell(text)
            told = text
        await pause(TOLD_SECONDS)

"""Reports what an answer is waited for before its first token.

A wait is reported when it has lasted, and again when its reason changes for longer than a moment,
so that a person sees neither flicker nor silence.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from plimsoll.providers.base import BegunAnew, Chunk, Waiting, WaitReason

CHANGE_TOLD_AFTER_SECONDS = 0.4
"""Seconds; an attempt that fails at once between two waits is not reported."""


@dataclass(slots=True, kw_only=True)
class _Phase:
    reason: WaitReason
    since: float
    """In time of the event loop."""
    attempt: int | None = None
    attempts: int | None = None
    next_at: float | None = None


class AnswerProgress:
    """The progress of one answer; only for the event loop's thread."""

    def __init__(self, told_after: float) -> None:
        """``told_after``: the seconds after which a wait is reported."""
        self._now = asyncio.get_running_loop().time
        self._told_after = told_after
        self._begun = self._now()
        self._phase: _Phase | None = None
        self._entered = self._begun
        self._told: _Phase | None = None
        self.changed = asyncio.Event()
        """Set when the reason for waiting has changed."""
        self.sent_at = self._begun
        """When the newest attempt began."""
        self.spoke_at: float | None = None
        """When the first token came."""
        self.is_accepted = False
        """Whether the newest attempt got an answer's headers."""
        self.is_whole = False
        """Whether the answer has announced its end, so that the body only has to end."""

    def enter(
        self,
        reason: WaitReason,
        *,
        attempt: int | None = None,
        attempts: int | None = None,
        seconds: float | None = None,
    ) -> None:
        """Set the reason for waiting; ``seconds``: until the next attempt."""
        now = self._now()
        earlier = (phase for phase in (self._told, self._phase) if phase is not None)
        since = next((phase.since for phase in earlier if phase.reason == reason), now)
        self._phase = _Phase(
            reason=reason,
            since=since,
            attempt=attempt,
            attempts=attempts,
            next_at=None if seconds is None else now + seconds,
        )
        self._entered = now
        self.changed.set()

    def begin_try(self) -> None:
        """Record that a request is being sent, whose first token is waited for."""
        self.sent_at = self._now()
        self.is_accepted = self.is_whole = False

    def begin_anew(self) -> None:
        """Record that the part of the answer received so far is void."""
        self._phase = self._told = self.spoke_at = None
        self._begun = self._entered = self._now()

    def speak(self) -> None:
        """Record that a token has come: the wait is over."""
        if self.spoke_at is None:
            self.spoke_at = self._now()

    def seconds_to_tell(self) -> float | None:
        """Return the seconds until the wait is to be reported; None once it was reported."""
        if self._phase is None or self._phase == self._told:
            return None
        due = self._begun + self._told_after
        if self._told is not None:
            due = self._entered + min(CHANGE_TOLD_AFTER_SECONDS, self._told_after)
        return max(0.0, due - self._now())

    def tell(self) -> Waiting | None:
        """Return the wait to report, once."""
        phase = self._told = self._phase
        if phase is None:
            return None
        now = self._now()
        return Waiting(
            reason=phase.reason,
            lasted=now - phase.since,
            attempt=phase.attempt,
            attempts=phase.attempts,
            seconds=None if phase.next_at is None else max(0.0, phase.next_at - now),
        )


async def telling_waits(
    chunks: AsyncGenerator[Chunk, None], progress: AnswerProgress
) -> AsyncGenerator[Chunk, None]:
    """Pass the chunks on, with waits before the first and before one that starts again.

    Raises:
        ProviderError: The stream of the chunks raises it.
    """
    async with aclosing(chunks):
        begins = True
        while begins:
            first = asyncio.create_task(_next(chunks))
            try:
                async for waiting in _waits(first, progress):
                    yield waiting
                chunk = await first
            finally:
                # Left alone it would go on asking, though nobody waits for the answer any more.
                first.cancel()
                await asyncio.gather(first, return_exceptions=True)
            if chunk is None:
                return
            progress.speak()
            yield chunk
            begins = False
            async for later in chunks:
                yield later
                if begins := isinstance(later, BegunAnew):
                    break


async def _next(chunks: AsyncGenerator[Chunk, None]) -> Chunk | None:
    return await anext(chunks, None)


async def _waits(
    first: "asyncio.Task[Chunk | None]", progress: AnswerProgress
) -> AsyncGenerator[Waiting]:
    while not first.done():
        progress.changed.clear()
        changed = asyncio.create_task(progress.changed.wait())
        try:
            seconds = progress.seconds_to_tell()
            done, _ = await asyncio.wait(
                {first, changed}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            changed.cancel()
        if not done and (waiting := progress.tell()) is not None:
            yield waiting

"""The turn of a session that runs in this process, from its start to its end.

A session is in one of four phases. Only the steps of the table lead from one to another; each step
that is not in it is refused, so a second turn cannot begin before the first has ended.

| phase | step | next | what holds in the next one |
| --- | --- | --- | --- |
| idle | start | working | the lease is held; the work can be cancelled |
| working | cancel | stopping | the work was asked to end; nobody else may begin |
| working, stopping | done | ending | what it came to is kept, which nothing cancels |
| ending | told | idle | its end was told, the lease is given back |
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from enum import Enum
from typing import Any

from plimsoll.errors import Busy
from plimsoll.session.ports.events import TurnEnded


class TurnPhase(Enum):
    """Where the turn of a session stands."""

    IDLE = "idle"
    WORKING = "working"
    STOPPING = "stopping"
    ENDING = "ending"


class TurnStep(Enum):
    """A step from one phase of a turn to another."""

    START = "start"
    CANCEL = "cancel"
    DONE = "done"
    TOLD = "told"


TRANSITIONS: dict[tuple[TurnPhase, TurnStep], TurnPhase] = {
    (TurnPhase.IDLE, TurnStep.START): TurnPhase.WORKING,
    (TurnPhase.WORKING, TurnStep.CANCEL): TurnPhase.STOPPING,
    (TurnPhase.STOPPING, TurnStep.CANCEL): TurnPhase.STOPPING,
    (TurnPhase.WORKING, TurnStep.DONE): TurnPhase.ENDING,
    (TurnPhase.STOPPING, TurnStep.DONE): TurnPhase.ENDING,
    (TurnPhase.ENDING, TurnStep.TOLD): TurnPhase.IDLE,
}


class RunningTurn:
    """Runs the turns of a session one after another; the caller of ``start`` has the lease."""

    def __init__(self, title: Callable[[], str]) -> None:
        """``title``: returns the session's title, for the error that it is busy."""
        self.phase = TurnPhase.IDLE
        self.turn_id: str | None = None
        """The turn that runs, or ran last in this process."""
        self._title = title
        self._ending: asyncio.Task[TurnEnded] | None = None
        """The turn with its end, which nothing cancels."""
        self._work: asyncio.Task[TurnEnded] | None = None
        """What can be cancelled of it."""

    @property
    def running(self) -> bool:
        """Whether a turn runs in this process."""
        return self.phase is not TurnPhase.IDLE

    def start(
        self,
        turn: str,
        work: Coroutine[Any, Any, TurnEnded],
        keep: Callable[[TurnEnded], Awaitable[TurnEnded]],
        tell: Callable[[TurnEnded], None],
    ) -> None:
        """Start a turn; ``keep`` stores its result, then ``tell`` sends the event of its end."""
        self._step(TurnStep.START)
        self.turn_id = turn
        self._work = asyncio.create_task(work, name=f"turn {turn}")
        self._ending = asyncio.create_task(self._run(turn, self._work, keep, tell))

    async def wait(self) -> TurnEnded | None:
        """Wait for the end of the turn; None if there was none."""
        return await asyncio.shield(self._ending) if self._ending else None

    async def cancel(self) -> bool:
        """Stop the turn; once this returns, it has no further effect."""
        ending, work = self._ending, self._work
        if not self.running or ending is None or work is None:
            return False
        stopped = work.cancel()
        if self.phase is not TurnPhase.ENDING:
            self._step(TurnStep.CANCEL)
        await asyncio.wait([ending])
        return stopped

    def refuse_busy(self) -> None:
        """Raise Busy while a turn runs in this process."""
        if self.running:
            raise self.busy()

    def busy(self) -> Busy:
        """Make the error that says that a turn runs here."""
        why = f"A turn is running in session {self._title()!r}."
        data = {"heldBy": "this server", "turnId": self.turn_id}
        return Busy(why, remedy="Wait for its end or cancel it.", data=data)

    async def _run(
        self,
        turn: str,
        work: asyncio.Task[TurnEnded],
        keep: Callable[[TurnEnded], Awaitable[TurnEnded]],
        tell: Callable[[TurnEnded], None],
    ) -> TurnEnded:
        ended = TurnEnded(turn, "error")
        try:
            await asyncio.wait([work])
            # A task that is cancelled before its first step does not run at all.
            ended = TurnEnded(turn, "cancelled") if work.cancelled() else work.result()
        finally:
            self._step(TurnStep.DONE)
            try:
                ended = await keep(ended)
            finally:
                try:
                    tell(ended)
                finally:
                    self._step(TurnStep.TOLD)
        return ended

    def _step(self, step: TurnStep) -> None:
        following = TRANSITIONS.get((self.phase, step))
        assert following is not None, f"a turn cannot {step.value} while it is {self.phase.value}"
        self.phase = following

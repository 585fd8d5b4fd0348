"""Watches commands that outlive their turn: what one of them made is asked about at its end."""

import asyncio

from plimsoll.session.made.reviewing import MadeReview
from plimsoll.session.session import Session


class MadeWatch:
    """Asks about files that background commands made, while no turn runs that would ask."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._watching: asyncio.Task[None] | None = None

    def on_turn_end(self, *, failed: bool = False) -> None:
        """Watch the commands that still run."""
        del failed
        done = self._watching is None or self._watching.done()
        if done and self._session.state.made.commands:
            self._watching = asyncio.create_task(self._watch(), name="made files")

    async def on_activity(self) -> None:
        """Do nothing: a question that is open stays, and holds up no session."""

    async def on_close(self) -> None:
        """Stop asking; files without an answer stay aside."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])

    async def _watch(self) -> None:
        session, made = self._session, self._session.state.made
        while made.commands and not session.running:
            waiting = [asyncio.ensure_future(command.wait()) for command in made.commands]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waiting:
                    each.cancel()
            if not session.running:
                await MadeReview(session.state, session.turn_id or "").review_between()

"""Keeps the session on the screen up to date while another process writes it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from plimsoll.errors import PlimsollError
from plimsoll.lsp.features.streams import Streams
from plimsoll.session.opening import follow, mend
from plimsoll.session.session import Session

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""Between two looks at the log of the session on the screen: one short read each."""
ASK_AGAIN_SECONDS = 5.0
"""Between two questions whether the window is there, while somebody else wants its session."""
LETTING_GO_SECONDS, LETTING_GO_LOOKS = 0.1, 10
"""Between two looks whether a process that ends has let go, and how many there are."""


class Following:
    """Polls whether another process writes the session on the screen, and what it wrote."""

    def __init__(
        self,
        streams: Streams,
        shown: Callable[[], Session | None],
        live: Callable[[], Sequence[Session]],
        present: Callable[[], Awaitable[bool]],
    ) -> None:
        """``present`` tells whether somebody can see the client's window."""
        self._present = present
        self._ask_again = 0.0
        self._streams = streams
        self._shown = shown
        self._live = live
        self._task: asyncio.Task[None] | None = None
        self._told: dict[str, str | None] = {}

    def begin(self) -> None:
        """Start polling; it ends if a poll fails, until a folder is opened again."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch(), name="following")

    def tell(self, session: Session) -> str | None:
        """Return the name of the other process that writes a session, and note that it was told."""
        self._told[session.id] = session.state.writing.claim()
        return self._told[session.id]

    async def tell_after_release(self, session: Session) -> str | None:
        """Return the result of ``tell``, after giving an ending process time to let go.

        At the reload of a window the old process ends while the new one opens its session.
        """
        known = self._told.get(session.id) is not None
        known = known or session.state.writing.is_on_another_machine
        looks = 0
        while session.state.writing.claim() is not None and not known and looks < LETTING_GO_LOOKS:
            session.state.writing.want()
            await asyncio.sleep(LETTING_GO_SECONDS)
            looks += 1
        if looks:
            await _take(session)
        return self.tell(session)

    async def close(self) -> None:
        """Stop polling."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _watch(self) -> None:
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                session = self._shown()
                if session is not None and not session.running:
                    await self._look(session)
        except PlimsollError as error:
            log.warning("what others write is not followed any more: %s", error.message)

    async def _look(self, session: Session) -> None:
        written, told = await follow(session.state), self._told.get(session.id)
        writing = session.state.writing
        if told is not None:
            writing.want()
            await _take(session)
        elif await self._is_alone(session) and not session.running:
            # The window was reloaded or has crashed: the process that it left behind lives on.
            writing.leave()
        if writing.has_left():
            return
        used = [each.id for each in self._live() if each.running or each.id == session.id]
        writing.keep_only(used)
        if written:
            self._streams.skip(session.id)
        if self.tell(session) != told or written:
            self._streams.hear(session.id, session.state.changed_event())

    async def _is_alone(self, session: Session) -> bool:
        """Tell whether another process wants a session whose window nobody can see here."""
        if time.monotonic() < self._ask_again:
            return False
        if not session.state.writing.is_wanted():
            return False
        self._ask_again = time.monotonic() + ASK_AGAIN_SECONDS
        return not await self._present()


async def _take(session: Session) -> None:
    """Become the session's writer, then close its open calls and take in changes around it."""
    if session.state.writing.claim() is None:
        await mend(session.state)
        await session.catch_up()

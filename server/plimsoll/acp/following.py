"""Shows the client what other front doors append to the session that it has open."""

import asyncio
import logging
from collections.abc import Callable

from plimsoll.acp.convert.replay import replay_updates
from plimsoll.acp.opened import OpenedSession
from plimsoll.acp.streams import UpdateStreams
from plimsoll.errors import PlimsollError
from plimsoll.session.opening import follow
from plimsoll.session.ports.events import MeterMoved
from plimsoll.session.session import Session

LOOK_SECONDS = 1.0
"""Between two looks at the log of the session that was used last: one short read each."""

log = logging.getLogger(__name__)


class AcpFollowing:
    """Polls the open session's log for entries of other processes, and sends them."""

    def __init__(
        self, streams: UpdateStreams, last_used: Callable[[], OpenedSession | None]
    ) -> None:
        self._streams = streams
        self._last_used = last_used
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start polling; it ends when a poll fails, until a session is opened again."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch(), name="following")

    async def close(self) -> None:
        """Stop polling."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def catch_up(self, opened: OpenedSession, session: Session) -> None:
        """Send the entries of a session's log that the client was not shown."""
        entries = session.state.log.fold.entries
        start, opened.shown = opened.shown, len(entries)
        if start is None or start >= len(entries):
            return
        for update in replay_updates(session.state.log.fold, session.state.files.root, start):
            self._streams.send(opened.id, update)
        self._streams.hear(opened.id, MeterMoved(session.state.load.quick_meter()))
        self._streams.hear(opened.id, session.state.changed_event())

    async def _watch(self) -> None:
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                opened = self._last_used()
                session = opened.live() if opened is not None else None
                if opened is None or session is None or opened.waiting or session.running:
                    continue
                if await follow(session.state) and not (opened.waiting or session.running):
                    self.catch_up(opened, session)
        except PlimsollError as error:
            log.warning("what others write is not followed any more: %s", error.message)

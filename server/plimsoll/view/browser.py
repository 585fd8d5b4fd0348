"""The connection to one browser that shows the context of one session."""

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import cast

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from plimsoll.errors import PlimsollError
from plimsoll.lsp.features.convert import context, meters
from plimsoll.lsp.features.convert.session_infos import changed_info
from plimsoll.lsp.wire.base import dump
from plimsoll.session.opening import follow
from plimsoll.session.reduction.inspection import report
from plimsoll.session.session import Session
from plimsoll.view.acts import ACTS, perform
from plimsoll.view.admission import ShownSession

LOOK_SECONDS = 0.25
"""Between two looks whether the session has changed here."""
FOLLOW_SECONDS = 1.0
"""Between two looks whether another process has written it: one short read each."""
REST = 4.0
"""After a report nothing is looked at for so many times as long as it took to make: a long log
leaves the process to its turn."""


class Browser:
    """Tells a page what stands in the context, as it changes, and does what a person does there."""

    def __init__(self, socket: ServerConnection, shown: ShownSession, session: Session) -> None:
        self._socket = socket
        self._shown = shown
        self._held = session
        self._due = asyncio.Event()
        self._followed = 0.0

    async def serve(self, key: str) -> None:
        """Serve the page until it is closed; ``key`` lets it come back."""
        async with asyncio.TaskGroup() as tasks:
            # It may close at any moment, also while it is told something.
            watching = tasks.create_task(self._watch(key), name=f"view {self._shown.session_id}")
            with suppress(ConnectionClosed):
                async for message in self._socket:
                    await self._answer(message)
                    self._due.set()
            watching.cancel()

    @property
    def _session(self) -> Session:
        """The session as it is live now: it may have been opened anew meanwhile."""
        self._held = self._shown.project.live.get(self._shown.session_id, self._held)
        return self._held

    async def _watch(self, key: str) -> None:
        """Tell of each change, until the page is closed or there is nothing to be told any more."""
        with suppress(ConnectionClosed):
            try:
                await self._tell("opened", {"key": key, "methods": list(ACTS)})
                await self._tell_changes()
            except PlimsollError as error:
                # The session was deleted, or its store is gone.
                await self._tell("ended", {"message": error.message})
                await self._socket.close()

    async def _tell_changes(self) -> None:
        told: object = None
        while True:
            began = time.monotonic()
            await self._follow(began)
            now = _fingerprint(self._session)
            if now != told:
                told = now
                await self._tell("didChange", _shown_now(self._session))
                await asyncio.sleep(REST * (time.monotonic() - began))
            await self._wait()

    async def _follow(self, now: float) -> None:
        if self._session.running or now - self._followed < FOLLOW_SECONDS:
            return
        self._followed = now
        await follow(self._session.state)

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._due.wait(), LOOK_SECONDS)
        except TimeoutError:
            return
        self._due.clear()

    async def _answer(self, message: str | bytes) -> None:
        """Perform a request of the page, and send its result."""
        asked = _read(message)
        if asked is None:
            return
        number, method, params = asked
        try:
            done = await perform(self._shown.project, self._session, method, params)
        except PlimsollError as error:
            told = {"message": error.message, "remedy": error.remedy}
            await self._send({"id": number, "error": dump(told)})
            return
        await self._send({"id": number, "result": dump(done)})

    async def _tell(self, about: str, params: Mapping[str, object]) -> None:
        await self._send({"method": f"plimsoll/view/{about}", "params": params})

    async def _send(self, message: Mapping[str, object]) -> None:
        await self._socket.send(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


def _read(message: str | bytes) -> tuple[int, str, Mapping[str, object]] | None:
    """Parse a request of the page; None for a malformed one, which no page of ours sends."""
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        return None
    match found:
        case {"id": int(number), "method": str(method), "params": dict()}:
            return number, method, cast("Mapping[str, object]", found["params"])
        case _:
            return None


def _fingerprint(session: Session) -> object:
    """Return a value that differs whenever the page would show something else."""
    state = session.state
    return len(state.log.fold.entries), id(state.log.indexes), state.record, session.running


def _shown_now(session: Session) -> Mapping[str, object]:
    found = report(session.state)
    whole = context.report(
        meters.meter(session.id, found.meter), found, detail=True, offset=0, limit=None
    )
    running = session.running or session.state.has_open_turn
    info = changed_info(session.state.changed_event())
    return {"report": dump(whole), "session": dump(info), "running": running}

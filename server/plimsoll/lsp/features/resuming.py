"""The session with which a client wants to begin: named at once, and opened behind the answer."""

import asyncio
import logging

from plimsoll.errors import PlimsollError
from plimsoll.session.project import Project
from plimsoll.storage.base import SessionRecord

log = logging.getLogger(__name__)

LATEST = "latest"
"""The session to resume that is no id."""


class Resuming:
    """Opens one session in the background, and lets other requests wait for it."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def begin(self, project: Project, session_id: str) -> None:
        """Begin to open a session of a folder."""
        self._task = asyncio.create_task(_open(project, session_id), name="resuming")

    async def wait_until_opened(self) -> None:
        """Wait until the session is open or has failed to open; only then may others be opened."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """End the opening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])


async def record_of(project: Project, wanted: str) -> SessionRecord | None:
    """Read the record of a session, without its log; None if there is none to resume.

    Raises:
        NotFound: No session has the id.
        StoreError: The store cannot be read.
    """
    if wanted == LATEST:
        return next(iter(await project.list(1)), None)
    environment = project.environment
    return environment.redact_record(await environment.store.get(wanted))


async def _open(project: Project, session_id: str) -> None:
    try:
        await project.load(session_id)
    except PlimsollError as error:
        # Whoever asks for the session is told it anew.
        log.warning("a session was not opened ahead: %s", error.message)

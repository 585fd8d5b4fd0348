"""Updates and deletes open sessions of a folder that travel between a person's machines."""

from collections.abc import Awaitable, Callable, Collection

from plimsoll.errors import Busy, NotFound
from plimsoll.session.checkpoints.changes import share_copies
from plimsoll.session.live_sessions import LiveSessions
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.events import NoticeGiven, SessionChanged
from plimsoll.session.resources.files import FileCopies
from plimsoll.session.state.shown import shown_note

STAYS = "This session was deleted on another machine. As it is open, it stays on this one alone."


class TravellingHere:
    """The open sessions of a folder, as ``OpenSessions``."""

    def __init__(
        self,
        environment: Environment,
        sessions: LiveSessions,
        delete: Callable[[str], Awaitable[None]],
    ) -> None:
        """``delete``: deletes a session of the folder for good."""
        self._environment = environment
        self._sessions = sessions
        self._delete = delete

    def in_use(self) -> Collection[str]:
        """Return the ids of the sessions that the person shows, or that run a turn."""
        own = (each for each in self._sessions.by_id.values() if each.state.caller is None)
        return frozenset(
            each.id for each in own if each.running or each.id == self._sessions.current
        )

    async def release_diverged(self, session_id: str, branch: str, told: str) -> None:
        """Let go of a session whose stored log was replaced, and tell the person why."""
        store, notice = self._environment.store, NoticeGiven(told, "warning")
        kept = await store.entries(branch)
        await share_copies(session_id, kept, FileCopies(self._environment, branch))
        await store.append(branch, [shown_note(notice, self._environment.clock)], len(kept))
        session = self._sessions.by_id.get(session_id)
        if session is not None:
            await self._sessions.drop(session)
        record = await self._environment.store.get(session_id)
        shown = self._environment.redact_record(record)
        self._environment.listener(session_id, SessionChanged(shown, replaced=True))
        self._tell(session_id, told)

    async def delete_here(self, session_id: str) -> bool:
        """Delete a session that was deleted elsewhere, unless it is in use."""
        if session_id in self.in_use():
            self._tell(session_id, STAYS)
            return False
        if self._environment.store.writers.is_open_elsewhere(session_id):
            raise Busy(
                f"The session {session_id!r} is open in another process.",
                remedy="That process decides what becomes of it.",
            )
        try:
            await self._delete(session_id)
        except NotFound:
            # The person has deleted it here too.
            return True
        return True

    def _tell(self, session_id: str, words: str) -> None:
        notice = NoticeGiven(self._environment.redact(words), "warning")
        self._environment.listener(session_id, notice)

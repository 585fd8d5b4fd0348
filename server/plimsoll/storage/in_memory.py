"""The sessions of one project in memory: for tests, and for ``--no-store``."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from plimsoll.context.entries import Entry
from plimsoll.context.serialization import decode
from plimsoll.errors import Busy, NotFound
from plimsoll.storage.base import Lease, Redactor, SessionRecord
from plimsoll.storage.door import bodies_of, log_has_grown, session_exists, without_secrets
from plimsoll.storage.pins import InMemoryPins
from plimsoll.storage.recall import InMemoryRecall


@dataclass(slots=True)
class _Session:
    record: SessionRecord
    number: int
    """Counts the sessions as they were created."""
    log: list[Entry] = field(default_factory=list[Entry])


class InMemoryStore:
    """A ``ProjectStore`` that forgets everything with its process."""

    def __init__(self, redact: Redactor) -> None:
        self.pins = InMemoryPins(redact)
        self.recall = InMemoryRecall(redact)
        self._redact = redact
        self._sessions: dict[str, _Session] = {}
        self._created = 0
        self._leased: set[str] = set()

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> None:
        """Keep a new session with its first entries; raises LogConflict when the id is taken."""
        if record.id in self._sessions:
            raise session_exists(record.id)
        self._created += 1
        stored = without_secrets(record, self._redact)
        self._sessions[record.id] = _Session(stored, self._created, self._stored(entries))

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> int:
        """Append to a log and return its new length; the session counts as used now."""
        session = self._session(session_id)
        if len(session.log) != expected:
            raise log_has_grown(session_id, expected, len(session.log))
        session.log += self._stored(entries)
        used = max([session.record.updated_at, *(entry.at for entry in entries)])
        session.record = replace(session.record, updated_at=used)
        return len(session.log)

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """The log from index ``start``."""
        return self._session(session_id).log[start:]

    async def get(self, session_id: str) -> SessionRecord:
        """One session."""
        return self._session(session_id).record

    async def sessions(self, limit: int | None = None) -> list[SessionRecord]:
        """All sessions, the one used last first."""
        by_use = sorted(
            self._sessions.values(),
            key=lambda session: (session.record.updated_at, session.number),
            reverse=True,
        )
        return [session.record for session in by_use[:limit]]

    async def update(self, record: SessionRecord) -> None:
        """Replace what is known of a session beside its log."""
        self._session(record.id).record = without_secrets(record, self._redact)

    async def delete(self, session_id: str) -> None:
        """Forget a session."""
        self._session(session_id)
        del self._sessions[session_id]
        self.recall.forget(session_id)

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease."""
        self._session(session_id)
        holder = f"pid {os.getpid()}"
        if session_id in self._leased:
            raise Busy(
                f"The session {session_id!r} is in use by {holder}.",
                remedy="fork",
                data={"heldBy": holder},
            )
        self._leased.add(session_id)
        return Lease(session_id, holder)

    async def release(self, lease: Lease) -> None:
        """Give the lease back."""
        self._leased.discard(lease.session_id)

    def holds(self, session_id: str) -> bool:
        """Whether the session's lease is held through this store."""
        return session_id in self._leased

    async def close(self) -> None:
        """Forget everything."""
        self._sessions.clear()
        self._leased.clear()
        self.recall.close()

    def _session(self, session_id: str) -> _Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise NotFound("session", session_id)
        return session

    def _stored(self, entries: Sequence[Entry]) -> list[Entry]:
        return [decode(body) for _, body in bodies_of(entries, self._redact)]

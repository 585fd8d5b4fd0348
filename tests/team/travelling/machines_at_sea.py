"""A person's machines, each with a store of its own, and a server between them in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from plimsoll.context.log.entries import Entry
from plimsoll.errors import Busy, LogConflict, NotFound, StoreUnavailable
from plimsoll.session.ports.clock import SystemClock
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.replica.sessions import SqliteSessionCopies, hear_of_sessions
from plimsoll.storage.shared.news import SharedSession
from plimsoll.storage.shared.travelling import SessionPlaces
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.team.travelling.bringing import LocalSessions
from plimsoll.team.travelling.holders import Holders
from plimsoll.team.travelling.machines import machine_label
from plimsoll.team.travelling.sending import SessionSending
from plimsoll.team.travelling.travel import Travel
from storage.samples import unchanged


@dataclass
class KeptLog:
    """A session at the server."""

    record: SessionRecord
    machine: str
    entries: list[Entry] = field(default_factory=list)
    fence: int = 0
    holder: str | None = None


@dataclass
class Harbour:
    """The team's server: the logs, their leases, and what was deleted."""

    logs: dict[str, KeptLog] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    is_away: bool = False

    def expire(self, session_id: str) -> None:
        """Let the lease of a session run out."""
        self.logs[session_id].holder = None

    def log(self, session_id: str) -> KeptLog:
        if self.is_away:
            raise StoreUnavailable("The team's server does not answer.", remedy="Wait for it.")
        if session_id in self.deleted or session_id not in self.logs:
            raise NotFound("session", session_id)
        return self.logs[session_id]


class Sessions:
    """The ``TravellingSessions`` of one machine."""

    def __init__(self, harbour: Harbour, label: str) -> None:
        self._harbour = harbour
        self._label = label

    async def ship(
        self, record: SessionRecord, entries: Sequence[Entry], expected: int, fence: int | None
    ) -> int:
        if record.id not in self._harbour.logs and record.id not in self._harbour.deleted:
            self._harbour.logs[record.id] = KeptLog(record, self._label)
        log = self._harbour.log(record.id)
        if (log.holder is not None or fence is not None) and fence != log.fence:
            raise Busy("It is held.", data={"heldBy": log.holder or "another machine"})
        present = log.entries[expected:]
        if len(log.entries) < expected or present != list(entries)[: len(present)]:
            raise LogConflict("It grew otherwise.")
        log.entries += entries[len(present) :]
        log.record, log.machine = record, self._label
        return len(log.entries)

    async def take(self, session_id: str, *, force: bool = False) -> int:
        log = self._harbour.log(session_id)
        if log.holder is not None and not force:
            raise Busy("It is held.", data={"heldBy": log.holder})
        log.fence, log.holder = log.fence + 1, self._label
        return log.fence

    async def renew(self, session_id: str, fence: int) -> bool:
        log = self._harbour.log(session_id)
        return log.holder is not None and log.fence == fence

    async def release(self, session_id: str, fence: int) -> None:
        log = self._harbour.log(session_id)
        if log.fence == fence:
            log.holder = None

    async def read(self, session_id: str, start: int = 0) -> tuple[SharedSession, list[Entry]]:
        log = self._harbour.log(session_id)
        return shared(log), log.entries[start:]


def shared(log: KeptLog) -> SharedSession:
    return SharedSession(log.record, len(log.entries), log.machine, log.holder is not None)


@dataclass
class Server:
    """As much of a ``TeamServer`` as sessions use."""

    sessions: Sessions


@dataclass
class Screen:
    """The sessions that are open on a machine, and what its person was told."""

    shown: set[str] = field(default_factory=set)
    told: list[tuple[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def in_use(self) -> frozenset[str]:
        return frozenset(self.shown)

    async def release_diverged(self, session_id: str, branch: str, told: str) -> None:
        self.told.append((session_id, told))

    async def delete_here(self, session_id: str) -> bool:
        if session_id in self.shown:
            return False
        self.removed.append(session_id)
        return True


class Machine:
    """One machine of a person's."""

    def __init__(self, harbour: Harbour, name: str, folder: Path | None = None) -> None:
        self.harbour = harbour
        self.store = SqliteStore.in_memory(unchanged)
        self.copies = SqliteSessionCopies(self.store.database, unchanged)
        clock = SystemClock()
        self.label = machine_label(name, f"{name}-0123")
        self.local = LocalSessions(
            store=self.store,
            copies=self.copies,
            clock=clock,
            workspace=(folder or Path(f"/{name}/work")).as_uri(),
            holders=Holders(self.label, clock),
        )
        self.screen = Screen()
        self.local.opened.append(self.screen)
        self.server = Server(Sessions(harbour, self.label))
        self.sending = SessionSending(self.local, lambda: True)
        self.travel = Travel(self.local, self._connect, lambda: True)

    async def _connect(self) -> Server:
        return self.server

    async def send(self) -> None:
        """Do what the loop does again and again: send, then hear what is new."""
        await self.sending.run(self.server)
        await self.hear()

    async def hear(self) -> None:
        news = [
            shared(log)
            for name, log in self.harbour.logs.items()
            if name not in self.harbour.deleted
        ]
        gone = [*self.harbour.deleted]
        await self.store.database.write(lambda db: hear_of_sessions(db, news, gone))

    async def write(self, session_id: str, *entries: Entry) -> None:
        """Append to the log here, as a turn does."""
        length = len(await self.store.entries(session_id))
        await self.store.append(session_id, entries, length)

    async def places(self, session_id: str) -> SessionPlaces:
        found = await self.copies.find(session_id)
        assert found is not None
        return replace(found, record=None, there=None)

    async def close(self) -> None:
        await self.store.close()

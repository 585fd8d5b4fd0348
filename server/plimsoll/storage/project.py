"""The interface of everything that is stored of one project."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from plimsoll.context.log.entries import Entry
from plimsoll.memory.base import MemoryStore
from plimsoll.storage.base import (
    RecallStore,
    SaidStore,
    SessionRecord,
    SessionStore,
    SessionWriters,
)
from plimsoll.storage.chosen.base import PermissionStore, PinStore, SkillSwitches, WorkspacePin
from plimsoll.storage.shared.base import TeamReplica
from plimsoll.storage.shared.travelling import SessionCopies


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeRequest:
    """The stored facts that a session's next request depends on, read in one snapshot.

    Other processes may have changed them since the last request.
    """

    record: SessionRecord
    """The record of the session."""
    entries: Sequence[Entry]
    """The entries of the log from the given index on."""
    pins: Sequence[WorkspacePin]
    """All pins of the folder, by number."""
    standing: frozenset[str]
    """The ids of the given memories that are still in effect."""


class ProjectStore(SessionStore, Protocol):
    """The sessions, memories, pins and other stores of one project, closed together."""

    @property
    def writers(self) -> SessionWriters:
        """The register of the process that writes each of the project's sessions."""
        ...

    @property
    def pins(self) -> PinStore:
        """The pins of the folder."""
        ...

    @property
    def skills(self) -> SkillSwitches:
        """The skills that are switched off in the folder."""
        ...

    @property
    def permissions(self) -> PermissionStore:
        """The permissions that a person gave for the folder."""
        ...

    @property
    def recall(self) -> RecallStore:
        """The index of the exchanges in its sessions."""
        ...

    @property
    def said(self) -> SaidStore:
        """The search for words in its sessions' messages and titles."""
        ...

    @property
    def memories(self) -> MemoryStore:
        """The memories of the project."""
        ...

    @property
    def session_copies(self) -> SessionCopies:
        """The records of its sessions on the person's other machines."""
        ...

    @property
    def replica(self) -> TeamReplica:
        """This machine's copy of the shared project that the folder takes part in, if any."""
        ...

    async def require_writable(self) -> None:
        """Check that the store can be written, changing nothing; raises StoreUnavailable."""
        ...

    async def bodies(self, session_id: str) -> list[str]:
        """Read the log as stored texts, one for each entry, including those that do not decode.

        Raises:
            NotFound: There is no such session.
        """
        ...

    async def before_request(
        self, session_id: str, start: int, memory_ids: Collection[str]
    ) -> BeforeRequest:
        """Read the record, log, pins and memories for the next request; raises NotFound.

        They are read in one snapshot: the log from index ``start``, the pins of the folder, and
        which of the given memories are still in effect.
        """
        ...

    async def take_over(self, old: Path, new: Path, data: Path) -> None:
        """Move the sessions, pins and memories of a folder's old path into this store.

        It is the store of the folder's present path ``new``.

        ``old`` is the earlier path of the folder, ``data`` the user's data folder.

        Raises:
            InvalidInput: There still is a folder at the old path, or this store keeps nothing.
            NotFound: Nothing is stored of the old path.
            StoreError: One of the stores cannot be used.
        """
        ...

"""Sessions that travel, as the folder's sessions and its front doors reach them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from plimsoll.storage.base import SessionRecord


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """One of the person's sessions whose log is only on another machine."""

    record: SessionRecord
    machine: str
    """The name of the machine that wrote it last, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameFrom:
    """Where a session was before it came to this machine."""

    machine: str
    """The name of the machine, for people and for the model."""
    here: str
    """The name of this machine."""
    workspace: str
    """URI of the folder there."""


class OpenSessions(Protocol):
    """The open sessions of this process, as the exchange between machines acts on them."""

    def in_use(self) -> Collection[str]:
        """Return the ids of those that the person shows or that run a turn."""
        ...

    async def release_diverged(self, session_id: str, branch: str, told: str) -> None:
        """Let go of a session whose stored log was replaced, and tell the person why.

        ``branch``: the session that keeps its log as it was.
        """
        ...

    async def delete_here(self, session_id: str) -> bool:
        """Delete a session that was deleted elsewhere; tell whether it could be.

        It cannot be while it is in use; then the person is told that it stays here.

        Raises:
            Busy: It is open in another process of this machine, which decides about it.
        """
        ...


class Travelling(Protocol):
    """The person's sessions on their other machines."""

    def attend(self, sessions: OpenSessions) -> None:
        """Keep these open sessions of the folder up to date from now on."""
        ...

    def held_by(self, session_id: str) -> str | None:
        """Return the name of the other machine that writes a session, as far as is known."""
        ...

    async def elsewhere(self) -> Sequence[Elsewhere]:
        """List the sessions that are not here, the one used last first; asks no server."""
        ...

    async def bring(self, session_id: str, *, force: bool = False) -> None:
        """Bring the newest log of a session here, and become its writer if no other machine is.

        Does nothing for a session that does not travel, or is here in full. ``force``: become its
        writer also in place of another machine, on a person's word.

        Raises:
            Busy: A turn of it runs in another process of this machine.
            NotFound: It was deleted on another machine.
            StoreUnavailable: The team's server does not answer, and it is not here or ``force`` is
                set.
        """
        ...

    async def came_from(self, session_id: str) -> CameFrom | None:
        """Tell which other machine wrote a session last; None if this one did."""
        ...

    async def delete(self, session_id: str) -> bool:
        """Delete a session whose log is not here from the other machines; tell whether it was."""
        ...


class StaysHere:
    """Sessions that do not travel."""

    def attend(self, sessions: OpenSessions) -> None:
        """Do nothing."""

    def held_by(self, session_id: str) -> str | None:
        """Return None."""
        del session_id
        return None

    async def elsewhere(self) -> Sequence[Elsewhere]:
        """List none."""
        return ()

    async def bring(self, session_id: str, *, force: bool = False) -> None:
        """Do nothing."""

    async def came_from(self, session_id: str) -> CameFrom | None:
        """Return None."""
        del session_id
        return None

    async def delete(self, session_id: str) -> bool:
        """Return False."""
        del session_id
        return False

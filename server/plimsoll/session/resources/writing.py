"""The right to write one session: its lease, and which process has it."""

from collections.abc import Collection

from plimsoll.errors import Busy
from plimsoll.storage.base import Lease
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.travel import Travelling


class WriteAccess:
    """Takes and gives back the lease of a session, and tells who writes it.

    Raises:
        Busy: Another process writes the session, or its lease is taken.
        StoreError: The lease cannot be taken.
    """

    def __init__(self, store: ProjectStore, travelling: Travelling, session_id: str) -> None:
        self._store = store
        self._travelling = travelling
        self._session_id = session_id

    @property
    def held(self) -> bool:
        """Whether this process has the lease, so that it may append."""
        return self._store.holds(self._session_id)

    async def acquire(self) -> Lease:
        """Take the lease."""
        return await self._store.acquire(self._session_id)

    async def release(self, lease: Lease) -> None:
        """Give the lease back."""
        await self._store.release(lease)

    def claim(self) -> str | None:
        """Become the session's writer; or return the name of the process or machine that is."""
        machine = self._travelling.held_by(self._session_id)
        if machine is not None:
            return f"the machine {machine}"
        return self._store.writers.claim(self._session_id)

    def refuse_elsewhere(self) -> None:
        """Raise Busy while another process or machine writes."""
        machine = self._travelling.held_by(self._session_id)
        if machine is not None:
            raise Busy(
                f"The session is open on the machine {machine}, which is using it.",
                remedy="Take it over, about which `plimsoll chat --resume "
                f"{self._session_id}` asks in a terminal, or go on in another session.",
                data={"heldBy": f"the machine {machine}"},
            )
        self._store.writers.refuse_elsewhere(self._session_id)

    async def take_over(self) -> None:
        """Become the writer in place of another process; raises Busy while a turn runs there."""
        lease = await self.acquire()
        try:
            self._store.writers.take_over(self._session_id)
        finally:
            await self.release(lease)

    @property
    def is_on_another_machine(self) -> bool:
        """Whether another machine of the person's writes the session, as far as is known."""
        return self._travelling.held_by(self._session_id) is not None

    def want(self) -> None:
        """Let the session's writer know that this process wants to write it.

        A process of another machine gives it back once nobody shows it there.
        """
        if not self.is_on_another_machine:
            self._store.writers.want(self._session_id)

    def is_wanted(self) -> bool:
        """Tell whether another process wants to write; clears its request."""
        return self._store.writers.is_wanted(self._session_id)

    def leave(self) -> None:
        """Give up being the writer to any process that wants it, until the session is used here."""
        self._store.writers.leave(self._session_id)

    def has_left(self) -> bool:
        """Tell whether the session was given up here and has no writer yet."""
        return self._store.writers.has_left(self._session_id)

    def keep_only(self, session_ids: Collection[str]) -> None:
        """Give up being the writer of every other session of the folder."""
        self._store.writers.keep_only(session_ids)

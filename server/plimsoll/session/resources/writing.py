"""The right to write one session: its lease, and which process has it."""

from collections.abc import Collection

from plimsoll.storage.base import Lease, ProjectStore


class WriteAccess:
    """Takes and gives back the lease of a session, and tells who writes it.

    Raises:
        Busy: Another process writes the session, or its lease is taken.
        StoreError: The lease cannot be taken.
    """

    def __init__(self, store: ProjectStore, session_id: str) -> None:
        self._store = store
        self._session_id = session_id

    @property
    def held(self) -> bool:
        """Whether the lease is taken here, so that appending is ours."""
        return self._store.holds(self._session_id)

    async def acquire(self) -> Lease:
        """Take the lease."""
        return await self._store.acquire(self._session_id)

    async def release(self, lease: Lease) -> None:
        """Give the lease back."""
        await self._store.release(lease)

    def claim(self) -> str | None:
        """Become the one that writes; returns the other process that does, if any."""
        return self._store.writers.claim(self._session_id)

    def refuse_elsewhere(self) -> None:
        """Raise Busy while another process writes."""
        self._store.writers.refuse_elsewhere(self._session_id)

    async def take_over(self) -> None:
        """Be the one that writes, whoever was; raises Busy while a turn of it runs."""
        lease = await self.acquire()
        try:
            self._store.writers.take_over(self._session_id)
        finally:
            await self.release(lease)

    def want(self) -> None:
        """Let the process that writes know that somebody here would."""
        self._store.writers.want(self._session_id)

    def is_wanted(self) -> bool:
        """Tell whether somebody else would write; asks once."""
        return self._store.writers.is_wanted(self._session_id)

    def leave(self) -> None:
        """Let the session go to whoever wants it, until it is used here."""
        self._store.writers.leave(self._session_id)

    def has_left(self) -> bool:
        """Tell whether the session was left here, and nobody writes it yet."""
        return self._store.writers.has_left(self._session_id)

    def keep_only(self, session_ids: Collection[str]) -> None:
        """Let every other session of the folder go, for whoever wants to write it."""
        self._store.writers.keep_only(session_ids)

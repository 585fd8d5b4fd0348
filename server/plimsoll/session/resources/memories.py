"""What a session may use of earlier ones: the folder's memories, and recall of what was said."""

from collections.abc import Callable, Sequence

from plimsoll.memory.service import Memories
from plimsoll.session.ports.rules import MemoryRules, SessionRules
from plimsoll.session.resources.foreign_text import ForeignText
from plimsoll.storage.base import Exchange, Recalled, RecallStore


class SessionMemories:
    """The memories of the folder as one session uses them, under the present settings."""

    def __init__(
        self, memories: Memories, rules: Callable[[], SessionRules], session_id: str
    ) -> None:
        self.all = memories
        """All memories of the folder."""
        self._rules = rules
        self._session_id = session_id
        self._unsent: tuple[str, ...] = ()

    @property
    def rules(self) -> MemoryRules:
        """What the settings let a session use and tell."""
        return self._rules().memory

    def note_told(self, names: tuple[str, ...]) -> None:
        """Remember the memories that entered the view but were not sent in a request yet."""
        self._unsent = names

    async def mark_used(self) -> None:
        """Mark the memories noted by ``note_told`` as used, each once.

        Raises:
            NotFound: A memory was purged meanwhile.
            StoreError: The store cannot be written.
        """
        names, self._unsent = self._unsent, ()
        if names:
            await self.all.mark_used(names, self._session_id)


class SessionRecall:
    """The exchanges of sessions for recall: this one's for later sessions, and earlier ones'."""

    def __init__(
        self, store: RecallStore, rules: Callable[[], SessionRules], session_id: str
    ) -> None:
        self.foreign = ForeignText()
        """What tools and files brought into this session: its answers may only repeat it."""
        self._store = store
        self._rules = rules
        self._session_id = session_id

    @property
    def rules(self) -> MemoryRules:
        """What the settings let a session use and tell."""
        return self._rules().memory

    async def newest_exchange(self) -> Exchange | None:
        """Return the newest stored exchange of this session."""
        return await self._store.last_exchange(self._session_id)

    async def find(self, question: str, most: int) -> Sequence[Recalled]:
        """Return other sessions' exchanges that have words of a question, the best first."""
        found = await self._store.find(question, most)
        return [each for each in found if each.session_id != self._session_id]

    async def replace(self, start: int, exchanges: Sequence[Exchange]) -> None:
        """Replace the stored exchanges of this session from an index of the log on."""
        await self._store.replace_exchanges(self._session_id, start, exchanges)

"""The memories of a project, as its sessions, commands and tools use them.

Every memory is added here or by the extraction, and both use the checks of ``changes``: a secret is
refused, a text is checked, an event is recorded.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date

from plimsoll.errors import NotFound
from plimsoll.memory.base import MemoryStore, PageQuery
from plimsoll.memory.changes import (
    MOST_WAITING,
    Accept,
    Add,
    Change,
    Forget,
    Purge,
    RestoreMemory,
    Revise,
    Use,
    inbox_full,
    take_over_text,
    unfit_for_correction,
)
from plimsoll.memory.extraction.patterns import type_of
from plimsoll.memory.extraction.phrases import class_of, entry_text
from plimsoll.memory.injection import Injection, InjectionLimits, inject
from plimsoll.memory.lineage import Lineage
from plimsoll.memory.markdown import export_markdown
from plimsoll.memory.sharing import unfit_for_sharing
from plimsoll.memory.types import (
    SEARCHED,
    SHOWN,
    Action,
    Author,
    Memory,
    MemoryEvent,
    MemoryMatch,
    MemoryPage,
    MemoryScope,
    MemorySource,
    MemoryState,
    NewNote,
    Trust,
)
from plimsoll.memory.upkeep.tidying import MemoryUpkeep

_FOUND = 60
"""How many search results are considered for a new session."""
_FOREMOST = 200
"""How many memories are read for a new session without a question, at least."""


async def ignore_change() -> None:
    """Do nothing; the default of `Memories.changed`."""


async def take_no_part() -> None:
    """Return None, as the folder takes part in no team: the default ``joined`` of `Memories`."""


class Memories:
    """The memories of one project; ``changed`` is called after each change.

    One class, as every change of a memory passes the same check and is told to the same listener.
    ``joined`` returns the shared project that the folder takes part in, or None.
    """

    def __init__(
        self,
        store: MemoryStore,
        new_id: Callable[[], str],
        now: Callable[[], str],
        changed: Callable[[], Awaitable[None]] = ignore_change,
        *,
        joined: Callable[[], Awaitable[object | None]] = take_no_part,
    ) -> None:
        self.store = store
        self._joined = joined
        self._new_id = new_id
        self._now = now
        self.changed = changed
        self.upkeep = MemoryUpkeep(store, now, self._tell)

    async def remember(
        self, text: str, source: MemorySource | None = None, *, pinned: bool = False
    ) -> Memory:
        """Save what a person asks to have remembered; raises MemoryRefused."""
        title, content = entry_text(text, date.fromisoformat(self._now()[:10]))
        return await self.add(
            NewNote(
                type=type_of(text),
                title=title,
                content=content,
                class_=class_of(text),
                pinned=pinned,
                source=source,
            )
        )

    async def add(self, note: NewNote) -> Memory:
        """Save a memory that a person wrote; it replaces an equal memory in the inbox.

        Raises:
            MemoryRefused: It holds a secret, or it is known already.
        """
        return await self._add(note, Author.USER, Trust.USER, MemoryState.ACTIVE)

    async def save(self, note: NewNote, lineage: Lineage) -> Memory:
        """Save a memory that the agent wants to keep; raises MemoryRefused.

        It takes effect only if it can stem from nothing but the person's words: a model that has
        read a file, a page or an output may have been told to remember, so that waits for review.
        So does whatever others are to have: only a person shares.
        """
        plain = lineage is Lineage.TYPED and note.scope is MemoryScope.PRIVATE
        if not plain:
            await self._require_room()
        state = MemoryState.ACTIVE if plain else MemoryState.INBOX
        trust = Trust.AGENT if lineage is Lineage.TYPED else Trust.EXTRACTED
        return await self._add(note, Author.AGENT, trust, state)

    async def suggest(self, memory_id: str, note: NewNote, *, removal: bool = False) -> Memory:
        """Let the agent suggest a replacement for a memory, or its removal.

        It always waits in the inbox, since it would hide a memory that another author wrote.

        Raises:
            InvalidInput: The memory has no effect.
            MemoryRefused: It holds a secret, was suggested already, or the inbox is full.
            NotFound: There is no such memory.
        """
        unfit = unfit_for_correction(await self.store.get(memory_id))
        if unfit is not None:
            raise unfit
        await self._require_room()
        memory = self._new(note, Author.AGENT, Trust.EXTRACTED, MemoryState.INBOX)
        return (await self.apply(Add(replace(memory, supersedes=memory_id, removal=removal))))[0]

    async def propose(self, notes: Sequence[NewNote]) -> list[Memory]:
        """Put memories from a file into the inbox, as far as they fit; return those added.

        They are trusted the least. Refused, known and forgotten ones are left out.
        """
        room = max(0, MOST_WAITING - len(await self.inbox()))
        waiting = (
            self._new(note, Author.EXTRACTION, Trust.EXTRACTED, MemoryState.INBOX) for note in notes
        )
        return await self.apply(*(Add(one, "imported", True) for one in list(waiting)[:room]))

    async def _require_room(self) -> None:
        if len(await self.inbox()) >= MOST_WAITING:
            raise inbox_full()

    async def update(self, change: Revise) -> Memory:
        """Change fields of a memory; raises NotFound or MemoryRefused."""
        return (await self.apply(change))[0]

    async def forget(self, memory_id: str, *, purge: bool = False) -> bool:
        """Hide a memory at once, or remove its text for good; raises NotFound.

        One of the person's own that others have is always removed for good, and everywhere.
        Returns whether the text was removed.
        """
        purge = purge or await self.is_shared_by_person(await self.store.get(memory_id))
        change = Purge if purge else Forget
        await self.apply(change(memory_id, Author.USER))
        return purge

    async def is_shared_by_person(self, memory: Memory) -> bool:
        """Tell whether a memory is the person's own, and is shared or waits to be sent."""
        return memory.author_name is None and await self._is_shared(memory)

    async def _is_shared(self, memory: Memory) -> bool:
        if memory.scope is MemoryScope.PRIVATE or await self._joined() is None:
            return False
        return memory.version is not None or memory.state in SEARCHED

    async def share(self, memory_id: str, scope: MemoryScope) -> Memory:
        """Set who has a memory, on a person's word; one that was taken back gets another id.

        Raises:
            InvalidInput: It cannot be shared so.
            NotFound: There is no such memory.
        """
        memory = await self.store.get(memory_id)
        unfit = unfit_for_sharing(memory, scope)
        if unfit is not None:
            raise unfit
        shared = Revise(id=memory.id, author=Author.USER, scope=scope)
        was_taken_back = memory.version is not None and memory.scope is MemoryScope.PRIVATE
        if not was_taken_back or scope is MemoryScope.PRIVATE:
            return await self.update(shared)
        # The server has buried the id for good, and would have the text removed here too.
        copy = replace(memory, id=self._new_id(), version=None, seen_at=None)
        # Expired, since the same text would be refused after anything else that hides it.
        hidden = Forget(memory.id, Author.USER, Action.EXPIRED, f"shared as {copy.id}")
        return (await self.apply(hidden, Add(copy), replace(shared, id=copy.id)))[-1]

    async def restore(self, memory_id: str) -> Memory:
        """Restore a forgotten memory; raises NotFound."""
        return (await self.apply(RestoreMemory(memory_id, Author.USER)))[0]

    async def review(self, memory_id: str, *, accept: bool) -> Memory | None:
        """Apply a person's verdict on a memory of the inbox; raises NotFound or InvalidInput.

        Accepting what would take the place of a shared memory changes that memory, for all who
        have it; it is returned.
        """
        waiting = await self.store.get(memory_id)
        if not accept:
            await self.apply(await self._end(waiting, Action.REJECTED))
            return None
        replaced = await self.find_replaced(waiting)
        if replaced is None or replaced.state not in SEARCHED:
            return (await self.apply(Accept(memory_id)))[0]
        if waiting.removal and await self.is_shared_by_person(replaced):
            await self.apply(Purge(replaced.id, Author.USER), Forget(waiting.id, Author.USER))
            return waiting
        if waiting.removal or not await self._is_shared(replaced):
            return (await self.apply(Accept(memory_id)))[0]
        end = await self._end(waiting, Action.MERGED)
        return (await self.apply(take_over_text(replaced, waiting), end))[0]

    async def _end(self, waiting: Memory, action: Action) -> Change:
        """Return the change that ends a memory of the inbox, for all if others have it too."""
        if await self.is_shared_by_person(waiting):
            return Purge(waiting.id, Author.USER)
        return Forget(waiting.id, Author.USER, action)

    async def all(self) -> list[Memory]:
        """List the memories that people see, including the inbox, newest first."""
        return await self.store.memories(SHOWN)

    async def page(self, wanted: PageQuery) -> MemoryPage:
        """List a page of the memories that people see; raises InvalidInput for a bad cursor."""
        return await self.store.page(wanted)

    async def find(self, memory_id: str) -> Memory | None:
        """Find a memory by its id, even a forgotten one."""
        try:
            return await self.store.get(memory_id)
        except NotFound:
            return None

    async def find_replaced(self, memory: Memory) -> Memory | None:
        """Find the memory that a waiting one would replace; None for any other."""
        if memory.state is not MemoryState.INBOX or memory.supersedes is None:
            return None
        return await self.find(memory.supersedes)

    async def inbox(self) -> list[Memory]:
        """List the memories in the inbox."""
        return await self.store.memories({MemoryState.INBOX})

    async def search(self, question: str, limit: int) -> list[MemoryMatch]:
        """Find the memories that match a question best."""
        return await self.store.search(question, self._now(), limit)

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """List the events of one memory or of all, oldest first."""
        return await self.store.audit(memory_id)

    async def export(self) -> str:
        """Export all memories that people see, as Markdown."""
        return export_markdown(await self.all())

    async def injection(
        self, question: str, limits: InjectionLimits, count: Callable[[str], int]
    ) -> Injection:
        """Choose the memories to tell a session that begins with a question; mark none as used."""
        read = await self.store.injectable(
            question, self._now(), found=_FOUND, foremost=max(_FOREMOST, limits.index_lines)
        )
        matching = (match.memory for match in read.found)
        known = {memory.id: memory for memory in (*read.foremost, *matching)}
        more = read.total - len(known)
        return inject(list(known.values()), read.found, limits=limits, count=count, more=more)

    async def mark_used(self, memory_ids: Sequence[str], session_id: str) -> None:
        """Record that memories were in a request."""
        await self.apply(*(Use(name, f"session {session_id}") for name in memory_ids))

    async def apply(self, *changes: Change) -> list[Memory]:
        """Apply changes and notify that memories have changed."""
        if not changes:
            return []
        done = await self.store.apply(changes, self._now())
        await self._tell()
        return done

    async def _tell(self) -> None:
        """Call the listener ``changed`` as it is set at this moment."""
        await self.changed()

    async def _add(self, note: NewNote, author: Author, trust: Trust, state: MemoryState) -> Memory:
        return (await self.apply(Add(self._new(note, author, trust, state))))[0]

    def _new(self, note: NewNote, author: Author, trust: Trust, state: MemoryState) -> Memory:
        return Memory(
            id=self._new_id(),
            type=note.type,
            title=note.title,
            content=note.content,
            author=author,
            trust=trust,
            created_at=self._now(),
            class_=note.class_,
            state=state,
            pinned=note.pinned,
            source=note.source,
            expires_at=note.expires_at,
            scope=note.scope,
            importance=note.importance,
            tags=note.tags,
        )

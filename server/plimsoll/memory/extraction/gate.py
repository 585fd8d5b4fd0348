"""What becomes of what a reader wants kept: refused, in force, or waiting for a person.

It is in force only if one message of the person, in a conversation of typed words alone, holds
every word of it. All else waits in the inbox.
"""

import itertools
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Said
from plimsoll.errors import MemoryRefused
from plimsoll.memory.changes import MOST_WAITING, Add, inbox_full
from plimsoll.memory.checking import check_memory
from plimsoll.memory.extraction.dates import make_dates_absolute
from plimsoll.memory.extraction.importance import importance_of
from plimsoll.memory.extraction.phrases import (
    Batch,
    Reading,
    class_of,
    day_of,
    entry_text,
    own_words,
)
from plimsoll.memory.extraction.steps import Answer, Look, Step
from plimsoll.memory.types import (
    Author,
    Memory,
    MemoryClass,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)
from plimsoll.text.similarity import is_grounded, said_in, said_words, say_the_same

MOST_SAVED = 12
"""Memories saved in one batch; a model that wants more has misunderstood."""


@dataclass(frozen=True, slots=True)
class Known:
    """The memories that new ones are compared with before they are saved."""

    foremost: Sequence[Memory]
    """The memories whose titles the model is shown."""
    hidden: Sequence[Memory]
    """Memories in the inbox and forgotten ones, which no search finds."""
    typed_only: bool
    """Whether the conversation has only the person's typed words and answers to them."""
    instructed: bool = False
    """Whether the request has text of others: the repository, earlier sessions, foreign
    memories."""


class Gate:
    """Checks each memory that the model wants to save, and decides whether it takes effect."""

    def __init__(self, batch: Batch, reading: Reading, known: Known) -> None:
        self._batch = batch
        self._reading = reading
        self._known = known
        self._hidden = [(said_words(memory.text), memory) for memory in known.hidden]
        self._waiting = sum(memory.state is MemoryState.INBOX for memory in known.hidden)
        self.shown = {memory.id for memory in known.foremost}
        """Ids of memories that the model has seen, and so can replace."""
        self.kept: list[Add] = []

    def save(self, arguments: Mapping[str, object]) -> Generator[Step, Answer, str]:
        """Check a memory that the model wants to save; return the answer for the model."""
        if len(self.kept) >= MOST_SAVED:
            return f"Not saved: {MOST_SAVED} are enough for one conversation."
        try:
            memory = check_memory(self._memory(arguments))
            found = yield Look(memory.text)
            assert isinstance(found, list)
            self._refuse_known(memory, [match.memory for match in found])
            self._refuse_flood(memory)
        except MemoryRefused as error:
            return error.message
        self.kept.append(Add(memory, "extracted from the conversation", optional=True))
        return "Saved." if memory.state is MemoryState.ACTIVE else "Waits for the user's review."

    def _memory(self, arguments: Mapping[str, object]) -> Memory:
        kind, class_ = str(arguments.get("type")), arguments.get("class")
        if kind not in set(MemoryType) or (class_ is not None and class_ not in set(MemoryClass)):
            raise MemoryRefused("Not saved: there is no such type or class.")
        title, content = (str(arguments.get(name) or "") for name in ("title", "content"))
        word = self._find_source(content)
        day = day_of(word or self._batch.said[-1])
        supersedes = self._replaced_id(arguments.get("supersedes"))
        # Whoever could have told the model what to hide must not do so through the person's words.
        active = word is not None and not (supersedes and self._known.instructed)
        if word is not None and not is_grounded(title, own_words(word)):
            # A title is a label of the model's own: where the words are the person's, it is theirs.
            title = content
        return Memory(
            id=self._reading.new_id(),
            type=MemoryType(kind),
            title=entry_text(title, day)[0],
            content=make_dates_absolute(content, day),
            author=Author.EXTRACTION,
            trust=Trust.USER if word else Trust.EXTRACTED,
            created_at=self._reading.now,
            class_=MemoryClass(str(class_)) if class_ else class_of(content),
            state=MemoryState.ACTIVE if active else MemoryState.INBOX,
            source=MemorySource(self._reading.session_id, word.id if word else None),
            supersedes=supersedes,
            importance=importance_of(
                content, own=word is not None, times=self._count_sources(content)
            ),
        )

    def _count_sources(self, content: str) -> int:
        """Count the person's messages that have every word of a memory, at least 1."""
        return max(1, sum(is_grounded(content, own_words(said)) for said in self._batch.said))

    def _find_source(self, content: str) -> Said | None:
        """Find the person's message that has every word of a memory, if one certainly does."""
        if not self._known.typed_only:
            return None
        return next((s for s in self._batch.said if is_grounded(content, own_words(s))), None)

    def _replaced_id(self, name: object) -> str | None:
        return name if isinstance(name, str) and name in self.shown else None

    def _refuse_known(self, memory: Memory, found: Sequence[Memory]) -> None:
        if said_in(memory.content or memory.title, self._reading.documents):
            raise MemoryRefused("Not saved: the repository already says it.")
        said = said_words(memory.text)
        others = (*found, *(add.memory for add in self.kept))
        compared = ((said_words(other.text), other) for other in others)
        for words, other in itertools.chain(compared, self._hidden):
            if other.id != memory.supersedes and say_the_same(words, said):
                forgotten = other.state is MemoryState.FORGOTTEN
                why = "the user had it forgotten" if forgotten else f"it is known as {other.id}"
                raise MemoryRefused(f"Not saved: {why}.")

    def _refuse_flood(self, memory: Memory) -> None:
        waiting = self._waiting + len(self.kept)
        if memory.state is MemoryState.INBOX and waiting >= MOST_WAITING:
            raise inbox_full()

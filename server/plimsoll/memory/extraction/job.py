"""The job that extracts memories from a conversation, in the background of its turns.

It only calls the store and the model; what to read and keep is decided elsewhere. The cursor moves
in the same transaction that saves the memories, so that after a failure everything is read again
and nothing is skipped.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Said
from plimsoll.errors import LogConflict, MemoryRefused
from plimsoll.memory.base import MemoryStore
from plimsoll.memory.changes import Add, Revise, claim
from plimsoll.memory.checking import check_memory
from plimsoll.memory.extraction.extraction_loop import Opening, extraction_rounds, own_opening
from plimsoll.memory.extraction.gate import Known
from plimsoll.memory.extraction.importance import raise_importance
from plimsoll.memory.extraction.phrases import Batch, Reading, extract, plan
from plimsoll.memory.extraction.steps import Answer, Ask, Look, ModelReply, Step
from plimsoll.memory.extraction.turns import ReadBy, only_typed
from plimsoll.memory.types import Action, Author, Memory, MemoryMatch, MemoryState, Trust
from plimsoll.text.similarity import said_words, say_the_same

Model = Callable[[Ask], Awaitable[ModelReply]]
"""Asks the utility model; raises ProviderError."""

_SHOWN = 60
"""How many memories the model is shown by title."""
_FOUND = 8
"""How many memories a search of the model returns."""


def ignore_refusal(_error: MemoryRefused) -> None:
    """Do nothing; the default of `Extraction.refused`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Extracts memories from a session; one object for each run."""

    store: MemoryStore
    reading: Reading
    model: Model | None = None
    """None: only the phrases of the person are read."""
    opening: Opening | None = None
    """The conversation's own request, if it is read by the main model with a warm cache."""
    instructed: bool = False
    """Whether that request has text of others than the person and the model."""
    refused: Callable[[MemoryRefused], None] = ignore_refusal
    """Called when what a person asked to have remembered cannot be kept."""
    most_characters: int | None = None
    """The most characters read at once, so that they fit in the model's window."""

    @property
    def read_by(self) -> ReadBy:
        """Whether set phrases or a model reads the session; each has its own cursor."""
        return "phrases" if self.model is None else "model"

    async def run(self, said: Sequence[Said]) -> list[Memory]:
        """Read the unread part; return the saved memories, in the inbox or not.

        ``said``: all messages of the session's log, except rewound ones.

        Raises:
            ProviderError: The model failed; the same part is read the next time.
            StoreUnavailable: No memory was saved; the same part is read the next time.
        """
        kept: list[Memory] = []
        while batch := await self._next(said):
            adds = await self._extract(batch, said)
            again = await self._raise_repeated(adds, batch) if self.model is None else []
            new = {add.memory.id for add in adds}
            try:
                now = self.reading.now
                done = await self.store.apply([*adds, *again], now, batch.advance)
                kept += [memory for memory in done if memory.id in new]
            except LogConflict:
                # Another process has read the same and kept it: nothing is left to do here.
                return kept
        return kept

    async def _next(self, said: Sequence[Said]) -> Batch | None:
        session_id = self.reading.session_id
        cursor = await self.store.cursor(session_id, self.read_by)
        most = None if self.model is None else self.most_characters
        return plan(
            session_id,
            said,
            cursor,
            read_by=self.read_by,
            most_characters=most,
            order=self.reading.order,
        )

    async def _extract(self, batch: Batch, said: Sequence[Said]) -> list[Add]:
        if self.model is None:
            return await self._extract_by_phrases(batch)
        if not batch.said:
            return []
        foremost, _ = await self.store.foremost(_SHOWN)
        hidden = await self.store.memories({MemoryState.INBOX, MemoryState.FORGOTTEN})
        before = said[: batch.turns[-1].end]
        known = Known(foremost, hidden, only_typed(before), self.instructed)
        opening = self.opening or own_opening(batch, known)
        going = extraction_rounds(opening, batch, self.reading, known)
        answer: Answer | None = None
        while True:
            try:
                step = next(going) if answer is None else going.send(answer)
            except StopIteration as end:
                return end.value
            answer = await self._answer(step, self.model)

    async def _extract_by_phrases(self, batch: Batch) -> list[Add]:
        waiting = await self.store.memories({MemoryState.INBOX})
        adds = extract(batch, self.reading, _messages_of(waiting))
        for add in adds:
            if add.memory.author is Author.USER:
                self._tell_refusal(add.memory)
        return adds

    async def _raise_repeated(self, adds: Sequence[Add], batch: Batch) -> list[Revise]:
        """Raise the importance of known memories that the person said again.

        Memories that a person has revised stay as they are.
        """
        at = {said.id: said.at for turn in batch.turns for said in turn.said}
        again: dict[str, Revise] = {}
        for memory in (add.memory for add in adds if add.memory.trust is Trust.USER):
            held = await self._known_as(memory)
            message = memory.source.message_id if memory.source else None
            if held is None or message is None or held.created_at >= at[message]:
                continue
            events = await self.store.audit(held.id)
            if not any(e.action is Action.UPDATED and e.author is Author.USER for e in events):
                again[held.id] = Revise(
                    id=held.id,
                    author=Author.EXTRACTION,
                    importance=raise_importance(held.weight, 1),
                    reason="the user said it again",
                )
        return list(again.values())

    async def _known_as(self, memory: Memory) -> Memory | None:
        """Find the memory with the same text as another one."""
        said, found = said_words(memory.text), await self._look(Look(memory.text))
        others = (match.memory for match in found if not match.memory.digest)
        return next(
            (
                other
                for other in others
                if claim(other) == claim(memory) or say_the_same(said_words(other.text), said)
            ),
            None,
        )

    def _tell_refusal(self, memory: Memory) -> None:
        try:
            check_memory(memory)
        except MemoryRefused as error:
            self.refused(error)

    async def _answer(self, step: Step, model: Model) -> Answer:
        if isinstance(step, Look):
            return await self._look(step)
        return await model(step)

    async def _look(self, look: Look) -> list[MemoryMatch]:
        return await self.store.search(look.query, self.reading.now, _FOUND)


def _messages_of(notes: Sequence[Memory]) -> set[str]:
    """Return the ids of the messages in which the agent wrote these notes."""
    sources = (note.source for note in notes if note.author is Author.AGENT)
    return {source.message_id for source in sources if source and source.message_id}

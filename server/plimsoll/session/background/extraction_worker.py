"""Reading a session for memories in the background: set phrases at once, a model when it is quiet.

Both read the log, in which everything stays, so no compaction takes anything from them; each has a
cursor of its own, which moves in the same transaction that keeps what was found.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from plimsoll.context.log.entries import Said, with_subtasks
from plimsoll.errors import MemoryRefused, NotFound, PlimsollError
from plimsoll.memory.digest import digest_change, digest_id, digest_of
from plimsoll.memory.extraction.job import Extraction
from plimsoll.memory.extraction.phrases import Reading
from plimsoll.memory.extraction.turns import READERS, Advance, cursor_behind, first_unread
from plimsoll.memory.service import Memories
from plimsoll.memory.types import Author, Memory, MemoryState
from plimsoll.session.background.between_turns import Wait
from plimsoll.session.background.llm_extractor import LlmExtractor
from plimsoll.session.layers.wording import title_markdown
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.memory.extraction_input import conversation_of, material_of, order_of
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.rules import MemoryRules
from plimsoll.session.session import Session
from plimsoll.session.state.voice import SessionVoice

MOST_ASKED = 3
"""Notes of a person's message that are asked about one by one; of more the inbox is named."""
MOST_SKIPPED = 15
"""Turns for which a model that failed again and again is left alone."""


class ExtractionWorker:
    """Reads a session's messages for memories after each turn."""

    def __init__(
        self,
        session: Session,
        tidy: Callable[[], Awaitable[None]],
        wait: Wait = asyncio.sleep,
    ) -> None:
        self._session = session
        self._tidy = tidy
        self._wait_for = wait
        self._phrases: set[asyncio.Task[None]] = set()
        self._models: set[asyncio.Task[None]] = set()
        """A person who goes on while a model reads leaves that reading alone: the next waits."""
        self._waiting: asyncio.Task[None] | None = None
        """It waits for quiet: nothing of it has begun yet."""
        self._failures = 0
        self._skip = 0
        """Turns for which the model is not asked."""
        session.state.on_summary = self._on_summary

    def on_turn_end(self, *, failed: bool = False) -> None:
        """Start reading after a turn; after a ``failed`` one the model is not asked."""
        reader = self._rules.extraction
        before = self._unfinished_tasks()
        if reader == "off":
            _hold(self._bring_order(before), self._phrases)
            return
        _hold(self._read_phrases(before), self._phrases)
        if reader == "model" and not failed and not self._take_skip():
            before = self._unfinished_tasks()
            self._waiting = _hold(self._ask_model(before), self._models)

    def _on_summary(self) -> None:
        """Tidy the memories beside the turn: a summary may be the last event for hours."""
        _hold(self._bring_order(()), self._phrases)

    async def on_activity(self) -> None:
        """Delay a reading that has not begun until the next quiet, as the person is back."""
        waiting = self._waiting
        if waiting is not None:
            waiting.cancel()
            await asyncio.wait([waiting])

    async def settle(self) -> None:
        """Wait for the readings under way."""
        tasks = self._unfinished_tasks()
        if tasks:
            await asyncio.wait(tasks)

    async def on_close(self) -> None:
        """Give up the model's reading until another time; finish that of set phrases."""
        self._session.state.on_summary = None
        for reading in self._models:
            reading.cancel()
        await self.settle()

    @property
    def _rules(self) -> MemoryRules:
        return self._session.state.memories.rules

    def _unfinished_tasks(self) -> list[asyncio.Task[None]]:
        return [*self._phrases, *self._models]

    async def _bring_order(self, before: Sequence[asyncio.Task[None]]) -> None:
        if before:
            await asyncio.wait(before)
        try:
            await self._tidy()
        except PlimsollError as error:
            notice = f"No order could be brought among the memories: {error.message}"
            self._session.state.voice.emit(NoticeGiven(notice, "warning"))

    async def _read_phrases(self, before: Sequence[asyncio.Task[None]]) -> None:
        if before:
            await asyncio.wait(before)
        state = self._session.state
        try:
            said, reading = await material_of(state.log, state.files, state.clock)
            memories = state.memories.all
            job = Extraction(store=memories.store, reading=reading, refused=self._tell_refusal)
            kept = await job.run(said)
            await _tell(state.voice, state.memories.all, kept)
            await keep_digest(memories, state.log, said, reading)
            await self._tidy()
        except NotFound:
            # Another process has deleted the session: what was said in it is gone.
            return
        except PlimsollError as error:
            notice = f"What was said could not be read for memories: {error.message}"
            state.voice.emit(NoticeGiven(notice, "warning"))

    def _tell_refusal(self, error: MemoryRefused) -> None:
        notice = f"{error.message} {error.remedy or ''}".strip()
        self._session.state.voice.emit(NoticeGiven(notice, "warning"))

    async def _ask_model(self, before: Sequence[asyncio.Task[None]]) -> None:
        try:
            await asyncio.wait(before)
            await self._wait_for(self._rules.quiet_seconds)
        finally:
            self._waiting = None
        if self._rules.extraction != "model":
            # Switched off meanwhile.
            return
        try:
            await self._read_by_model()
        except NotFound:
            # Deleted, as above.
            return
        except PlimsollError as error:
            self._note_failure(error)

    async def _read_by_model(self) -> None:
        state, reader = self._session.state, LlmExtractor(self._session)
        try:
            said, reading = await material_of(state.log, state.files, state.clock)
            kept = await reader.read(said, reading)
            self._failures = 0
            await _tell(state.voice, state.memories.all, kept)
            if kept:
                await self._tidy()
        finally:
            await reader.note_cost()

    def _note_failure(self, error: PlimsollError) -> None:
        self._failures += 1
        self._skip = min(2**self._failures - 1, MOST_SKIPPED)
        if self._failures == 1:
            notice = f"The model could not be asked what is to be remembered: {error.message}"
            self._session.state.voice.emit(NoticeGiven(notice, "warning"))

    def _take_skip(self) -> bool:
        skipped, self._skip = self._skip > 0, max(0, self._skip - 1)
        return skipped


def _hold(work: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> asyncio.Task[None]:
    """Start a task and hold it in a set until it is done."""
    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    return task


async def keep_digest(
    memories: Memories, log: SessionLog, said: Sequence[Said], reading: Reading
) -> None:
    """Store the newest digest of a session as a memory, unless the person forgot it."""
    frame = log.fold.frames.get("tasks")
    tasks = [task.title for task in with_subtasks(frame.tasks)] if frame else []
    digest = await asyncio.to_thread(digest_of, said, tasks, reading)
    if digest is None:
        return
    held = await memories.find(digest_id(log.session_id))
    if held is not None and held.state is MemoryState.FORGOTTEN:
        return
    if held is None or (held.title, held.content) != (digest.title, digest.content):
        await memories.apply(digest_change(held, digest))


async def read_as(source: SessionLog, copy: SessionLog, memories: Memories, clock: Clock) -> None:
    """Copy a session's cursors to its fork, so that forgotten memories are not read again."""
    store, now = memories.store, clock.now()
    said, copied = tuple(conversation_of(source.fold)), tuple(conversation_of(copy.fold))
    for read_by in READERS:
        cursor = await store.cursor(source.session_id, read_by)
        read = {message.id for message in said[: first_unread(said, cursor, order_of(source.fold))]}
        count = sum(message.id in read for message in copied)
        if count:
            advance = Advance(None, cursor_behind(copy.session_id, copied, count, read_by))
            await store.apply((), now, advance)


async def _tell(voice: SessionVoice, memories: Memories, kept: Sequence[Memory]) -> None:
    """Tell the person the new memories: law 7 lets nothing be remembered silently."""
    if not kept:
        return
    await memories.changed()
    waiting = [memory for memory in kept if memory.state is MemoryState.INBOX]
    for memory in kept:
        if memory.state is not MemoryState.INBOX:
            instead = f" in place of `{memory.supersedes}`" if memory.supersedes else ""
            title = title_markdown(memory.title)
            words = f"Remembered{instead}: “{title}” `/forget {memory.id}` undoes it."
            voice.emit(NoticeGiven(words, data=memory))
    asked = [memory for memory in waiting if _is_of_message(memory)]
    if 0 < len(asked) == len(waiting) <= MOST_ASKED:
        for memory in asked:
            title = title_markdown(memory.title)
            words = (
                f"Remember this? “{title}” `/accept {memory.id}` keeps it for later sessions, "
                f"`/reject {memory.id}` drops it."
            )
            voice.emit(NoticeGiven(words, data=memory))
    elif waiting:
        notes = "One note waits" if len(waiting) == 1 else f"{len(waiting)} notes wait"
        words = f"{notes} for your review, without effect until then: `/inbox` shows what waits."
        voice.emit(NoticeGiven(words))


def _is_of_message(memory: Memory) -> bool:
    """Tell whether a memory was extracted from one message, and not from the whole session."""
    return memory.author is Author.EXTRACTION and bool(memory.source and memory.source.message_id)

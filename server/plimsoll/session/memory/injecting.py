"""The memories in a conversation: told once at its beginning, frozen, and gone when forgotten.

They stand in the user's place and never in the system's, quoted and dated: a note that somebody
slipped in must not speak with our voice. What a person forgets leaves live sessions at once, which
costs their prefix. What goes by itself (it has expired, another one took its place) waits until the
provider's cache holds nothing of the session any more.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlparse

from plimsoll.context.log.entries import Framed, Passage, Slot
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.view.fold import Fold
from plimsoll.errors import NotFound, StoreError, ToolFailed
from plimsoll.memory.injection import Injection, memories_told_in, without_memory
from plimsoll.memory.service import Memories
from plimsoll.memory.types import Action, MemoryEvent
from plimsoll.memory.upkeep.tidying import HashOf
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.model import Model
from plimsoll.session.resources.files import WorkspaceFiles
from plimsoll.session.resources.memories import SessionMemories
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.voice import SessionVoice

HIDDEN = (
    "{notes} of this folder did not fit into this session, not even by title. The agent finds them "
    "with memory_search; `/memories` lists them. Priority memories come first."
)
_BY_PERSON = frozenset({Action.FORGOTTEN, Action.REJECTED, Action.PURGED})
_BY_ITSELF = frozenset({Action.EXPIRED, Action.TRIMMED, Action.MERGED, Action.SUPERSEDED})
_ENDS = _BY_PERSON | _BY_ITSELF
SLOT = "memories"
SHARE = 8
"""The frame takes at most this part of the effective window."""


async def memory_frames(state: SessionState, parts: Sequence[Part]) -> tuple[Framed, ...]:
    """Return the frame of memories that fit the first prompt of a session."""
    memories = state.memories
    if not memories.rules.enabled:
        return ()
    question = "\n".join(part.text for part in parts if part.kind is PartKind.TEXT)
    # What its file does not bear out any more is told as such.
    await memories.all.upkeep.check_sources(hashes_of(state.files))
    told = await _make_injection(memories, state.model, question)
    if told.text is None:
        return ()
    memories.note_told(told.memories)
    if told.hidden:
        notes = "One memory" if told.hidden == 1 else f"{told.hidden:,} memories"
        state.voice.emit(NoticeGiven(HIDDEN.format(notes=notes)))
    return (_frame(state.clock, told.text, told.passages),)


async def expect_memories(state: SessionState, question: str = "") -> None:
    """Show the memories that an unused session will get in its view and meter already.

    Neither log nor memories change. ``question``: the prompt that is being typed, which decides
    their order.
    """
    if state.log.fold.groups:
        return
    enabled = state.memories.rules.enabled
    told = (
        await _make_injection(state.memories, state.model, question) if enabled else Injection(None)
    )
    frame = Framed(
        id="expected.memories",
        at=state.record.created_at,
        slot=SLOT,
        kind=Slot.MEMORIES,
        text=told.text,
        passages=told.passages,
    )
    state.load.expect(() if told.text is None else (frame,))


async def _make_injection(memories: SessionMemories, model: Model, question: str) -> Injection:
    limits = memories.rules.injection
    most = min(limits.tokens, model.budget.effective // SHARE)
    return await memories.all.injection(question, replace(limits, tokens=most), model.ledger.bare)


def memories_in(fold: Fold) -> tuple[str, ...]:
    """Return the ids of the memories in the next request of a session."""
    frame = fold.frames.get(SLOT)
    return memories_told_in(frame) if frame is not None and frame.text is not None else ()


async def changed_memories(state: SessionState, standing: Collection[str]) -> tuple[Framed, ...]:
    """Return the frame to append so that no forgotten memory stands in the view.

    ``standing``: the memories in the view that are still valid.
    """
    frame = state.log.fold.frames.get(SLOT)
    if frame is None or frame.text is None:
        return ()
    cold, memories = state.load.cache_expired, state.memories
    if cold and not memories.rules.enabled:
        return (_frame(state.clock, None),)
    hidden, rest = [n for n in memories_told_in(frame) if n not in standing], frame
    for name in hidden if cold else await _find_forgotten(memories.all, hidden):
        rest = without_memory(rest, name)
    return (_frame(state.clock, rest.text, rest.passages),) if rest != frame else ()


async def hide_forgotten_memories(state: SessionState) -> None:
    """Remove from the view memories that were forgotten since the turn's last request."""
    told = memories_in(state.log.fold)
    if not told:
        return
    standing = await state.memories.all.store.standing(told)
    fresh = await changed_memories(state, standing)
    if fresh:
        await state.append(*fresh)


async def _find_forgotten(memories: Memories, names: Sequence[str]) -> list[str]:
    """Return those of some memories that must leave although the provider's cache is warm."""
    return [name for name in names if _is_forgotten(await memories.audit(name))]


def _is_forgotten(events: Sequence[MemoryEvent]) -> bool:
    """Tell whether a person removed a memory; true if its changes are not known."""
    ended = [event.action for event in events if event.action in _ENDS]
    return not ended or ended[-1] in _BY_PERSON


async def mark_used(memories: SessionMemories, voice: SessionVoice) -> None:
    """Mark the injected memories as used, after their first request; a failure is only told."""
    try:
        await memories.mark_used()
    except NotFound:
        # Purged since the session began: there is nothing to be marked.
        return
    except StoreError as error:
        notice = f"That memories were used could not be kept: {error.message}"
        voice.emit(NoticeGiven(notice, "warning"))


def _frame(clock: Clock, text: str | None, passages: tuple[Passage, ...] = ()) -> Framed:
    return new_frame(clock, SLOT, Slot.MEMORIES, text, passages=passages)


MOST_BYTES = 10_000_000


def hashes_of(files: WorkspaceFiles) -> HashOf:
    """Hash with SHA-256 the text of a file, given as a URI, as the editor has it; blocks.

    None: it is not there, is no text, or lies outside the folder.
    """

    def hash_of(uri: str) -> str | None:
        path = Path(unquote(urlparse(uri).path))
        if not path.is_relative_to(files.root):
            # The editor may know the folder by a symlink to it.
            path = path.parent.resolve() / path.name
        if not path.is_relative_to(files.root):
            return None
        name = path.relative_to(files.root).as_posix()
        try:
            file = files.read(name, MOST_BYTES)
        except ToolFailed:
            # A file that cannot be read does not bear a memory out.
            return None
        return file.version if file is not None else None

    return hash_of

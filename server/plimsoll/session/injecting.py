"""The memories in a conversation: told once at its beginning, frozen, and gone when forgotten.

They stand in the user's place and never in the system's, quoted and dated: a note that somebody
slipped in must not speak with our voice. What a person forgets leaves live sessions at once, which
costs their prefix; nothing else does.
"""

from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.entries import Framed, Slot
from plimsoll.context.messages import Kind, Part
from plimsoll.errors import NotFound, StoreError
from plimsoll.memory.injection import told_in, without
from plimsoll.session.events import NoticeGiven
from plimsoll.session.sources import hashes_of
from plimsoll.session.state import State

SLOT = "memories"
SHARE = 8
"""The frame takes at most this part of the effective window."""


async def injected(state: State, parts: Sequence[Part]) -> tuple[Framed, ...]:
    """The frame for the first thing that a person says in a session; nothing later on."""
    environment = state.environment
    rules = environment.memory_rules()
    if not rules.enabled or state.log.fold.groups:
        return ()
    question = "\n".join(part.text for part in parts if part.kind is Kind.TEXT)
    most = min(rules.injection.tokens, state.model.budget.effective // SHARE)
    # What its file does not bear out any more is told as such.
    await environment.memories.check_sources(hashes_of(environment))
    told = await environment.memories.injection(
        question, replace(rules.injection, tokens=most), state.model.ledger.bare
    )
    if told.text is None:
        return ()
    state.told = told.memories
    return (_frame(state, told.text),)


async def changed_memories(state: State) -> tuple[Framed, ...]:
    """What must be appended so that nothing stands in the view that was forgotten."""
    frame = state.log.fold.frames.get(SLOT)
    if frame is None or frame.text is None:
        return ()
    names = told_in(frame.text)
    standing = await state.environment.memories.store.standing(names)
    text: str | None = frame.text
    for name in names:
        if text is not None and name not in standing:
            text = without(text, name)
    return (_frame(state, text),) if text != frame.text else ()


async def mark_used(state: State) -> None:
    """A request with memories in it went out, for the first time; a failure is only told."""
    names, state.told = state.told, ()
    if not names:
        return
    try:
        await state.environment.memories.used(names, state.id)
    except NotFound:
        # Purged since the session began: there is nothing to be marked.
        return
    except StoreError as error:
        notice = f"That memories were used could not be kept: {error.message}"
        state.emit(NoticeGiven(notice, "warning"))


def _frame(state: State, text: str | None) -> Framed:
    stamps = state.environment.stamps
    return Framed(stamps.new_id("f"), stamps.now(), SLOT, Slot.MEMORIES, text)

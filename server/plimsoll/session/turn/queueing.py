"""How queued prompts are said: in the running turn, or as a turn of their own behind it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from plimsoll.context.log.entries import Origin, Said
from plimsoll.context.log.messages import Part, Role
from plimsoll.errors import PlimsollError
from plimsoll.session.mcp.attached import with_named
from plimsoll.session.ports.content import Content, parts_of, with_prompt
from plimsoll.session.ports.events import MessageSaid, QueuedPrompt, StopReason, When
from plimsoll.session.ports.ids import new_message_id, new_question_id
from plimsoll.session.state.queue import PromptQueue
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.attached import read_changes
from plimsoll.session.turn.hooked_prompts import with_hook_words

GOES_ON: Final = frozenset[StopReason]({"endTurn", "maxTokens"})
"""A turn that ends so is followed by what waits; after any other a person decides."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A prompt that was accepted."""

    turn: str
    """The turn that it began; of one that is queued, the turn that runs."""
    queued: str | None = None


async def parts_for(state: SessionState, content: Sequence[Content]) -> tuple[Part, ...]:
    """Build the parts of a prompt, on a thread; raises InvalidInput as ``parts_of``."""
    own = state.environment
    named = await with_named(state, content)
    read = await read_changes(named, own.call_context, state.load.next_request)
    how = own.call_context, own.files.read_attachment, state.model.sees_images
    return await asyncio.to_thread(parts_of, read, *how)


async def say_steered(state: SessionState, turn: str) -> None:
    """Say the queued steering prompts in the running turn, before its next request."""
    while (queued := state.queue.take("steer")) is not None:
        clock = state.clock
        message = new_message_id(clock)
        try:
            parts = await parts_for(state, queued.content)
            said = Said(
                id=message,
                at=clock.now(),
                role=Role.USER,
                group=message,
                parts=await with_hook_words(state, turn, parts),
                turn=turn,
                origin=Origin.PERSON,
            )
            await state.append(said)
            await state.save(
                with_prompt(state.record, state.log.kept_message(said).parts, clock.now())
            )
        except PlimsollError as error:
            if state.log.fold.index_of(message) is None:
                state.queue.refuse(queued, error)
                continue
            raise
        except asyncio.CancelledError:
            _settle(state, queued, message)
            raise
        _settle(state, queued, message)


def _settle(state: SessionState, queued: QueuedPrompt, message: str) -> None:
    """Send the event that a prompt was said; put it back if a cancel came before."""
    index = state.log.fold.index_of(message)
    if index is None:
        state.queue.put_first(queued)
        return
    said = state.log.fold.entries[index]
    assert isinstance(said, Said)
    state.voice.emit(MessageSaid(said))
    state.queue.tell_said(queued)


class Talks(Protocol):
    """The part of a session that the queue needs: to be prompted and waited for."""

    state: SessionState

    @property
    def running(self) -> bool:
        """Whether a turn runs in this process."""
        ...

    @property
    def turn_id(self) -> str | None:
        """The turn that runs, or ran last."""
        ...

    async def prompt(self, content: Sequence[Content]) -> str:
        """Begin a turn; raises PlimsollError."""
        ...

    async def wait(self) -> object:
        """Wait for the end of the running turn."""
        ...


class Queueing:
    """Puts prompts into the queue of a session, and begins the next turn with them."""

    def __init__(self, queue: PromptQueue) -> None:
        self._queue = queue
        self._next: asyncio.Task[None] | None = None

    async def accept(self, session: Talks, content: Sequence[Content], when: When) -> Accepted:
        """Begin a turn with a prompt, or queue the prompt while one runs.

        Raises:
            InvalidInput: Nothing was said, or a file cannot be attached.
            PlimsollError: As ``Session.prompt``.
        """
        if session.running:
            # What cannot be attached is refused now; when it is said, it is read anew.
            await parts_for(session.state, content)
        await self.wait_until_begun()
        if not session.running or session.turn_id is None:
            return Accepted(await session.prompt(content))
        name = new_question_id(session.state.clock)
        self._queue.put(QueuedPrompt(name, when, tuple(content)))
        return Accepted(session.turn_id, name)

    def on_turn_end(self, session: Talks, reason: StopReason) -> None:
        """Begin a turn with the queued prompts, or give them back if the last turn was cut off."""
        if reason not in GOES_ON:
            self._queue.return_all()
        elif self._queue.entries:
            self._next = asyncio.create_task(self._begin(session), name="next turn")

    async def wait_until_begun(self) -> None:
        """Wait until the turn that is to begin has begun."""
        if self._next is not None and not self._next.done():
            await asyncio.wait([self._next])

    async def _begin(self, session: Talks) -> None:
        await session.wait()
        queued = self._queue.take()
        if queued is None:
            return
        try:
            await session.prompt(queued.content)
        except PlimsollError as error:
            if session.running:
                # Somebody was faster: its turn comes behind theirs.
                self._queue.put_first(queued)
                return
            self._queue.refuse(queued, error)
            self._queue.return_all()
        else:
            self._queue.tell_said(queued)

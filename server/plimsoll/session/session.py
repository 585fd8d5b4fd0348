"""One conversation: what can be asked of it, and what it refuses while a turn runs."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Protocol

from plimsoll.context.log.entries import Entry, Noted, Pinned, Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.errors import NotFound, PlimsollError
from plimsoll.session.access import SessionAccess
from plimsoll.session.asking.spending import refuse_spent
from plimsoll.session.checkpoints.rewinding import (
    RewindResult,
    UndoResult,
    restores_files,
    rewind_to,
    undo_with_files,
)
from plimsoll.session.layers.framing import mode_frames
from plimsoll.session.layers.going_on import become_own
from plimsoll.session.layers.pins import make_pin, refuse_large
from plimsoll.session.memory.recall import keep_exchanges
from plimsoll.session.model.profile import missing_tools
from plimsoll.session.model.window import WindowWatch, switch_model
from plimsoll.session.ports.content import Content, checked_title, with_prompt
from plimsoll.session.ports.entries import new_undone
from plimsoll.session.ports.environment import Mode
from plimsoll.session.ports.events import MessageSaid, MeterMoved, TurnEnded, TurnStarted
from plimsoll.session.ports.ids import new_message_id, new_turn_id
from plimsoll.session.reduction.ingest import with_edits
from plimsoll.session.reduction.previews import warn_ahead
from plimsoll.session.running_turn import RunningTurn
from plimsoll.session.state.notes import FOR_EVER, postponed_note
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.shown import turn_note
from plimsoll.session.turn.beginning import first_frames_of, take_in
from plimsoll.session.turn.closing import close_turn
from plimsoll.session.turn.hooked_prompts import with_hook_words
from plimsoll.session.turn.queueing import Queueing, parts_for
from plimsoll.session.turn.turn import run_turn
from plimsoll.storage.base import Lease


class Background(Protocol):
    """Background work of a session, for which nobody waits."""

    def on_turn_end(self, *, failed: bool = False) -> None:
        """Begin the work, or wait for quiet; ``failed``: the turn ended by an error."""
        ...

    async def on_activity(self) -> None:
        """Give way to a person; once this returns, the work no longer blocks an operation."""
        ...

    async def on_close(self) -> None:
        """Cancel the work, as the session is used no more."""
        ...


class Session:
    """A live session of this process: one class, as it is all that a door may ask of a session."""

    def __init__(
        self, state: SessionState, background: Iterable[Callable[["Session"], Background]] = ()
    ) -> None:
        self.state = state
        self._turn = RunningTurn(lambda: state.record.title)
        self._background = [make(self) for make in background]
        self._access = SessionAccess(state, self._turn, self._background)
        self.window = WindowWatch(state, self.note)
        self.queueing = Queueing(state.queue)

    @property
    def id(self) -> str:
        """The session's id."""
        return self.state.id

    @property
    def running(self) -> bool:
        """Whether a turn runs in this process."""
        return self._turn.running

    @property
    def turn_id(self) -> str | None:
        """The turn that runs, or ran last in this process."""
        return self._turn.turn_id

    @property
    def quiet_seconds(self) -> float:
        """The seconds since the session was last used; 0 during an operation."""
        busy = self.running or self._access.locked
        return 0.0 if busy else self.state.clock.seconds() - self._access.used

    async def prompt(self, content: Sequence[Content]) -> str:
        """Append a person's prompt and start a turn on it; returns the turn's id.

        When this returns, the message is durable.

        Raises:
            Busy: A turn runs, here or in another process.
            InvalidInput: Nothing was said, a file cannot be attached, or a hook holds it back.
            SpendLimitReached: The session has spent what it may.
        """
        async with self._access.operations:
            self.refuse_busy()
            if self.state.caller is not None:
                raise self._turn.busy()
            if self.state.model.window_source != "setting":
                await self.window.settle()
            return await self._start(await parts_for(self.state, content))

    async def serve(self, task: str) -> str:
        """Start the one turn of a subagent on its caller's task; returns the turn's id.

        Raises:
            StoreError: The task cannot be kept.
        """
        async with self._access.operations:
            return await self._start((Part(kind=PartKind.TEXT, text=task),))

    async def _start(self, parts: tuple[Part, ...]) -> str:
        lease = await self._access.begin()
        clock = self.state.clock
        turn, message = new_turn_id(clock), new_message_id(clock)
        try:
            refuse_spent(self.state)
            parts = await with_hook_words(self.state, turn, parts)
            said = Said(
                id=message,
                at=clock.now(),
                role=Role.USER,
                group=message,
                parts=parts,
                turn=turn,
                origin=self.state.origin,
            )
            await close_turn(self.state)
            if self.state.caller is None:
                await self._become_own()
            await self.state.append(*await first_frames_of(self.state, parts), said)
            kept = self.state.log.kept_message(said).parts
            await self.state.save(with_prompt(self.state.record, kept, clock.now()))
        except BaseException:
            await self.state.writing.release(lease)
            raise
        self.state.environment.team.wake()
        self.state.voice.emit(TurnStarted(turn))
        self.state.voice.emit(MessageSaid(self.state.log.kept_message(said)))
        keep = partial(self._keep_end, lease)
        self._turn.start(turn, run_turn(self.state, turn), keep, self._tell_end)
        return turn

    async def wait(self) -> TurnEnded | None:
        """Wait for the end of the running turn; None if there is none."""
        return await self._turn.wait()

    def last_answer(self) -> str:
        """Return the text of the assistant's last message; empty when there is none."""
        for entry in reversed(self.state.log.fold.entries):
            if isinstance(entry, Said) and entry.role is Role.ASSISTANT:
                return "\n\n".join(p.text for p in entry.parts if p.kind is PartKind.TEXT)
        return ""

    async def _become_own(self) -> None:
        """Let the person go on with a subagent's session, with all tools that they have."""
        limited = self.state.agent.tools is not None
        await become_own(self.state)
        if limited:
            await self.state.append(*missing_tools(self.state))

    async def cancel(self) -> bool:
        """Stop the running turn; once this returns, it has no further effect."""
        await self.queueing.wait_until_begun()
        return await self._turn.cancel()

    async def rename(self, title: str) -> None:
        """Give the session another title; raises InvalidInput where there is no word in it."""
        words = self.state.redact(checked_title(title))
        await self.state.save(replace(self.state.record, title=words))

    async def set_mode(self, mode: Mode) -> None:
        """Change which tools may run, from the next model request on."""
        if mode == self.state.mode:
            return
        await self.state.append(*mode_frames(mode, self.state.clock))
        await self.state.save(replace(self.state.record, mode=mode))

    async def set_model(self, model: str) -> None:
        """Talk to another model from now on.

        Raises:
            Busy: A turn or a compaction runs.
            ProviderModel: There is no such provider or model.
        """
        self.refuse_busy()
        opened = await self.state.models.all.open(model)
        async with self._access.alone():
            await switch_model(self.state, opened)
            await self.state.save(replace(self.state.record, model=model))
            self.state.voice.emit(MeterMoved(self.state.load.meter()))

    async def rewind(
        self, message: str, *, files: bool = False, before: bool = False
    ) -> RewindResult:
        """Hide the messages after one, a prompt too if ``before``; restore files if ``files``."""
        async with self._access.alone():
            return await rewind_to(self.state, message, files=files, before=before)

    async def undo(self, target: str) -> UndoResult:
        """Undo a reduction, or a rewind with its restored files."""
        if not restores_files(self.state.log.fold, target):
            return await undo_with_files(self.state, target)
        async with self._access.alone():
            return await undo_with_files(self.state, target)

    async def pin(self, text: str | None, item: str | None) -> Pinned:
        """Pin a text, or the text of an item, into every request from the next one on.

        Raises:
            InvalidInput: There is no text to pin, or all pins together would be too large.
            NotFound: There is no such item.
        """
        pin = make_pin(self.state.log.fold, self.state.clock, text, item)
        refuse_large(pin, self.state.log.fold, self.state.model)
        await self.state.append(pin)
        return pin

    async def unpin(self, pin: str) -> None:
        """Remove a pin of the session; raises NotFound. A folder's pin: ``Project.unpin``."""
        if pin not in self.state.log.fold.pins:
            raise NotFound("pin", pin, remedy="List the pins to see their ids and numbers.")
        clock = self.state.clock
        await self.state.append(new_undone(clock, pin))

    async def catch_up(self) -> None:
        """Append the changes around the session: the folder's pins, its instructions.

        While another process runs a turn of the session, that process does so before its next turn.
        """
        await self._access.beside(lambda: take_in(self.state))

    async def note(self, *notes: Noted) -> None:
        """Append notes, also during a turn in this process, but not of another process."""

        async def keep() -> None:
            await self.state.log.refresh()
            await self.state.log.append(*notes)

        if notes:
            await self._access.beside(keep)

    @asynccontextmanager
    async def holding(self, *, stirring: bool = True) -> AsyncGenerator[None]:
        """Hold the session's lease for an operation that must not run beside a turn.

        ``stirring``: a person asks, so background work gives way.
        """
        async with self._access.operations:
            lease = await self._access.begin(stirring=stirring)
        try:
            yield
        finally:
            await self.state.writing.release(lease)

    async def feed(self, make: Callable[[], Sequence[Entry]]) -> tuple[str, ...]:
        """Append messages that an editor's own agent made, all or none; returns their ids.

        ``make`` is called once the log is ours; truncation applies as to our own results.
        """
        async with self._access.alone():
            entries = make()
            await self.state.append(
                *with_edits(entries, self.state.load.next_request, self.state.clock)
            )
            await keep_exchanges(self.state.recall, self.state.log, self.state.voice)
            return tuple(entry.id for entry in entries if isinstance(entry, Said))

    def refuse_busy(self) -> None:
        """Raise Busy while a turn runs in this process."""
        self._turn.refuse_busy()

    async def postpone(self, turns: int | None) -> None:
        """Postpone automatic compaction for so many turns, or, without a number, for ever."""
        state = self.state
        until = FOR_EVER if turns is None else state.record.turns + turns
        await state.append(postponed_note(until, state.clock))
        state.load.postpone(until)

    async def close(self) -> None:
        """Stop the turn and the background work; the session is not used again."""
        await self.cancel()
        await self.retire()

    @asynccontextmanager
    async def retiring(self) -> AsyncGenerator[None]:
        """Hold off other operations while the session is deleted; raises Busy during a turn."""
        async with self._access.operations:
            self.refuse_busy()
            await self._end_background()
            yield

    async def retire(self) -> None:
        """End the background work for good, while no turn of the session runs."""
        await self._end_background()
        # Each holds the session: the circle would keep its log until the next full collection.
        self._background.clear()

    async def _end_background(self) -> None:
        await self.window.close()
        for each in self._background:
            await each.on_close()

    def _tell_end(self, ended: TurnEnded) -> None:
        self.state.voice.emit(ended)
        self.state.environment.team.wake()
        # What a person sent to a subagent that is done is theirs again.
        gone = self.state.caller is not None
        self.queueing.on_turn_end(self, "cancelled" if gone else ended.reason)
        for each in self._background:
            each.on_turn_end(failed=ended.error is not None)

    async def _keep_end(self, lease: Lease, ended: TurnEnded) -> TurnEnded:
        """Store the result of a turn; if that fails, the turn still ends, with the error."""
        try:
            await self._finish(ended, lease)
        except PlimsollError as error:
            return replace(ended, reason="error", error=ended.error or error)
        return ended

    async def _finish(self, ended: TurnEnded, lease: Lease) -> None:
        try:
            record, clock = self.state.record, self.state.clock
            await self.state.save(replace(record, turns=record.turns + 1, updated_at=clock.now()))
            used = self.state.log.fold.view.tokens
            await self.state.append(turn_note(ended, used, clock))
            warn_ahead(self.state.load, self.state.voice)
            await keep_exchanges(self.state.recall, self.state.log, self.state.voice)
        finally:
            await self.state.writing.release(lease)

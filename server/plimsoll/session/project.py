"""The sessions of one workspace folder."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Entry
from plimsoll.errors import NotFound, SessionUnreadable
from plimsoll.memory.digest import digest_id
from plimsoll.session.agents.calling import AgentCalls
from plimsoll.session.background.extraction_worker import read_as
from plimsoll.session.checkpoints.changes import share_copies
from plimsoll.session.folder_pins import FolderPins
from plimsoll.session.layers.going_on import own_entries
from plimsoll.session.layers.pins import entries_of
from plimsoll.session.live_sessions import LiveSessions
from plimsoll.session.memory.recall import mark_as_not_recallable
from plimsoll.session.opening import (
    foreseen,
    make_first_entries,
    mend,
    unreadable,
)
from plimsoll.session.ports.agent import MAIN
from plimsoll.session.ports.environment import Environment, Mode
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.ids import new_session_id
from plimsoll.session.session import Session
from plimsoll.session.state.session_state import Caller, SessionState
from plimsoll.session.transfer.exports import entries_until, export_session, exported_as_stored
from plimsoll.session.transfer.taking_in import taken_in
from plimsoll.session.travelling import TravellingHere
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.travel import Elsewhere

log = logging.getLogger(__name__)


class Project:
    """Creates, opens and keeps the live sessions of a folder."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.sessions = LiveSessions(environment, AgentCalls(self))
        self.live = self.sessions.by_id
        self.pins = FolderPins(environment, self.sessions)
        environment.travelling.attend(TravellingHere(environment, self.sessions, self.delete))
        self._opening, self._choosing = asyncio.Lock(), asyncio.Lock()

    async def new(self, mode: Mode = "edit", model: str | None = None) -> Session:
        """Start a new session; raises ProviderModel when there is no such model."""
        environment = self.environment
        opened = await environment.models.open(model or environment.models.default)
        clock, now = environment.clock, environment.clock.now()
        record = SessionRecord(
            id=new_session_id(clock),
            workspace=environment.workspace,
            title="",
            mode=mode,
            model=opened.id,
            created_at=now,
            updated_at=now,
        )
        first = await make_first_entries(environment, mode, opened)
        pins = entries_of(await environment.store.pins.pins(), 1, clock)
        return await self._create(record, (*first, *pins))

    async def list(
        self, limit: int | None = None, parent: str | None = None
    ) -> list[SessionRecord]:
        """List the sessions of the folder, the one used last first, or a session's subagents."""
        store = self.environment.store
        found = await (store.agents_of(parent) if parent else store.sessions(limit))
        return [self.environment.redact_record(record) for record in found]

    async def elsewhere(self) -> Sequence[Elsewhere]:
        """List the person's sessions on their other machines, as they were last heard of."""
        found = await self.environment.travelling.elsewhere()
        redact = self.environment.redact_record
        return [Elsewhere(redact(each.record), each.machine) for each in found]

    async def keeps(self, session_id: str) -> bool:
        """Tell whether there is such a session, here or elsewhere, without opening it."""
        try:
            await self.environment.store.get(session_id)
        except NotFound:
            return any(each.record.id == session_id for each in await self.elsewhere())
        return True

    async def load(self, session_id: str | None = None) -> Session:
        """Load a session by id, or the latest; one that another machine wrote is brought here.

        Raises:
            NotFound: There is no such session.
            SessionUnreadable: It cannot be opened.
            StoreUnavailable: It is on another machine, and the team's server does not answer.
        """
        name = session_id or await self._latest()
        live = self.live.get(name)
        if live is None or not live.running:
            await self.environment.travelling.bring(name)
        with foreseen(partial(unreadable, name)):
            return await self._load(name)

    async def resume(self, session_id: str | None = None) -> Session:
        """Load a session, the latest by default; where it cannot be opened, begin a new one.

        The person is told why in the new one. Raises NotFound when there is none to be loaded.
        """
        try:
            return await self.load(session_id)
        except SessionUnreadable as error:
            log.warning("%s A new session is begun.", error.message)
            session = await self.new()
            notice = f"{error.message} {error.remedy} This is a new session."
            self.environment.listener(session.id, NoticeGiven(notice, "warning"))
            return session

    async def _load(self, name: str) -> Session:
        async with self._opening:
            session = self.live.get(name)
            if session is None:
                record = await self.environment.store.get(name)
                entries = await self.environment.store.entries(name)
                session = await self.sessions.open(record, entries)
                await mend(session.state)
                self.live[name] = session
                await self.sessions.let_go()
            elif not session.running:
                await session.state.log.refresh()
        if not session.running:
            await session.catch_up()
        self.sessions.current = name
        self.environment.team.wake()
        return session

    async def take_over(self, session_id: str) -> Session:
        """Become the writer of a session; who has written it, here or elsewhere, follows.

        Raises:
            Busy: A turn of it runs.
            NotFound: There is no such session.
            StoreUnavailable: Another machine writes it, and the team's server does not answer.
        """
        session = await self.load(session_id)
        session.refuse_busy()
        if self.environment.travelling.held_by(session_id) is not None:
            await self.environment.travelling.bring(session_id, force=True)
            # What came with it may have replaced what was loaded.
            session = await self.load(session_id)
        await session.state.writing.take_over()
        await mend(session.state)
        await session.catch_up()
        return session

    async def current(self) -> Session:
        """Return the session that is open for the folder, else the latest, else a new one."""
        # Two first prompts at once are said in one session.
        async with self._choosing:
            if self.sessions.current is not None:
                return await self.load(self.sessions.current)
            try:
                return await self.resume()
            except NotFound:
                return await self.new()

    async def delete(self, session_id: str) -> None:
        """Delete a session and its subagents' for good; raises NotFound, or Busy in a turn."""
        if await self.environment.travelling.delete(session_id):
            return
        session = self.live.get(session_id)
        if session is not None:
            session.refuse_busy()
        for agent in await self.environment.store.agents_of(session_id):
            await self.delete(agent.id)
        async with session.retiring() if session is not None else nullcontext():
            lease = await self.environment.store.acquire(session_id)
            try:
                await self._forget_digest(session_id)
                await self.environment.store.delete(session_id)
            finally:
                await self.environment.store.release(lease)
        if session is not None:
            await self.sessions.drop(session)

    async def fork(self, session_id: str, message: str | None = None) -> Session:
        """Make a session with a copy of the entries up to a message's group, or of all."""
        source = await self.load(session_id)
        kept = {entry.id for entry in entries_until(source.state.log.fold, message)}
        # From the store: another process may have purged a memory that we still hold.
        stored = await self.environment.store.entries(session_id)
        now = self.environment.clock.now()
        record = replace(
            source.state.record,
            id=new_session_id(self.environment.clock),
            parent_id=session_id,
            created_at=now,
            updated_at=now,
            agent=None,
            depth=0,
        )
        held = source.state
        own = own_entries(held.log.fold, held.clock) if held.agent != MAIN else ()
        copied = [entry for entry in stored if entry.id in kept]
        copy = await self._create_copy(record, [*copied, *own])
        await read_as(source.state.log, copy.state.log, copy.state.memories.all, copy.state.clock)
        await share_copies(session_id, copy.state.log.fold.entries, copy.state.copies)
        return copy

    async def forget(self, memory_id: str, *, purge: bool = False) -> None:
        """Hide a memory at once, also from live sessions, or remove its text; raises NotFound."""
        purged = await self.environment.memories.forget(memory_id, purge=purge)
        hiding = asyncio.ensure_future(self.refresh(removed=purged))
        # A cancel comes too late for what is forgotten: when it is answered, all have let go.
        if await wait_through_cancel(hiding):
            raise asyncio.CancelledError from hiding.exception()
        hiding.result()

    async def refresh(self, *, removed: bool) -> None:
        """Update live sessions from the store; ``removed``: reload logs with purged texts."""
        await self.sessions.spread()
        for session in list(self.live.values()) if removed else ():
            await session.state.log.reload()

    def say(self, notice: NoticeGiven) -> None:
        """Give a notice in every live session of a person."""
        for session in list(self.live.values()):
            if session.state.caller is None:
                session.state.voice.emit(notice)

    async def export(self, session_id: str) -> str:
        """Export the log of a session with its texts, one JSON object a line."""
        store = self.environment.store
        try:
            session = await self.load(session_id)
        except SessionUnreadable:
            record = await store.get(session_id)
            return exported_as_stored(record, await store.bodies(session_id))
        # From the store: another process may have purged a memory that we still hold.
        return export_session(session.state.record, await store.entries(session_id))

    async def take_in(self, jsonl: str) -> Session:
        """Import the conversation of an export, under our own frames.

        Nothing else of it counts: neither its model and mode nor its notes.

        Raises:
            LogInvalid: It cannot be read or opened; nothing was kept.
        """
        state = await taken_in(jsonl, self.environment, await self.pins.all())
        return await self._create_copy(state.record, state.log.fold.entries, state)

    async def close(self) -> None:
        """Close all sessions and the store, even if a session fails to stop."""
        async with AsyncExitStack() as ends:
            ends.push_async_callback(self.environment.store.close)
            ends.push_async_callback(self.environment.team.close)
            ends.push_async_callback(self.environment.outside.mcp.close)
            for session in reversed(self.live.values()):
                ends.push_async_callback(session.close)

    async def _forget_digest(self, session_id: str) -> None:
        """Purge the digest of a deleted session, so that later sessions do not get it."""
        memories = self.environment.memories
        if await memories.find(digest_id(session_id)) is not None:
            await self.forget(digest_id(session_id), purge=True)

    async def _create_copy(
        self, record: SessionRecord, entries: Sequence[Entry], looked_at: SessionState | None = None
    ) -> Session:
        session = await self._create(record, entries, looked_at)
        await mark_as_not_recallable(
            session.state.recall, session.state.log.fold, record.created_at
        )
        return session

    async def _create(
        self, record: SessionRecord, entries: Sequence[Entry], looked_at: SessionState | None = None
    ) -> Session:
        kept = await self.environment.store.create(record, entries)
        if looked_at is not None and kept == list(entries):
            session = self.sessions.begin(looked_at)
        else:
            # Nothing was folded yet, or the store took a secret out of what was.
            session = await self.sessions.open(record, kept)
        await self.sessions.put(session)
        return session

    @asynccontextmanager
    async def agent(
        self, record: SessionRecord, entries: tuple[Entry, ...], caller: Caller
    ) -> AsyncGenerator[Session]:
        """Open a session that works for another one, never as the folder's current session.

        It leaves memory at the end; if a person opens it later, it is loaded as an own session.
        """
        kept = await self.environment.store.create(record, entries)
        session = self.live[record.id] = await self.sessions.open(record, kept, caller)
        try:
            await mark_as_not_recallable(
                session.state.recall, session.state.log.fold, record.created_at
            )
            yield session
        finally:
            await self.sessions.drop(session)

    async def _latest(self) -> str:
        found = await self.environment.store.sessions(1)
        if not found:
            message = "There is no session in this folder yet."
            remedy = "Send a message to begin one; in a terminal `plimsoll chat` takes it."
            raise NotFound("session", "latest", message=message, remedy=remedy)
        return found[0].id

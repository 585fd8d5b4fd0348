"""The sessions of one workspace folder."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.entries import Entry
from plimsoll.context.fold import Fold
from plimsoll.errors import Busy, NotFound, ProviderModel
from plimsoll.session.calibration import known
from plimsoll.session.environment import MODES, Environment, Mode, Model
from plimsoll.session.events import NoticeGiven
from plimsoll.session.framing import changed_frames, opening
from plimsoll.session.idle import IdleWatch
from plimsoll.session.log import SessionLog, redacted
from plimsoll.session.session import Session
from plimsoll.session.state import State
from plimsoll.session.transfer import exported, imported
from plimsoll.session.turn import close_calls
from plimsoll.storage.base import SessionRecord


class Project:
    """Creates, opens and keeps the live sessions of a folder."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.live: dict[str, Session] = {}
        self._current: str | None = None
        self._opening = asyncio.Lock()

    async def new(self, mode: Mode = "edit", model: str | None = None) -> Session:
        """A new session; raises ProviderModel when there is no such model."""
        environment = self.environment
        opened = await environment.models.open(model or environment.models.default)
        stamps = environment.stamps
        now = stamps.now()
        record = SessionRecord(
            stamps.new_id("s"), environment.workspace, "", mode, opened.id, now, now
        )
        schemas = [tool.schema for tool in environment.tools.values()]
        return await self._create(record, opening(environment.root, mode, schemas, stamps))

    async def list(self, limit: int | None = None) -> list[SessionRecord]:
        """The sessions of the folder, the one used last first."""
        return await self.environment.store.sessions(limit)

    async def load(self, session_id: str | None = None) -> Session:
        """A session by id, or the latest; raises NotFound."""
        name = session_id or await self._latest()
        async with self._opening:
            session = self.live.get(name)
            if session is None:
                record = await self.environment.store.get(name)
                entries = await self.environment.store.entries(name)
                session = await self._open(record, entries)
                await self._mend(session)
            elif not session.running:
                await session.state.log.refresh()
        self._current = name
        return session

    async def current(self) -> Session:
        """The session that is open for the folder, else the latest, else a new one."""
        if self._current is not None:
            return await self.load(self._current)
        try:
            return await self.load()
        except NotFound:
            return await self.new()

    async def delete(self, session_id: str) -> None:
        """Delete a session for good; raises NotFound, or Busy while a turn of it runs."""
        session = self.live.get(session_id)
        if session is not None:
            session.refuse_busy()
            await session.when_stirred()
        lease = await self.environment.store.acquire(session_id)
        try:
            await self.environment.store.delete(session_id)
        finally:
            await self.environment.store.release(lease)
        self.live.pop(session_id, None)
        self._current = None if self._current == session_id else self._current

    async def fork(self, session_id: str, message: str | None = None) -> Session:
        """A new session with a copy of the entries up to a message's group, or of all."""
        source = await self.load(session_id)
        entries = _until(source.state.log.fold, message)
        stamps = self.environment.stamps
        now = stamps.now()
        record = replace(
            source.state.record,
            id=stamps.new_id("s"),
            parent_id=session_id,
            created_at=now,
            updated_at=now,
        )
        return await self._create(record, entries)

    async def export(self, session_id: str) -> str:
        """The log of a session with its texts, one JSON object a line."""
        session = await self.load(session_id)
        return exported(session.state.record, session.state.log.fold.entries)

    async def take_in(self, jsonl: str) -> Session:
        """A new session from an export: the same view, and no permission; raises LogInvalid."""
        found = await asyncio.to_thread(imported, jsonl)
        stamps = self.environment.stamps
        now = stamps.now()
        model = found.model or self.environment.models.default
        record = SessionRecord(
            stamps.new_id("s"),
            self.environment.workspace,
            found.title,
            MODES.get(found.mode, "edit"),
            model,
            now,
            now,
            found.turns,
            preview=found.preview,
        )
        return await self._create(record, found.entries)

    async def close(self) -> None:
        """Stop what runs and close the store."""
        for session in list(self.live.values()):
            await session.close()
        await self.environment.store.close()

    async def _create(self, record: SessionRecord, entries: Sequence[Entry]) -> Session:
        kept = tuple(redacted(entry, self.environment.redact) for entry in entries)
        await self.environment.store.create(record, kept)
        session = await self._open(record, kept)
        self._current = record.id
        return session

    async def _open(self, record: SessionRecord, entries: Sequence[Entry]) -> Session:
        environment = self.environment
        model = await self._model(record)
        correction = known(entries, model.id)
        if correction is not None:
            model = environment.models.corrected(model, correction)
        fold = await asyncio.to_thread(Fold, model.ledger, entries)
        log = SessionLog(record.id, environment.store, fold, environment.redact)
        session = Session(State(record, log, model, environment))
        watch = IdleWatch(session)
        session.when_quiet, session.when_stirred = watch.rest, watch.stir
        self.live[record.id] = session
        return session

    async def _model(self, record: SessionRecord) -> Model:
        """The session's model, or the default one where it is no longer to be had."""
        models = self.environment.models
        try:
            return await models.open(record.model)
        except ProviderModel as error:
            notice = f"{error.message} This session goes on with {models.default}."
            self.environment.listener(record.id, NoticeGiven(notice, "warning"))
            return await models.open(models.default)

    async def _mend(self, session: Session) -> None:
        """Answer what a crash left unanswered, and show the tools that are new since.

        While another process runs a turn of it, that process answers for the log.
        """
        try:
            lease = await self.environment.store.acquire(session.id)
        except Busy:
            return
        try:
            await session.state.log.refresh()
            await close_calls(session.state, None)
            schemas = [tool.schema for tool in self.environment.tools.values()]
            frames = session.state.log.fold.frames
            if any(slot.startswith("tools.") for slot in frames):
                fresh = changed_frames(frames, schemas, self.environment.stamps)
                if fresh:
                    await session.state.log.append(*fresh)
        finally:
            await self.environment.store.release(lease)

    async def _latest(self) -> str:
        found = await self.environment.store.sessions(1)
        if not found:
            raise NotFound("session", "latest", remedy="Start a new session in this folder.")
        return found[0].id


def _until(fold: Fold, message: str | None) -> tuple[Entry, ...]:
    """The entries up to the end of a message's group; pins and frames that came later go too."""
    if message is None:
        return tuple(fold.entries)
    group = fold.group_of_message(message)
    if group is None:
        raise NotFound("message", message, remedy="Load the session to see its messages.")
    indexes = (fold.index_of(said.id) for said in group.said)
    last = max(index for index in indexes if index is not None)
    return tuple(fold.entries[: last + 1])

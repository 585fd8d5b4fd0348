"""Holds the sessions of a folder that are in memory, and drops those that nobody uses."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from plimsoll.context.log.entries import Entry
from plimsoll.errors import NotFound, ProviderModel
from plimsoll.session.agents.overhearing import beneath
from plimsoll.session.asking.calibration import newest_correction
from plimsoll.session.background.beside_turn import SummaryBeside
from plimsoll.session.background.between_turns import IdleWatch
from plimsoll.session.background.extraction_worker import ExtractionWorker
from plimsoll.session.background.made_watching import MadeWatch
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.model.window import with_noted_window
from plimsoll.session.opening import fold_log, opening_notices
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.model import Model
from plimsoll.session.session import Session
from plimsoll.session.state.session_state import Agents, Caller, SessionState
from plimsoll.storage.base import SessionRecord

log = logging.getLogger(__name__)

QUIET_SECONDS, KEPT_QUIET = 20.0, 4
"""Unused for so long a session leaves memory, unless it is among so many that were used last."""
IDLE_SECONDS, KEPT_IDLE = 1.0, 8
"""The same for a client that uses many in a short time: some 1.5 MB each after forty turns."""


class LiveSessions:
    """Holds each session once, by its id."""

    def __init__(self, environment: Environment, agents: Agents) -> None:
        self.by_id: dict[str, Session] = {}
        self.current: str | None = None
        """The session that is open for the folder."""
        self._environment = environment
        self._agents = agents

    async def put(self, session: Session) -> None:
        """Add a session as the current one; others that nobody uses may be dropped."""
        self.by_id[session.id] = session
        self.current = session.id
        self._environment.team.wake()
        await self.let_go()

    async def spread(self) -> None:
        """Make every live session read changes of the folder, such as pins, at once."""
        for session in list(self.by_id.values()):
            try:
                await session.catch_up()
            except NotFound:
                # Another process has deleted it: there is nothing left to be changed.
                await self.drop(session)

    async def lose_trust(self) -> None:
        """Remove permissions and instructions from every live session, as trust was lost."""
        for session in list(self.by_id.values()):
            session.state.approvals.withdraw()
        await self.spread()

    async def drop(self, session: Session) -> None:
        """Drop a session from memory, and end its background work."""
        self.by_id.pop(session.id, None)
        self.current = None if self.current == session.id else self.current
        await session.retire()

    async def let_go(self) -> None:
        """Drop sessions that nobody has used for a while; they are loaded again when asked for."""
        others = [each for each in reversed(self.by_id.values()) if each.id != self.current]
        others.sort(key=lambda each: each.quiet_seconds)
        for place, session in enumerate(others[KEPT_QUIET:], KEPT_QUIET):
            if session.quiet_seconds >= (QUIET_SECONDS if place < KEPT_IDLE else IDLE_SECONDS):
                await self.drop(session)

    async def open(
        self, record: SessionRecord, entries: Sequence[Entry], caller: Caller | None = None
    ) -> Session:
        """Open a session from its log as a live one; ``caller``: the call that it works for."""
        environment = beneath(caller.environment, caller) if caller else self._environment
        model = await self._model(record)
        correction = newest_correction(entries, model.id)
        if correction is not None:
            model = environment.models.with_correction(model, correction)
        model = with_noted_window(model, entries, environment.models)
        indexes = await asyncio.to_thread(fold_log, entries, model, environment, kept_as=record.id)
        alone = caller is None
        for notice in await asyncio.to_thread(opening_notices, entries, environment, alone):
            log.warning("%s: %s", record.id, notice.markdown)
            environment.listener(record.id, notice)
        held = SessionLog(record.id, environment.store, indexes)
        return self.begin(SessionState(record, held, model, environment, caller=caller))

    def begin(self, state: SessionState) -> Session:
        """Make a session of its state, with its background work."""
        state.agents = self._agents
        alone = IdleWatch, MadeWatch, partial(ExtractionWorker, tidy=self._tidy)
        session = Session(state, (SummaryBeside, *(alone if state.caller is None else ())))
        session.window.begin()
        return session

    async def _model(self, record: SessionRecord) -> Model:
        """Open the session's model, or the default one if it is no longer available."""
        models = self._environment.models
        try:
            return await models.open(record.model)
        except ProviderModel as error:
            notice = f"{error.message} This session goes on with {models.default}."
            self._environment.listener(record.id, NoticeGiven(notice, "warning"))
            return await models.open(models.default)

    async def _tidy(self) -> None:
        """Tidy the memories of the folder, unless none has changed since the last time."""
        rules = self._environment.rules().memory
        if rules.enabled:
            await self._environment.memories.upkeep.tidy(rules.consolidation)

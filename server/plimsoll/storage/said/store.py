"""Searches what was said in the sessions of one project, and indexes it behind the searches."""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Said
from plimsoll.context.log.traits import Tools
from plimsoll.errors import StoreError
from plimsoll.storage.base import SaidQuery, SessionRecord
from plimsoll.storage.database.units import Database
from plimsoll.storage.said.finding import Candidate, candidates, newest_said, titled
from plimsoll.storage.said.index import PIECE, behind, index_piece
from plimsoll.storage.sessions import select_session_of

log = logging.getLogger(__name__)

Found = tuple[SessionRecord, Said | None]
AT_ONCE = 50
"""Sessions that are searched before anything else is read of the store."""


class SqliteSaid:
    """A ``SaidStore`` in the database of a project; whoever opened that closes it afterwards."""

    def __init__(self, database: Database, tools: Tools) -> None:
        self._database = database
        self._tools = tools
        self._indexing: asyncio.Task[None] | None = None

    async def find(self, query: SaidQuery) -> list[Found]:
        """Find sessions by their titles and by what was said in them, the titled ones first."""
        found, others, left = await self._database.read(lambda db: self._begun(db, query))
        for start in range(0, len(others), AT_ONCE):
            if len(found) >= query.limit:
                break
            some = others[start : start + AT_ONCE]
            found += await self._database.read(lambda db, some=some: self._spoken(db, some, query))
        if left >= PIECE:
            self._index_later()
        return found[: query.limit]

    async def index(self) -> None:
        """Index what is not indexed yet, but for less than a piece, which is as soon read."""
        left = await self._database.read(behind)
        while left >= PIECE:
            left = await self._database.write(index_piece)
            # A database in memory never waits by itself.
            await asyncio.sleep(0)

    async def close(self) -> None:
        """End the work that a search has begun; the next one goes on with it."""
        if self._indexing is not None and not self._indexing.done():
            self._indexing.cancel()
            await wait_through_cancel(self._indexing)

    def _begun(
        self, db: sqlite3.Connection, query: SaidQuery
    ) -> tuple[list[Found], list[Candidate], int]:
        with_title = titled(db, query)
        found: list[Found] = [
            (select_session_of(db, key), None) for key in with_title[: query.limit]
        ]
        if len(found) >= query.limit:
            return found, [], 0
        known = frozenset(with_title)
        others = [each for each in candidates(db, query) if each[0] not in known]
        return found, others, behind(db)

    def _spoken(
        self, db: sqlite3.Connection, some: Sequence[Candidate], query: SaidQuery
    ) -> list[Found]:
        said = ((key, newest_said(db, (key, rows), query, self._tools)) for key, rows in some)
        return [(select_session_of(db, key), each) for key, each in said if each is not None]

    def _index_later(self) -> None:
        if self._indexing is None or self._indexing.done():
            self._indexing = asyncio.create_task(self._index_or_tell(), name="index of sessions")

    async def _index_or_tell(self) -> None:
        try:
            await self.index()
        except StoreError as error:
            log.warning("What was said is read for each search, not indexed: %s", error.message)

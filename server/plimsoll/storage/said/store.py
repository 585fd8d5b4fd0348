"""Searches messages of one project's sessions, and indexes them after searches."""

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
from plimsoll.storage.said.finding import Candidate, candidates, find_titled, newest_said
from plimsoll.storage.said.index import PIECE, index_piece, rows_behind
from plimsoll.storage.sessions import select_session_of

log = logging.getLogger(__name__)

Found = tuple[SessionRecord, Said | None]
AT_ONCE = 50
"""How many sessions are searched before other reads of the store get a turn."""


class SqliteSaid:
    """A ``SaidStore`` in a project's database, which its opener closes afterwards."""

    def __init__(self, database: Database, tools: Tools) -> None:
        self._database = database
        self._tools = tools
        self._indexing: asyncio.Task[None] | None = None

    async def find(self, query: SaidQuery) -> list[Found]:
        """Find sessions by title and messages, those with a matching title first."""
        found, others, left = await self._database.read(lambda db: self._search_titles(db, query))
        for start in range(0, len(others), AT_ONCE):
            if len(found) >= query.limit:
                break
            some = others[start : start + AT_ONCE]
            found += await self._database.read(
                lambda db, some=some: self._search_messages(db, some, query)
            )
        if left >= PIECE:
            self._index_later()
        return found[: query.limit]

    async def index(self) -> None:
        """Index new entries, unless there is less than a piece, which is read as quickly."""
        left = await self._database.read(rows_behind)
        while left >= PIECE:
            left = await self._database.write(index_piece)
            # A database in memory never waits by itself.
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Stop the indexing that a search began; the next search resumes it."""
        if self._indexing is not None and not self._indexing.done():
            self._indexing.cancel()
            await wait_through_cancel(self._indexing)

    def _search_titles(
        self, db: sqlite3.Connection, query: SaidQuery
    ) -> tuple[list[Found], list[Candidate], int]:
        with_title = find_titled(db, query)
        found: list[Found] = [
            (select_session_of(db, key), None) for key in with_title[: query.limit]
        ]
        if len(found) >= query.limit:
            return found, [], 0
        known = frozenset(with_title)
        others = [each for each in candidates(db, query) if each[0] not in known]
        return found, others, rows_behind(db)

    def _search_messages(
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

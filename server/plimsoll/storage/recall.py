"""What was said in the sessions of one project, for search: in its database or in memory."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.messages import clean
from plimsoll.storage import recall_rows as rows
from plimsoll.storage.base import Exchange, Recalled, Redactor
from plimsoll.storage.pins import Units


class SqliteRecall:
    """A ``RecallStore`` in the database of a project's folder; whoever opened that closes it."""

    def __init__(self, database: Units, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def learn(self, session_id: str, start: int, exchanges: Sequence[Exchange]) -> None:
        """Replace what is known of a session from place ``start`` on."""
        kept = [_without_secrets(each, self._redact) for each in exchanges]
        await self._database.write(lambda db: rows.replace_exchanges(db, session_id, start, kept))

    async def reached(self, session_id: str) -> Exchange | None:
        """The last exchange that is known of a session."""
        return await self._database.read(lambda db: rows.last_exchange(db, session_id))

    async def find(self, question: str, limit: int) -> list[Recalled]:
        """The exchanges that fit the words of a question, the best first."""
        return await self._database.read(lambda db: rows.find_exchanges(db, question, limit))


class InMemoryRecall:
    """A ``RecallStore`` that forgets everything with its process: the same rows in no file."""

    def __init__(self, redact: Redactor) -> None:
        self._redact = redact
        self._opened: sqlite3.Connection | None = None

    async def learn(self, session_id: str, start: int, exchanges: Sequence[Exchange]) -> None:
        """Replace what is known of a session from place ``start`` on."""
        kept = [_without_secrets(each, self._redact) for each in exchanges]
        rows.replace_exchanges(self._connection, session_id, start, kept)

    async def reached(self, session_id: str) -> Exchange | None:
        """The last exchange that is known of a session."""
        return rows.last_exchange(self._connection, session_id)

    async def find(self, question: str, limit: int) -> list[Recalled]:
        """The exchanges that fit the words of a question, the best first."""
        return rows.find_exchanges(self._connection, question, limit)

    def forget(self, session_id: str) -> None:
        """A session was deleted."""
        rows.forget_session(self._connection, session_id)

    def close(self) -> None:
        """Forget everything."""
        if self._opened is not None:
            self._opened.close()

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = sqlite3.connect(":memory:", isolation_level=None)
            for statement in rows.RECALL_TABLES:
                self._opened.execute(statement)
        return self._opened


def _without_secrets(exchange: Exchange, redact: Redactor) -> Exchange:
    return replace(
        exchange, asked=redact(clean(exchange.asked)), concluded=redact(clean(exchange.concluded))
    )

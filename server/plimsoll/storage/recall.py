"""The exchanges in the sessions of one project, as rows with a full-text index."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.log.messages import clean
from plimsoll.memory.ranking import POSTINGS, expression, quote_word
from plimsoll.storage.base import Exchange, Recalled, Redactor
from plimsoll.storage.database.units import Database
from plimsoll.text.terms import helper_words, search_terms

_INSERT = """
INSERT INTO exchanges (session_id, place, at, asked, concluded, names) VALUES (?, ?, ?, ?, ?, ?)
"""
_PUT_IN = """
INSERT INTO exchange_texts (rowid, asked, concluded, names) VALUES (?, ?, ?, ?)
"""
_TAKE_OUT = """
INSERT INTO exchange_texts (exchange_texts, rowid, asked, concluded, names)
SELECT 'delete', key, asked, concluded, names FROM exchanges
WHERE session_id = ? AND place >= ? AND asked != ''
"""
_DELETE = "DELETE FROM exchanges WHERE session_id = ? AND place >= ? AND asked != ''"
_LAST = """
SELECT place, at, asked, concluded FROM exchanges WHERE session_id = ? ORDER BY place DESC LIMIT 1
"""
_COUNT = """
SELECT count(*) FROM (SELECT 1 FROM exchange_texts WHERE exchange_texts MATCH ? LIMIT ?)
"""
_FIND = """
SELECT said.session_id, sessions.title, said.place, said.at, said.asked, said.concluded
FROM exchange_texts JOIN exchanges AS said ON said.key = exchange_texts.rowid
JOIN sessions ON sessions.id = said.session_id
WHERE exchange_texts MATCH ? ORDER BY bm25(exchange_texts, 1.0, 1.0, 0.6), said.key DESC LIMIT ?
"""


class SqliteRecall:
    """A ``RecallStore`` in a project's database, which its opener closes."""

    def __init__(self, database: Database, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def replace_exchanges(
        self, session_id: str, start: int, exchanges: Sequence[Exchange]
    ) -> None:
        """Replace the indexed exchanges of a session from index ``start`` on."""
        kept = [_without_secrets(each, self._redact) for each in exchanges]
        await self._database.write(lambda db: replace_exchanges(db, session_id, start, kept))

    async def last_exchange(self, session_id: str) -> Exchange | None:
        """Read the last indexed exchange of a session."""
        return await self._database.read(lambda db: select_last_exchange(db, session_id))

    async def find(self, question: str, limit: int) -> list[Recalled]:
        """Search the exchanges for the words of a question, best match first."""
        return await self._database.read(lambda db: find_exchanges(db, question, limit))


def replace_exchanges(
    connection: sqlite3.Connection, session_id: str, start: int, exchanges: Sequence[Exchange]
) -> None:
    """Replace the indexed exchanges of a session from index ``start`` on."""
    connection.execute(_TAKE_OUT, (session_id, start))
    connection.execute(_DELETE, (session_id, start))
    for each in exchanges:
        _insert(connection, session_id, each)


def select_last_exchange(connection: sqlite3.Connection, session_id: str) -> Exchange | None:
    """Read the last exchange of a session."""
    row = connection.execute(_LAST, (session_id,)).fetchone()
    return Exchange(*row) if row else None


def find_exchanges(connection: sqlite3.Connection, question: str, limit: int) -> list[Recalled]:
    """Search the exchanges for the words of a question, best match first."""
    terms = search_terms(question)
    query = expression([(term, _count(connection, term)) for term in terms])
    if query is None:
        return []
    rows = connection.execute(_FIND, (query, limit))
    return [Recalled(session, title, Exchange(*rest)) for session, title, *rest in rows]


def forget_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Remove the exchanges of a session, also from the pages of the index."""
    replace_exchanges(connection, session_id, 0, ())
    connection.execute("DELETE FROM exchanges WHERE session_id = ?", (session_id,))
    # Without it the index would keep the words until it happens to be merged.
    connection.execute("INSERT INTO exchange_texts (exchange_texts) VALUES ('optimize')")


def _without_secrets(exchange: Exchange, redact: Redactor) -> Exchange:
    return replace(
        exchange, asked=redact(clean(exchange.asked)), concluded=redact(clean(exchange.concluded))
    )


def _insert(connection: sqlite3.Connection, session_id: str, each: Exchange) -> None:
    names = helper_words(f"{each.asked}\n{each.concluded}")
    texts = (each.asked, each.concluded, names)
    added = connection.execute(_INSERT, (session_id, each.index, each.at, *texts))
    if each.asked:
        connection.execute(_PUT_IN, (added.lastrowid, *texts))


def _count(connection: sqlite3.Connection, term: str) -> int:
    return int(connection.execute(_COUNT, (quote_word(term), POSTINGS + 1)).fetchone()[0])

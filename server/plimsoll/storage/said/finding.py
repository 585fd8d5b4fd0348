"""SQL that finds sessions by their titles and messages."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from plimsoll.context.log.entries import Said
from plimsoll.context.log.serialization import decode
from plimsoll.context.log.traits import Tools
from plimsoll.storage.base import SaidQuery
from plimsoll.storage.said.index import mark, stretches
from plimsoll.storage.said.words import match_of
from plimsoll.text.terms import has_all

Rows = tuple[int, int]
"""The first and last row of entries that may match."""
Candidate = tuple[int, Sequence[Rows]]
"""The key of a session, and the ranges of rows to read."""
_ESCAPED = frozenset('"\\')
_LAST_ROW = 2**63 - 1
_EVERYWHERE: Rows = (0, _LAST_ROW)

_SESSIONS = "SELECT key, title FROM sessions WHERE key NOT IN (SELECT session FROM agents)"
# The plus keeps SQLite from reading the sessions of all rows in their order.
_BEHIND = """
SELECT session, min(rowid) FROM entries
WHERE rowid > ? AND session NOT IN (SELECT session FROM agents) GROUP BY +session
"""
_NEWEST = "SELECT rowid FROM entries WHERE session = ? ORDER BY place DESC LIMIT 1"
_BODIES = "SELECT body FROM entries WHERE session = ? AND rowid BETWEEN ? AND ?"


def find_titled(connection: sqlite3.Connection, query: SaidQuery) -> list[int]:
    """Find the sessions whose title matches, the most recently written first."""
    plain = _plain(query.words)
    rows = connection.execute(f"{_SESSIONS} AND {_holds('title', plain)}", plain)
    return _newest_first(connection, [key for key, title in rows if query.titled(title)])


def candidates(connection: sqlite3.Connection, query: SaidQuery) -> list[Candidate]:
    """Find the sessions that may have the words, the most recently written first.

    Those where the index has the words, and those not indexed yet; all if the index cannot tell.
    """
    match, done = match_of(query.words), mark(connection)
    if match is None or not done:
        found = {key: [_EVERYWHERE] for key, _ in connection.execute(_SESSIONS)}
    else:
        found = _indexed_rows(connection, match)
        for key, first in connection.execute(_BEHIND, (done,)):
            found.setdefault(key, []).append((first, _LAST_ROW))
    return [(key, sorted(found[key], reverse=True)) for key in _newest_first(connection, found)]


def newest_said(
    connection: sqlite3.Connection, candidate: Candidate, query: SaidQuery, tools: Tools
) -> Said | None:
    """Read the newest matching message of a session."""
    entries = (decode(body, tools) for body in _bodies(connection, candidate, query.words))
    return next((each for each in entries if isinstance(each, Said) and query.said(each)), None)


def _indexed_rows(connection: sqlite3.Connection, match: str) -> dict[int, list[Rows]]:
    found: dict[int, list[Rows]] = {}
    for session, first, last in stretches(connection, match):
        found.setdefault(session, []).append((first, last))
    return found


def _newest_first(
    connection: sqlite3.Connection, sessions: Sequence[int] | Mapping[int, object]
) -> list[int]:
    """Sort sessions by the rows of their last entries; empty ones by creation, newest first."""

    def row(session: int) -> int:
        found = connection.execute(_NEWEST, (session,)).fetchone()
        return int(found[0]) if found else 0

    return sorted(sessions, key=lambda session: (row(session), session), reverse=True)


def _bodies(
    connection: sqlite3.Connection, candidate: Candidate, words: Sequence[str]
) -> Iterator[str]:
    """Yield the JSON of the entries that may have all of these words, newest first."""
    session, places = candidate
    plain = _plain(words)
    statement = f"{_BODIES} AND {_holds('body', plain)} ORDER BY place DESC"
    for first, last in places:
        for (body,) in connection.execute(statement, (session, first, last, *plain)):
            if has_all(body, plain):
                yield body


def _holds(column: str, plain: Sequence[str]) -> str:
    """Write the SQL condition that a text may have these words.

    SQLite folds only ASCII, and 19 other characters fold to ASCII letters (``ß``, ``ﬁ``, the Kelvin
    sign): a text with more than ASCII always passes.
    """
    each = " AND ".join([f"instr(lower({column}), ?)"] * len(plain)) or "1"
    return f"(({each}) OR length(CAST({column} AS BLOB)) > length({column}))"


def _plain(words: Sequence[str]) -> list[str]:
    """Return the words that are spelled the same in JSON."""
    return [
        word for word in words if word.isascii() and word.isprintable() and not _ESCAPED & {*word}
    ]

"""The index of messages, built in pieces after searches, in the order of the entries' rows.

It covers all entries up to a mark and none after it; searches read those directly. A stretch is
what one piece has indexed of one session. Nothing depends on the index: if its mark does not fit
the entries (another program has renumbered the rows) or another version of Unicode folds the words,
it counts as empty and is rebuilt.
"""

import sqlite3
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from plimsoll.context.log.entries import Said, spoken_text
from plimsoll.context.log.serialization import decode
from plimsoll.errors import LogInvalid
from plimsoll.storage.said.words import indexed_text

PIECE = 200
"""Entries that are indexed at once: 20 ms of work hardly delay the next reader."""
_CHARACTERS = 400_000
"""Characters of a piece; the entry that reaches it is the last."""
_OF_A_TOOL = '"role":"tool"'
"""Marks the entry of a tool: JSON strings escape quotes, so no other entry contains it."""

_MARK = """
SELECT entry FROM said_mark AS mark JOIN entries
  ON entries.rowid = entry AND entries.session = mark.session AND entries.place = mark.place
WHERE unicode = ?
"""
_SET_MARK = """
INSERT INTO said_mark (entry, session, place, unicode)
SELECT rowid, session, place, ?3 FROM entries WHERE rowid <= ?1 AND session IS NOT ?2
ORDER BY rowid DESC LIMIT 1
"""
_BEHIND = "SELECT rowid, session, body FROM entries WHERE rowid > ? ORDER BY rowid LIMIT ?"
_STRETCH = "INSERT INTO said_stretches (session, first, last) VALUES (?, ?, ?)"
_PUT_IN = "INSERT INTO said_texts (rowid, words) VALUES (?, ?)"
_TAKE_OUT = "INSERT INTO said_texts (said_texts, rowid, words) VALUES ('delete', ?, ?)"
_OF_SESSION = "SELECT key, first, last FROM said_stretches WHERE session = ?"
_BODIES = "SELECT body FROM entries WHERE session = ? AND rowid BETWEEN ? AND ? ORDER BY rowid"
_FIND = """
SELECT stretch.session, stretch.first, stretch.last
FROM said_texts JOIN said_stretches AS stretch ON stretch.key = said_texts.rowid
WHERE said_texts MATCH ? AND stretch.session NOT IN (SELECT session FROM agents)
"""


@dataclass(slots=True)
class _Stretch:
    first: int
    last: int
    texts: list[str]


def mark(connection: sqlite3.Connection) -> int:
    """Read the mark: the row number of the last indexed entry; 0 if no entry is indexed."""
    row = connection.execute(_MARK, (unicodedata.unidata_version,)).fetchone()
    return int(row[0]) if row else 0


def rows_behind(connection: sqlite3.Connection) -> int:
    """Tell how many rows may have been added since the mark."""
    last = connection.execute("SELECT max(rowid) FROM entries").fetchone()[0]
    return int(last or 0) - mark(connection)


def stretches(connection: sqlite3.Connection, match: str) -> Iterator[tuple[int, int, int]]:
    """Yield the matches of an expression, each as a session and its first and last row."""
    yield from connection.execute(_FIND, (match,))


def index_piece(connection: sqlite3.Connection) -> int:
    """Index the next entries; return how many rows may be left."""
    done = mark(connection)
    if not done:
        _empty(connection)
    found: defaultdict[int, _Stretch] = defaultdict(lambda: _Stretch(0, 0, []))
    characters, last = 0, done
    for row, session, body in connection.execute(_BEHIND, (done, PIECE)):
        stretch = found[session]
        stretch.first, stretch.last, last = stretch.first or row, row, row
        stretch.texts += _spoken_texts(body)
        characters += len(body)
        if characters >= _CHARACTERS:
            break
    for session, stretch in found.items():
        _add_stretch(connection, session, stretch)
    if last > done:
        _set_mark(connection, last)
    return rows_behind(connection)


def forget_said(connection: sqlite3.Connection, session: int) -> None:
    """Remove a session before it is deleted, also from the pages of the index."""
    done = mark(connection)
    if not done:
        _empty(connection)
        return
    held = connection.execute(_OF_SESSION, (session,)).fetchall()
    for key, first, last in held:
        bodies = connection.execute(_BODIES, (session, first, last))
        texts = (text for (body,) in bodies for text in _spoken_texts(body))
        connection.execute(_TAKE_OUT, (key, indexed_text(texts)))
    connection.execute("DELETE FROM said_stretches WHERE session = ?", (session,))
    if held:
        # Without it the index would keep the words until it happens to be merged.
        connection.execute("INSERT INTO said_texts (said_texts) VALUES ('optimize')")
    # The rows of what goes are given again to what comes next.
    _set_mark(connection, done, session)


def _add_stretch(connection: sqlite3.Connection, session: int, stretch: _Stretch) -> None:
    words = indexed_text(stretch.texts)
    if words:
        added = connection.execute(_STRETCH, (session, stretch.first, stretch.last))
        connection.execute(_PUT_IN, (added.lastrowid, words))


def _set_mark(connection: sqlite3.Connection, entry: int, without: int | None = None) -> None:
    connection.execute("DELETE FROM said_mark")
    connection.execute(_SET_MARK, (entry, without, unicodedata.unidata_version))


def _empty(connection: sqlite3.Connection) -> None:
    if connection.execute("SELECT 1 FROM said_stretches LIMIT 1").fetchone():
        connection.execute("DELETE FROM said_stretches")
        connection.execute("INSERT INTO said_texts (said_texts) VALUES ('delete-all')")
    connection.execute("DELETE FROM said_mark")


def _spoken_texts(body: str) -> list[str]:
    """Return the texts of a person or the model in an entry; empty if it does not decode."""
    if _OF_A_TOOL in body:
        return []
    try:
        entry = decode(body)
    except LogInvalid:
        return []
    return [spoken_text(entry)] if isinstance(entry, Said) else []

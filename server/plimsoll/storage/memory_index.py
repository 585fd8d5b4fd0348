"""The full-text index of memories: what stands in it, and how it is asked."""

import sqlite3
from collections.abc import Sequence

from plimsoll.memory.ranking import (
    CONTEXT_WEIGHT,
    HELPER_WEIGHT,
    POSTINGS,
    TITLE_WEIGHT,
    expression,
    quoted,
)
from plimsoll.memory.terms import helper_words, search_terms

SPAN = 2
"""Notes on each side of a memory that make up its context: wider measured no better."""
_LONGEST_NEIGHBOUR = 1_000
"""Characters of a note that count as context of another."""
CANDIDATES = 60
"""Best memories by words that are weighed by everything else."""

_RANK = f"bm25({TITLE_WEIGHT}, 1.0, {CONTEXT_WEIGHT}, {HELPER_WEIGHT})"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM memory_texts WHERE memory_texts MATCH ? LIMIT ?)"
_FIND = """
SELECT rowid, rank FROM memory_texts WHERE memory_texts MATCH ? AND rank MATCH ?
ORDER BY rank LIMIT ?
"""
_TAKE_OUT = """
INSERT INTO memory_texts (memory_texts, rowid, title, content, context, names)
SELECT 'delete', key, title, content, context, names FROM memories WHERE key = ?
"""
_PUT_IN = """
INSERT INTO memory_texts (rowid, title, content, context, names)
SELECT key, title, content, context, names FROM memories WHERE key = ?
"""
_BEFORE = """
SELECT key, title, content FROM memories
WHERE origin = ? AND key < ? AND state IN ('active', 'stale') ORDER BY key DESC LIMIT ?
"""
_AFTER = """
SELECT key, title, content FROM memories
WHERE origin = ? AND key > ? AND state IN ('active', 'stale') ORDER BY key LIMIT ?
"""
Row = tuple[int, str, str]


def candidates(connection: sqlite3.Connection, question: str) -> list[tuple[int, float]]:
    """Keys of the memories that fit the words best, with scores above zero."""
    terms = search_terms(question)
    query = expression([(term, _count(connection, term)) for term in terms])
    if query is None:
        return []
    rows = connection.execute(_FIND, (query, _RANK, CANDIDATES))
    return [(int(key), -float(rank)) for key, rank in rows]


def take_out(connection: sqlite3.Connection, key: int) -> None:
    """Remove a memory from the index; its row must still be as it was put in."""
    connection.execute(_TAKE_OUT, (key,))


def put_in(connection: sqlite3.Connection, key: int, origin: str | None) -> None:
    """Put a memory with its neighbours' text into the index."""
    row = connection.execute("SELECT title, content FROM memories WHERE key = ?", (key,)).fetchone()
    neighbours = [*reversed(_neighbours(connection, _BEFORE, origin, key))]
    neighbours += _neighbours(connection, _AFTER, origin, key)
    connection.execute(
        "UPDATE memories SET context = ?, names = ? WHERE key = ?",
        (_context(neighbours), helper_words(f"{row[0]}\n{row[1]}"), key),
    )
    connection.execute(_PUT_IN, (key,))


def refresh_around(connection: sqlite3.Connection, key: int, origin: str | None) -> None:
    """Bring the neighbours of a memory that came, went or changed up to date."""
    around = _neighbours(connection, _BEFORE, origin, key)
    around += _neighbours(connection, _AFTER, origin, key)
    for neighbour, _, _ in around:
        take_out(connection, neighbour)
        put_in(connection, neighbour, origin)


def rewrite(connection: sqlite3.Connection) -> None:
    """Write the index anew, so that it keeps nothing of what was taken out."""
    connection.execute("INSERT INTO memory_texts (memory_texts) VALUES ('optimize')")


def _count(connection: sqlite3.Connection, term: str) -> int:
    """In how many memories a word stands; counting ends where it would be too common."""
    return int(connection.execute(_COUNT, (quoted(term), POSTINGS + 1)).fetchone()[0])


def _neighbours(
    connection: sqlite3.Connection, query: str, origin: str | None, key: int
) -> list[Row]:
    if origin is None:
        return []
    return connection.execute(query, (origin, key, SPAN)).fetchall()


def _context(neighbours: Sequence[Row]) -> str:
    return "\n".join(f"{title}\n{content}"[:_LONGEST_NEIGHBOUR] for _, title, content in neighbours)

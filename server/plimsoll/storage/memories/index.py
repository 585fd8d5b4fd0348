"""The full-text index of memories: what it contains, and its queries."""

import sqlite3
from collections.abc import Iterator, Sequence

from plimsoll.memory.ranking import (
    CONTEXT_WEIGHT,
    HELPER_WEIGHT,
    POSTINGS,
    PREFIX,
    TITLE_WEIGHT,
    expression,
    quote_word,
)
from plimsoll.memory.types import Memory
from plimsoll.text.terms import helper_words, related_terms, search_terms

SPAN = 2
"""Notes on each side of a memory that are its context: more measured no better."""
LONGEST_NEIGHBOUR = 1_000
"""Characters of a note that count as context of another."""
CANDIDATES = 200
"""How many of the best matches by words are ranked by everything else."""

_COUNT = "SELECT count(*) FROM (SELECT 1 FROM memory_texts WHERE memory_texts MATCH ? LIMIT ?)"
_FIND = """
SELECT rowid, bm25(memory_texts, :title, 1.0, :context, :helper) AS score FROM memory_texts
WHERE memory_texts MATCH :query ORDER BY score, rowid DESC LIMIT :candidates
"""
# Ranking costs by the match. The plus keeps SQLite from asking the index anew for each key.
_FIND_NEWEST = """
WITH newest AS (
  SELECT rowid AS key FROM memory_texts WHERE memory_texts MATCH :query
  ORDER BY rowid DESC LIMIT :most
), titled AS (
  SELECT rowid AS key FROM memory_texts WHERE memory_texts MATCH :titles
  ORDER BY rowid DESC LIMIT :most
)
SELECT rowid, bm25(memory_texts, :title, 1.0, :context, :helper) AS score FROM memory_texts
WHERE memory_texts MATCH :query AND +rowid IN (SELECT key FROM newest UNION SELECT key FROM titled)
ORDER BY score, rowid DESC LIMIT :candidates
"""
_TAKE_OUT = """
INSERT INTO memory_texts (memory_texts, rowid, title, content, context, names)
SELECT 'delete', key, title, content, context, names FROM memories WHERE key = ?
"""
_PUT_IN = """
INSERT INTO memory_texts (rowid, title, content, context, names)
SELECT key, title, content, context, names FROM memories WHERE key = ?
"""
_SURROUND = "UPDATE memories SET context = ?, names = coalesce(?, names) WHERE key = ?"
_BEFORE = """
SELECT key, title, content FROM memories
WHERE origin = ? AND key < ? AND state IN ('active', 'stale') ORDER BY key DESC LIMIT ?
"""
_AFTER = """
SELECT key, title, content FROM memories
WHERE origin = ? AND key > ? AND state IN ('active', 'stale') ORDER BY key LIMIT ?
"""
_KEY = "SELECT key FROM memories WHERE id = ?"
_SHORTEST_PART, _LONGEST_COMPOUND = 2, 24
_SHORTEST_BEGINNING = 5
Row = tuple[int, str, str]


def origin_of(memory: Memory) -> str | None:
    """Return what a memory shares with its neighbours: the file or session it comes from."""
    if memory.source is None or memory.digest:
        return None
    return memory.source.uri or memory.source.session_id


def candidates(
    connection: sqlite3.Connection, question: str, postings: int = POSTINGS
) -> list[tuple[int, float]]:
    """Find the keys of the memories that match the words best, with scores above zero.

    If each word is in more than ``postings`` memories, that many of the newest are ranked, and that
    many of the newest with a word in the title.
    """
    counted = [(term, _count(connection, term, postings)) for term in search_terms(question)]
    related = [(term, _count(connection, term, postings)) for term in related_terms(question)]
    missing = [term for term, count in counted if not count]
    others = other_spellings(missing)
    related += [(other, _count(connection, other, postings)) for other in others]
    query = expression(counted, related, postings)
    if query is None:
        return []
    words = " OR ".join(quote_word(term) for term, _ in (*counted, *related))
    asked = {
        "query": query,
        "titles": f"{{title}} : ({words})",
        "most": postings,
        "candidates": CANDIDATES,
        "title": TITLE_WEIGHT,
        "context": CONTEXT_WEIGHT,
        "helper": HELPER_WEIGHT,
    }
    has_rare = any(0 < count <= postings for _, count in counted)
    rows = connection.execute(_FIND if has_rare else _FIND_NEWEST, asked)
    return [(int(key), -float(rank)) for key, rank in rows]


def neighbours(connection: sqlite3.Connection, memory: Memory) -> list[int]:
    """Find the keys of the notes just before and after a memory."""
    origin = origin_of(memory)
    found = connection.execute(_KEY, (memory.id,)).fetchone()
    if origin is None or found is None:
        return []
    sides = (_BEFORE, _AFTER)
    rows = (connection.execute(side, (origin, found[0], 1)).fetchone() for side in sides)
    return [int(row[0]) for row in rows if row is not None]


def remove_from_index(connection: sqlite3.Connection, key: int) -> None:
    """Remove a memory from the index; its row must be as it was when added."""
    connection.execute(_TAKE_OUT, (key,))


def add_to_index(connection: sqlite3.Connection, key: int, memory: Memory) -> None:
    """Add a memory with its neighbours' text to the index."""
    names = " ".join([helper_words(memory.text), *memory.tags]).strip()
    _add_rows(connection, key, _notes_around(connection, key, origin_of(memory)), names)


def refresh_around(connection: sqlite3.Connection, key: int, memory: Memory) -> None:
    """Update the neighbours of a memory that was added, removed or changed."""
    origin = origin_of(memory)
    for neighbour, _, _ in _notes_around(connection, key, origin):
        remove_from_index(connection, neighbour)
        _add_rows(connection, neighbour, _notes_around(connection, neighbour, origin), None)


def rewrite(connection: sqlite3.Connection) -> None:
    """Rebuild the index, so that it has no trace of removed memories."""
    connection.execute("INSERT INTO memory_texts (memory_texts) VALUES ('optimize')")


def other_spellings(words: Sequence[str]) -> list[str]:
    """List how words that no memory has may be written: split in two, and as prefixes."""
    return [other for word in words for other in (*_split_in_two(word), *_as_prefix(word))]


def _split_in_two(word: str) -> Iterator[str]:
    """Yield a word split in two: ``file name`` may be searched as one word."""
    if word.isascii() and word.isalpha() and len(word) <= _LONGEST_COMPOUND:
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            yield f"{word[:cut]} {word[cut:]}"


def _as_prefix(word: str) -> Iterator[str]:
    """Yield a word as a prefix, to find forms and compounds in languages without stemming."""
    if len(word) >= _SHORTEST_BEGINNING and word.isalpha():
        yield f"{word}{PREFIX}"


def _count(connection: sqlite3.Connection, term: str, postings: int) -> int:
    """Count the memories with a word, up to the limit at which it is too common."""
    return int(connection.execute(_COUNT, (quote_word(term), postings + 1)).fetchone()[0])


def _add_rows(
    connection: sqlite3.Connection, key: int, around: Sequence[Row], names: str | None
) -> None:
    context = "\n".join(f"{title}\n{content}"[:LONGEST_NEIGHBOUR] for _, title, content in around)
    connection.execute(_SURROUND, (context, names, key))
    connection.execute(_PUT_IN, (key,))


def _notes_around(connection: sqlite3.Connection, key: int, origin: str | None) -> list[Row]:
    """Read the notes before and after a memory, in order."""
    if origin is None:
        return []
    before = connection.execute(_BEFORE, (origin, key, SPAN)).fetchall()
    return [*reversed(before), *connection.execute(_AFTER, (origin, key, SPAN))]

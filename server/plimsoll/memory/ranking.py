"""What counts beside the words: class, pin, trust, state and age."""

import itertools
from collections.abc import Iterable, Sequence
from datetime import datetime

from plimsoll.memory.types import Memory, MemoryClass, MemoryMatch, MemoryState, Trust

TITLE_WEIGHT = 1.5
CONTEXT_WEIGHT = 0.35
"""The weight of notes beside a memory: on conversations .35 and .5 are equal, .75 is worse."""
HELPER_WEIGHT = 1.0
"""The weight of parts of names and pairs of characters: they find a part of a name."""

_CLASS = {MemoryClass.PRIORITY: 1.12, MemoryClass.DURABLE: 1.0, MemoryClass.WORKING: 0.92}
_TRUST = {Trust.USER: 1.05, Trust.AGENT: 1.0, Trust.EXTRACTED: 0.97}
_PINNED = 1.12
"""These decide between memories that fit about as well; twice as much costs 9 points of recall at 1
on the benchmark, where they say nothing about the answer."""
_STALE = 0.7
_FRESHNESS = 0.1
"""The most that age can take or give."""
_HALF_LIFE_DAYS = 45.0

POSTINGS = 2_000
"""Rows that a question may touch by its rare words: 1,000 to 8,000 find the same."""
MOST_PAIRS = 3


def weight(memory: Memory, at: str) -> float:
    """Return the factor by which a memory's score in a search is multiplied."""
    days = max(0.0, days_between(memory.alive_at, at))
    fresh = 1 - _FRESHNESS + 2 * _FRESHNESS * 0.5 ** (days / _HALF_LIFE_DAYS)
    pinned = _PINNED if memory.pinned else 1.0
    stale = _STALE if memory.state is MemoryState.STALE else 1.0
    return _CLASS[memory.class_] * _TRUST[memory.trust] * pinned * stale * fresh


def ranked(found: Iterable[tuple[Memory, float]], at: str, limit: int) -> list[MemoryMatch]:
    """Rank what was found by words, with all weights; equal ones the newest first."""
    matches = [MemoryMatch(memory, score * weight(memory, at)) for memory, score in found]
    matches.sort(key=lambda match: (match.score, match.memory.created_at), reverse=True)
    return matches[:limit]


def expression(counted: Sequence[tuple[str, int]], postings: int = POSTINGS) -> str | None:
    """Build the full-text query for words, each with the number of memories that hold it.

    A search costs what it touches, and common words say little: so the rarest words are searched
    as far as ``postings`` rows go. Where all words are common, two neighbours must stand together.
    None: no word is anywhere.
    """
    held = [pair for pair in counted if pair[1] > 0]
    rare: list[str] = []
    touched = 0
    for word, count in sorted(held, key=lambda pair: pair[1]):
        touched += count
        if touched > postings:
            break
        rare.append(word)
    if rare or len(held) < 2:
        return " OR ".join(map(quoted, rare or [word for word, _ in held])) or None
    pairs = itertools.pairwise(word for word, _ in held[: MOST_PAIRS + 1])
    return " OR ".join(f"({quoted(a)} AND {quoted(b)})" for a, b in pairs)


def quoted(word: str) -> str:
    """Quote a word as a string of the query language."""
    return '"' + word.replace('"', '""') + '"'


def days_between(earlier: str, later: str) -> float:
    """Return the days between two RFC 3339 times."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() / 86400

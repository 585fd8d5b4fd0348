"""What counts beside the words: class, pin, trust, state and age."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from plimsoll.memory.types import (
    USUAL_IMPORTANCE,
    Memory,
    MemoryClass,
    MemoryMatch,
    MemoryState,
    Trust,
)
from plimsoll.text.terms import words

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
_IMPORTANCE = 0.04
"""What a step of importance gives or takes: from the first to the last as much as a class does."""
_STALE = 0.7
_FRESHNESS = 0.1
"""The most that age can take or give."""
_HALF_LIFE_DAYS = 45.0
_QUESTION = 0.9
"""A note that asks is seldom the one that answers."""
_NAMED = 1.2
"""A note by or about a person or thing that the question names."""
REACH = 1.3
"""How far apart by words two memories may be so that their weights still decide."""
NEIGHBOUR = 0.7
"""The share of the score of a best match that a note beside it has at least."""
LEADING = 3
"""The best matches whose neighbours join."""
_LONGEST_SPEAKER = 40
"""Characters before a colon that say who speaks, or about what."""

POSTINGS = 2_000
"""Rows that a question may touch by its rare words: 1,000 to 8,000 find the same."""
MOST_PAIRS = 3


def weight(memory: Memory, at: str, named: frozenset[str]) -> float:
    """Return the factor by which a memory's score in a search is multiplied.

    ``named``: the words, folded, that the question writes as names.
    """
    days = max(0.0, days_between(memory.alive_at, at))
    fresh = 1 - _FRESHNESS + 2 * _FRESHNESS * 0.5 ** (days / _HALF_LIFE_DAYS)
    pinned = _PINNED if memory.pinned else 1.0
    stale = _STALE if memory.state is MemoryState.STALE else 1.0
    asking = _QUESTION if memory.text.rstrip().endswith(("?", "\uff1f")) else 1.0
    about = _NAMED if named and not named.isdisjoint(_subject(memory)) else 1.0
    important = 1 + _IMPORTANCE * (memory.weight - USUAL_IMPORTANCE)
    by_kind = _CLASS[memory.class_] * _TRUST[memory.trust] * important
    return by_kind * pinned * stale * fresh * asking * about


def weighed(
    found: Iterable[tuple[Memory, float]], at: str, named: frozenset[str]
) -> Iterator[MemoryMatch]:
    """Yield what was found by words, with all weights."""
    return (MemoryMatch(memory, score * weight(memory, at, named)) for memory, score in found)


def ranked(matches: Iterable[MemoryMatch], limit: int) -> list[MemoryMatch]:
    """Return the best matches, each memory once; equal ones the newest first."""
    order = sorted(matches, key=lambda each: (each.score, each.memory.created_at), reverse=True)
    once: dict[str, MemoryMatch] = {}
    for match in order:
        once.setdefault(match.memory.id, match)
    return list(once.values())[:limit]


def _subject(memory: Memory) -> list[str]:
    """List the words that say who speaks in a memory, or about what it is."""
    speaker, colon, _ = memory.content[: _LONGEST_SPEAKER + 1].partition(":")
    return words(f"{memory.title} {speaker}" if colon else memory.title)


def expression(
    counted: Sequence[tuple[str, int]],
    related: Sequence[tuple[str, int]] = (),
    postings: int = POSTINGS,
) -> str | None:
    """Build the full-text query for words, each with the number of memories that hold it.

    ``related``: what the words may have been written as; it never takes the place of one.

    A search costs what it touches, and common words say little: so the rarest words are searched
    as far as ``postings`` rows go. Where all words are common, two neighbours must stand together.
    None: no word is anywhere.
    """
    held = [pair for pair in counted if pair[1] > 0]
    rare, others = _rarest(held, postings), map(quoted, _rarest(related, postings // 2))
    if rare or len(held) < 2:
        own = map(quoted, rare or [word for word, _ in held])
        return " OR ".join([*own, *others]) or None
    pairs = itertools.pairwise(word for word, _ in held[: MOST_PAIRS + 1])
    return " OR ".join([*(f"({quoted(a)} AND {quoted(b)})" for a, b in pairs), *others])


def _rarest(counted: Sequence[tuple[str, int]], postings: int) -> list[str]:
    """List the rarest words that any memory holds, as far as so many rows go."""
    rare: list[str] = []
    touched = 0
    for word, count in sorted(counted, key=lambda pair: pair[1]):
        touched += count
        if touched > postings:
            break
        if count:
            rare.append(word)
    return rare


PREFIX = "*"
"""Behind a word: it is searched as the beginning of words."""


def quoted(word: str) -> str:
    """Quote a word as a string of the query language."""
    if word.endswith(PREFIX):
        return f"{quoted(word.removesuffix(PREFIX))}{PREFIX}"
    return '"' + word.replace('"', '""') + '"'


def days_between(earlier: str, later: str) -> float:
    """Return the days between two RFC 3339 times."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() / 86400

"""Ranks search results by more than words: class, pin, trust, state and age."""

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
"""The weight of the notes next to a memory: on conversations .35 and .5 are equal, .75 is worse."""
HELPER_WEIGHT = 1.0
"""The weight of parts of names and pairs of characters, which find parts of names."""

_CLASS = {MemoryClass.PRIORITY: 1.12, MemoryClass.DURABLE: 1.0, MemoryClass.WORKING: 0.92}
_TRUST = {Trust.USER: 1.05, Trust.AGENT: 1.0, Trust.TEAM: 1.0, Trust.EXTRACTED: 0.97}
_PINNED = 1.12
"""These weights decide between memories that match about as well; twice as much costs 9 points of
recall at 1 on the benchmark, where they say nothing about the answer."""
_IMPORTANCE = 0.04
"""The weight of one step of importance: all steps together weigh as much as a class."""
_STALE = 0.7
_FRESHNESS = 0.1
"""The most that age can add or subtract."""
_HALF_LIFE_DAYS = 45.0
_QUESTION = 0.9
"""A note that is a question is seldom the answer."""
_NAMED = 1.2
"""The weight of a note by or about a person or thing that the question names."""
REACH = 1.3
"""The largest ratio of word scores at which these weights can still change the order."""
NEIGHBOUR = 0.7
"""The least share of a best match's score for the notes next to it."""
LEADING = 3
"""How many best matches bring in the notes next to them."""
_LONGEST_SPEAKER = 40
"""Characters before a colon that name the speaker or subject."""

POSTINGS = 2_000
"""Index rows that a search may touch for its rare words: 1,000 to 8,000 find the same."""
MOST_PAIRS = 3


def weight(memory: Memory, at: str, named: frozenset[str]) -> float:
    """Return the factor for a memory's score in a search.

    ``named``: the folded words that the question writes as names.
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


def apply_weights(
    found: Iterable[tuple[Memory, float]], at: str, named: frozenset[str]
) -> Iterator[MemoryMatch]:
    """Yield the matches of a word search with all weights applied."""
    return (MemoryMatch(memory, score * weight(memory, at, named)) for memory, score in found)


def rank(matches: Iterable[MemoryMatch], limit: int) -> list[MemoryMatch]:
    """Return the best matches, each memory once; newest first among equals."""
    order = sorted(matches, key=lambda each: (each.score, each.memory.created_at), reverse=True)
    once: dict[str, MemoryMatch] = {}
    for match in order:
        once.setdefault(match.memory.id, match)
    return list(once.values())[:limit]


def _subject(memory: Memory) -> list[str]:
    """List the words that name the speaker or subject of a memory."""
    speaker, colon, _ = memory.content[: _LONGEST_SPEAKER + 1].partition(":")
    return words(f"{memory.title} {speaker}" if colon else memory.title)


def expression(
    counted: Sequence[tuple[str, int]],
    related: Sequence[tuple[str, int]] = (),
    postings: int = POSTINGS,
) -> str | None:
    """Write the `alternatives` as a query of FTS5; None if no memory has any of the words."""
    chosen = alternatives(counted, related, postings)
    return " OR ".join(_all_of(each) for each in chosen) or None


def alternatives(
    counted: Sequence[tuple[str, int]],
    related: Sequence[tuple[str, int]] = (),
    postings: int = POSTINGS,
) -> list[tuple[str, ...]]:
    """Choose which words to search for: a memory is found if it has all words of one alternative.

    ``counted``: the words of the question, each with the number of memories that have it.
    ``related``: other spellings of the words; they never replace one.

    The cost of a search is the rows it touches, and common words say little: so the rarest words
    are searched up to ``postings`` rows. If all words are common, two adjacent ones must occur.
    """
    held = [pair for pair in counted if pair[1] > 0]
    rare = _rarest(held, postings)
    others = [(word,) for word in _rarest(related, postings // 2)]
    if rare or len(held) < 2:
        return [*((word,) for word in rare or [word for word, _ in held]), *others]
    return [*itertools.pairwise(word for word, _ in held[: MOST_PAIRS + 1]), *others]


def _all_of(words: Sequence[str]) -> str:
    joined = " AND ".join(map(quote_word, words))
    return f"({joined})" if len(words) > 1 else joined


def _rarest(counted: Sequence[tuple[str, int]], postings: int) -> list[str]:
    """List the rarest words that occur, up to so many rows in all."""
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
"""After a word: search for words that begin with it."""


def quote_word(word: str) -> str:
    """Quote a word as a string of the query language."""
    if word.endswith(PREFIX):
        return f"{quote_word(word.removesuffix(PREFIX))}{PREFIX}"
    return '"' + word.replace('"', '""') + '"'


def days_between(earlier: str, later: str) -> float:
    """Return the days between two RFC 3339 times."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() / 86400

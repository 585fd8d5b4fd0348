"""Compares the meaning of two texts by their words and the order of them.

Order counts: "use pnpm, not npm" has the same words as its opposite.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from plimsoll.text.terms import content_words

SAME = 0.85
"""The share of common words from which two notes say the same."""
SAID = 0.85
"""The share of its words from which a paragraph says what a note says."""
MOST_SENTENCES = 3
"""How many consecutive sentences may make one statement."""

Words = tuple[str, ...]
"""The stems of the content words, in order."""

_DENIALS = frozenset(
    {"no", "not", "never", "none", "nothing", "without", "cannot", "can't", "don't", "won't"}
    | {"doesn't", "isn't", "aren't", "mustn't", "shouldn't", "stop", "avoid", "nor", "instead"}
)
_AFFIRMATIONS = frozenset({"always", "yes", "must", "should", "every"})
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_LEAST_STEM = 4


def said_words(text: str) -> Words:
    """Return the stems of the content words of a text."""
    return tuple(map(_stem, content_words(text)))


def say_the_same(one: Words, other: Words) -> bool:
    """Tell whether two notes have nearly equal words in order, and equal numbers and negations."""
    common = set(one) & set(other)
    return (
        bool(common)
        and len(common) / len({*one, *other}) >= SAME
        and _pivots(one) == _pivots(other)
        and _in_order(one, other, common)
    )


def claim_of(text: str) -> tuple[Words, bool]:
    """Return a note's subject, and whether the note denies it ("never", but not "always")."""
    words = said_words(text)
    about = tuple(word for word in words if word not in _DENIALS and word not in _AFFIRMATIONS)
    return about, bool(_denials(words))


def said_in(text: str, documents: Iterable[str]) -> bool:
    """Tell whether a paragraph of the documents contains the statement of a text."""
    wanted = said_words(text)
    return bool(wanted) and any(
        _covers(said_words(paragraph), wanted)
        for document in documents
        for paragraph in _PARAGRAPH.split(document)
    )


def is_grounded(text: str, sentences: Sequence[str]) -> bool:
    """Tell whether consecutive sentences have all words of a text in order, with its negations."""
    wanted = said_words(text)
    return bool(wanted) and any(
        _holds(window, wanted) and _denials(window) == _denials(wanted)
        for window in _windows([said_words(sentence) for sentence in sentences])
    )


def _windows(sentences: Sequence[Words]) -> Iterator[Words]:
    for start in range(len(sentences)):
        for end in range(start + 1, min(start + MOST_SENTENCES, len(sentences)) + 1):
            yield tuple(word for words in sentences[start:end] for word in words)


def _holds(words: Words, wanted: Words) -> bool:
    """Tell whether the wanted words occur among the words, in the same order."""
    rest = iter(words)
    return all(word in rest for word in wanted)


def _covers(paragraph: Words, wanted: Words) -> bool:
    common = set(paragraph) & set(wanted)
    share = len(common) / len(set(wanted))
    return (
        share >= SAID
        and bool(_denials(paragraph)) == bool(_denials(wanted))
        and _in_order(paragraph, wanted, common)
    )


def _in_order(one: Words, other: Words, common: set[str]) -> bool:
    """Tell whether the common words occur first in the same order in both."""
    first, second = (dict.fromkeys(w for w in words if w in common) for words in (one, other))
    return list(first) == list(second)


def _denials(words: Words) -> frozenset[str]:
    return _DENIALS.intersection(words)


def _pivots(words: Words) -> frozenset[str]:
    """Return the words that can reverse the meaning: numbers and negations."""
    numbers = {word for word in words if any(char.isdigit() for char in word)}
    return frozenset(numbers | ({"not"} if _denials(words) else set()))


def _stem(word: str) -> str:
    if word in _DENIALS or word in _AFFIRMATIONS:
        return word
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST_STEM:
            return word.removesuffix(suffix)
    return word

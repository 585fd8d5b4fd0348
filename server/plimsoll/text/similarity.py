"""How much two texts say the same, by their words and the order of them.

Order counts: "use pnpm, not npm" has the words of its opposite.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from plimsoll.text.terms import content_words

SAME = 0.85
"""From this share of common words two notes say the same."""
SAID = 0.85
"""From this share of its words a note is said by a paragraph."""
MOST_SENTENCES = 3
"""Sentences in a row by which one statement may be made."""

Words = tuple[str, ...]
"""The stems of the words that carry meaning, in their order."""

_DENIALS = frozenset(
    {"no", "not", "never", "none", "nothing", "without", "cannot", "can't", "don't", "won't"}
    | {"doesn't", "isn't", "aren't", "mustn't", "shouldn't", "stop", "avoid", "nor", "instead"}
)
_AFFIRMATIONS = frozenset({"always", "yes", "must", "should", "every"})
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_LEAST_STEM = 4


def said_words(text: str) -> Words:
    """Return the stems of the words that carry meaning."""
    return tuple(map(_stem, content_words(text)))


def say_the_same(one: Words, other: Words) -> bool:
    """Tell whether two notes say the same: nearly the same words in order, numbers and denials."""
    common = set(one) & set(other)
    return (
        bool(common)
        and len(common) / len({*one, *other}) >= SAME
        and _pivots(one) == _pivots(other)
        and _in_order(one, other, common)
    )


def claim_of(text: str) -> tuple[Words, bool]:
    """Return what a note is about and if it denies it: "always" and "never" make one claim."""
    words = said_words(text)
    about = tuple(word for word in words if word not in _DENIALS and word not in _AFFIRMATIONS)
    return about, bool(_denials(words))


def said_in(text: str, documents: Iterable[str]) -> bool:
    """Tell whether a paragraph of the documents already says what the text says."""
    wanted = said_words(text)
    return bool(wanted) and any(
        _covers(said_words(paragraph), wanted)
        for document in documents
        for paragraph in _PARAGRAPH.split(document)
    )


def grounded(text: str, sentences: Sequence[str]) -> bool:
    """Tell whether sentences in a row hold all words of a text in order, with its denials."""
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
    """Tell whether the wanted words stand among the words, in the same order."""
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
    """Tell whether the common words first stand in the same order in both."""
    first, second = (dict.fromkeys(w for w in words if w in common) for words in (one, other))
    return list(first) == list(second)


def _denials(words: Words) -> frozenset[str]:
    return _DENIALS.intersection(words)


def _pivots(words: Words) -> frozenset[str]:
    """Return the words of which one turns the meaning: numbers, and whether it is denied."""
    numbers = {word for word in words if any(char.isdigit() for char in word)}
    return frozenset(numbers | ({"not"} if _denials(words) else set()))


def _stem(word: str) -> str:
    if word in _DENIALS or word in _AFFIRMATIONS:
        return word
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST_STEM:
            return word.removesuffix(suffix)
    return word

"""How much two texts say the same, by their words."""

import re
from collections.abc import Iterable, Sequence

from plimsoll.memory.terms import content_words

SAME = 0.85
"""From this share of common words two notes say the same."""
SAID = 0.85
"""From this share of its words a note is said by a paragraph."""

_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "nothing", "without", "cannot", "can't", "don't", "won't"}
    | {"doesn't", "isn't", "aren't", "mustn't", "shouldn't", "stop", "avoid", "nor"}
)
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_LEAST_STEM = 4


def said_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(map(_stem, content_words(text)))


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two notes say the same: nearly the same words, numbers and denials."""
    if not one or not other or _pivots(one) != _pivots(other):
        return False
    return len(one & other) / len(one | other) >= SAME


def said_in(text: str, documents: Iterable[str]) -> bool:
    """Whether a paragraph of the documents already says what the text says."""
    wanted = said_words(text)
    return bool(wanted) and any(
        _covers(said_words(paragraph), wanted)
        for document in documents
        for paragraph in _PARAGRAPH.split(document)
    )


def grounded(text: str, sources: Sequence[str]) -> bool:
    """Whether one source holds every meaning word of a text, and denies as the text does."""
    wanted = said_words(text)
    return bool(wanted) and any(wanted <= said_words(source) for source in sources)


def _pivots(said: frozenset[str]) -> frozenset[str]:
    """The words of which one turns the meaning: numbers, and whether something is denied."""
    numbers = {word for word in said if any(char.isdigit() for char in word)}
    return frozenset(numbers | ({"not"} if said & _NEGATIONS else set()))


def _covers(paragraph: frozenset[str], wanted: frozenset[str]) -> bool:
    if bool(paragraph & _NEGATIONS) != bool(wanted & _NEGATIONS):
        return False
    return len(paragraph & wanted) / len(wanted) >= SAID


def _stem(word: str) -> str:
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST_STEM:
            return word.removesuffix(suffix)
    return word

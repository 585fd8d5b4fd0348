"""The rank of a text by its words, as SQLite's ``bm25`` computes it: the same order everywhere."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SATURATION, _LENGTH = 1.2, 0.75
"""`k1` and `b` of Okapi BM25, as FTS5 has them."""
_LEAST = 1e-6
"""The weight of a phrase that stands in more than half of all texts."""

Places = Mapping[int, str]
"""Where a stem stands in a text, and the label of the column that it stands in there."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a search: stems that must stand side by side in one column of a text."""

    stems: tuple[str, ...]
    is_beginning: bool = False
    """Whether the last of them is only the beginning of a stem."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is scored for a question: its length, and the places of the question's stems."""

    length: int
    """In stems, of all its columns."""
    places: Mapping[str, Places]
    """By stem, those that the question asks for."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The number of all indexed texts, and their mean length in stems."""

    texts: int
    mean_length: float


def inverse_frequency(corpus: Corpus, holding: int) -> float:
    """Return the weight of a phrase by the number of texts that contain it."""
    weight = math.log((corpus.texts - holding + 0.5) / (holding + 0.5))
    return weight if weight > 0 else _LEAST


def score(
    text: Text,
    phrases: Sequence[tuple[Phrase, float]],
    columns: Mapping[str, float],
    corpus: Corpus,
) -> float:
    """Score a text for phrases, each with its inverse frequency; a higher score is better.

    ``columns``: the weight of a word in each column, by the column's label.
    """
    share = text.length / (corpus.mean_length or 1.0)
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * share)
    total = 0.0
    for phrase, weight in phrases:
        often = sum(columns[label] for label in _labels(phrase, text.places))
        total += weight * often * (_SATURATION + 1) / (often + norm)
    return total


def _labels(phrase: Phrase, places: Mapping[str, Places]) -> list[str]:
    """List the column labels of a phrase's occurrences in a text, one for each occurrence."""
    each = [_places_of(phrase, number, places) for number in range(len(phrase.stems))]
    return [
        label
        for place, label in each[0].items()
        if all(found.get(place + number) == label for number, found in enumerate(each))
    ]


def _places_of(phrase: Phrase, number: int, places: Mapping[str, Places]) -> Places:
    stem = phrase.stems[number]
    if not (phrase.is_beginning and number == len(phrase.stems) - 1):
        return places.get(stem, {})
    begun = (found for other, found in places.items() if other.startswith(stem))
    return {place: label for found in begun for place, label in found.items()}

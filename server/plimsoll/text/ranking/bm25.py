"""Ranks named things by the words of a question, such as tools by what they do.

BM25 over fields of different weight: a word in a name says more than one in a description. Words
count by their stems; a word that no text holds is matched by its beginning.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.text.ranking.related import RELATED_STEMS
from plimsoll.text.rule_parts import stem_of
from plimsoll.text.terms import STOP_WORDS, fold, related_terms, split_name, words

SATURATION, LENGTH_SHARE = 1.2, 0.6
"""BM25's k1 and b."""
SHORTEST_BEGINNING = 4
"""Characters of a stem by which longer words are found."""
BEGINNING_COUNTS = 0.5
RELATED_COUNTS = 0.6
"""What a match by a beginning, and one of a related word, counts beside an exact one."""


_ACRONYMS = re.compile(r"\b([A-Z]{2,})s\b")
"""``PRs``, whose plural no stem takes off."""


@dataclass(frozen=True, slots=True)
class RankedThing:
    """A thing that is ranked: its name, and texts about it with the weight of each."""

    name: str
    texts: Sequence[tuple[str, float]]


class Ranking:
    """The words of named things, looked at once."""

    def __init__(self, things: Iterable[RankedThing]) -> None:
        kept = list(things)
        self._names = [fold(thing.name) for thing in kept]
        self._counts = [_weigh(thing) for thing in kept]
        lengths = [sum(counts.values()) for counts in self._counts]
        self._usual = sum(lengths) / max(1, len(lengths))
        self._lengths = lengths
        self._holding = Counter(stem for counts in self._counts for stem in counts)

    def best(self, question: str, most: int) -> list[int]:
        """Return the places of the things that fit a question, the best first."""
        exact = self._exact(question)
        scores = self.scores(question)
        rest = sorted((n for n in scores if n not in exact), key=lambda n: (-scores[n], n))
        return [*exact, *rest][:most]

    def scores(self, question: str) -> dict[int, float]:
        """Return how well things fit a question, by their places; what does not fit is left out."""
        scores: dict[int, float] = {}
        for stem, counts in self._weigh_stems(question).items():
            for place, score in self._matches(stem):
                scores[place] = scores.get(place, 0.0) + counts * score
        return scores

    def _exact(self, question: str) -> list[int]:
        """Return the things that a question names; first those whose name is all of it."""
        asked = fold(question)
        whole = asked.strip(" \t\n`'\".,:;?!()")
        said = {word.strip("`'\".,:;?!()") for word in asked.split()}
        places = range(len(self._names))
        same = [n for n in places if self._names[n] == whole]
        return same + [n for n in places if self._names[n] in said and n not in same]

    def _weigh_stems(self, question: str) -> Mapping[str, float]:
        """Return the stems of a question's words, with the weight of each."""
        asked: dict[str, float] = {}
        said = _stems(question)
        for stem in said:
            asked[stem] = 1.0
        for stem in map(stem_of, related_terms(question)):
            asked.setdefault(stem, RELATED_COUNTS)
        for stem in said:
            for other in RELATED_STEMS.get(stem, ()):
                asked.setdefault(other, RELATED_COUNTS)
        return asked

    def _matches(self, stem: str) -> Iterable[tuple[int, float]]:
        if stem in self._holding:
            yield from self._score(stem, 1.0)
            return
        if len(stem) < SHORTEST_BEGINNING:
            return
        for longer in [each for each in self._holding if each.startswith(stem)]:
            yield from self._score(longer, BEGINNING_COUNTS)

    def _score(self, stem: str, counts: float) -> Iterable[tuple[int, float]]:
        holding, total = self._holding[stem], len(self._counts)
        rarity = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
        for place, found in enumerate(self._counts):
            often = found.get(stem, 0.0)
            if often:
                share = self._lengths[place] / self._usual if self._usual else 1.0
                norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * share)
                yield place, counts * rarity * often * (SATURATION + 1) / (often + norm)


def _weigh(thing: RankedThing) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for text, weight in thing.texts:
        for stem in _all_stems(text):
            found[stem] = found.get(stem, 0.0) + weight
    return found


def _stems(text: str) -> list[str]:
    return list(dict.fromkeys(_all_stems(text)))


def _all_stems(text: str) -> Iterable[str]:
    for word in _ACRONYMS.sub(r"\1", text).split():
        parts = split_name(word)
        plain = parts if len(parts) > 1 else words(word)
        yield from (stem_of(each) for each in plain if each not in STOP_WORDS)

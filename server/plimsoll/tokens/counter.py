"""Counts tokens with the tokenizer of a model, each text once, corrected by reported usage."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Literal, Self

from plimsoll.catalog.models import model_facts
from plimsoll.tokens import correction as corrections
from plimsoll.tokens.correction import EXACT, NOTHING, Correction, RawCount, kinds_of
from plimsoll.tokens.estimate import BAND, estimate
from plimsoll.tokens.vocabulary import (
    WITH_PIECES,
    Vocabularies,
    chunks,
    pieces,
    simplify,
    well_formed,
)


class CountCache:
    """The counts of the texts last asked for, of at most `limit` texts.

    A text is known by its hash, which Python keys with a secret of the process and keeps with the
    string: asking again for the same object costs nothing, and no text is held. Of 64 bits, two
    texts share one less than once in 10^14 new texts. A count takes about 200 bytes, so the limit
    is some 20 MB. Safe from any thread.
    """

    def __init__(self, limit: int = 100_000) -> None:
        self._half = limit // 2
        self._recent: dict[int, RawCount] = {}
        self._older: dict[int, RawCount] = {}
        """The older half; replaced by the recent ones when they reach half of the limit."""
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many counts are stored, those in both halves twice; at most the limit."""
        return len(self._recent) + len(self._older)

    def get(self, text: str) -> RawCount | None:
        """Return the count of `text` if it is stored."""
        key = hash(text)
        with self._lock:
            count = self._recent.get(key)
            if count is None and (count := self._older.get(key)) is not None:
                self._keep(key, count)
            return count

    def put(self, text: str, count: RawCount) -> None:
        """Store the count of `text`, dropping the oldest beyond the limit."""
        with self._lock:
            self._keep(hash(text), count)

    def _keep(self, key: int, count: RawCount) -> None:
        if key not in self._recent and len(self._recent) >= self._half:
            self._older, self._recent = self._recent, {}
        self._recent[key] = count


def _sum(counts: Sequence[RawCount]) -> RawCount:
    return RawCount(
        sum(count.tokens for count in counts),
        sum(count.digits for count in counts),
        sum(count.foreign for count in counts),
    )


Basis = Literal["counted", "estimated"]
"""How a count was made: `counted` with the model's own tokenizer, or `estimated`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Counts tokens for one model; safe from any thread.

    Two threads that meet on the same new text may both measure it; the answers are equal.
    """

    name: str
    """The name of the vocabulary or rule that counts, such as "o200k_base"."""
    basis: Basis
    measure: Callable[[str], int]
    """Returns the tokens of a well-formed text of at most `vocabulary.LIMIT` characters."""
    correction: Correction = EXACT
    cache: CountCache = field(default_factory=CountCache)
    """Uncorrected counts, shared by all counters of one `measure`, whatever their correction."""

    def count(self, text: str) -> int:
        """Return the tokens of `text`.

        Special tokens written out count as the ordinary text they are; a lone surrogate counts as
        the replacement character.

        Raises:
            VocabularyDamaged: The counter's vocabulary, loaded at its first use, is damaged.
        """
        return self.correction.apply(self.raw(text))

    def count_schema(self, text: str) -> int:
        """Return the tokens of the schema of a tool; raises as `count`."""
        return self.correction.apply_to_tools(self.raw(text))

    def plain(self, text: str) -> int:
        """Return the tokens that the vocabulary makes of `text`, uncorrected; raises as `count`."""
        return self.raw(text).tokens

    def raw(self, text: str) -> RawCount:
        """Return the uncorrected count of `text`, by kind; raises as `count`."""
        if not text:
            return NOTHING
        known = self.cache.get(text)
        if known is None:
            whole = well_formed(text)
            if len(whole) in WITH_PIECES:
                known = _sum([self._piece(piece) for piece in pieces(whole)])
            else:
                known = self._count_piece(whole)
            self.cache.put(text, known)
        return known

    def _piece(self, piece: str) -> RawCount:
        known = self.cache.get(piece)
        if known is None:
            known = self._count_piece(piece)
            self.cache.put(piece, known)
        return known

    def _count_piece(self, piece: str) -> RawCount:
        return kinds_of(piece, self._measure_chunks(piece))

    def _measure_chunks(self, text: str) -> int:
        """Measure a text chunk by chunk; in a run of one character most chunks are equal."""
        known: dict[int, int] = {}
        total = 0
        for chunk in chunks(text):
            # By its hash, as the cache knows texts: no chunk is held.
            key = hash(chunk)
            if key not in known:
                known[key] = self.measure(chunk)
            total += known[key]
        return total

    def margin(self, tokens: int) -> int:
        """Return by how many tokens a count of `tokens` may be wrong; 0 when it is exact."""
        return math.ceil(tokens * self.correction.band)

    def with_correction(self, correction: Correction) -> Self:
        """Return the counter with another correction, such as one read back from a log."""
        return replace(self, correction=correction)


UNKNOWN = "o200k_base"
"""The vocabulary that counts for a model whose tokenizer is not known."""
OWN_VOCABULARY = {"embedded": "o200k_base", "scripted": "o200k_base"}
"""The vocabularies of our own providers, which read no tokens."""


def vocabulary_of(model: str) -> str | None:
    """Return the vocabulary of `model`, or None when its tokenizer is not known.

    A path before the name (`openai/gpt-4o`), the mark of a fine-tuned model (`ft:`) and case do not
    matter.
    """
    facts = None if model in OWN_VOCABULARY else model_facts(model)
    return facts.tokenizer if facts else OWN_VOCABULARY.get(model)


@dataclass(slots=True)
class Counters:
    """The counters of all models, with shared vocabularies and caches."""

    vocabularies: Vocabularies = field(default_factory=Vocabularies)
    _caches: dict[str, CountCache] = field(default_factory=dict)

    def of(self, model: str) -> Counter:
        """Return the counter of `model`; its vocabulary loads with the first count."""
        known = vocabulary_of(model)
        basis: Basis = "counted" if known else "estimated"
        correction = EXACT if known else corrections.UNKNOWN
        name = known or UNKNOWN
        return Counter(
            name=name,
            basis=basis,
            measure=self._measure(name),
            correction=correction,
            cache=self._cache(name),
        )

    def load(self, model: str) -> None:
        """Load the vocabulary of `model` now, in 0.2 to 0.4 s: for a worker thread at start-up.

        Raises:
            VocabularyDamaged: The shipped file cannot be used; `without_vocabulary` still counts.
        """
        self.vocabularies.encoding(vocabulary_of(model) or UNKNOWN)

    def without_vocabulary(self) -> Counter:
        """Return a counter without a vocabulary, for when the shipped one is damaged."""
        return Counter(
            name="characters",
            basis="estimated",
            measure=estimate,
            correction=Correction(band=BAND),
            cache=self._cache("characters"),
        )

    def _measure(self, name: str) -> Callable[[str], int]:
        vocabularies = self.vocabularies

        def measure(chunk: str) -> int:
            simple, more = simplify(chunk)
            return len(vocabularies.encoding(name).encode_ordinary(simple)) + more

        return measure

    def _cache(self, name: str) -> CountCache:
        return self._caches.setdefault(name, CountCache())

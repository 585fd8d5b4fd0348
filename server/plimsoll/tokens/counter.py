"""Count the tokens of texts, each once."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from plimsoll.tokens.cache import CountCache
from plimsoll.tokens.chunks import chunks, well_formed
from plimsoll.tokens.correction import EXACT, Correction

Basis = Literal["counted", "estimated"]
"""`counted` with the model's own tokenizer, or `estimated` with another or with none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Counts for one model; safe from any thread.

    Two threads that meet on the same new text may both measure it; the answers are equal.
    """

    name: str
    """The vocabulary or rule that counts, such as "o200k_base"."""
    basis: Basis
    measure: Callable[[str], int]
    """Tokens of a well-formed text of at most `chunks.LIMIT` characters."""
    correction: Correction = EXACT
    cache: CountCache = field(default_factory=CountCache)
    """Of uncorrected counts: shared by all counters of one `measure`, whatever their correction."""

    def count(self, text: str) -> int:
        """Return the tokens of `text`.

        Special tokens written out count as the ordinary text they are; a lone surrogate counts as
        the replacement character.

        Raises:
            VocabularyDamaged: The counter's vocabulary is loaded now, and cannot be.
        """
        if not text:
            return 0
        known = self.cache.get(text)
        if known is None:
            known = sum(map(self.measure, chunks(well_formed(text))))
            self.cache.put(text, known)
        return self.correction.apply(known)

    def margin(self, tokens: int) -> int:
        """Return by how many tokens a count of `tokens` may be wrong; 0 when it is exact."""
        return math.ceil(tokens * self.correction.band)

    def learned(self, ours: int, reported: int) -> Self:
        """Return the counter after a request of `ours` tokens for which the provider `reported`.

        An exact count has nothing to learn. The counter returned equals this one when the report
        changes nothing.
        """
        if self.basis == "counted":
            return self
        return self.corrected(self.correction.learned(ours, reported))

    def corrected(self, correction: Correction) -> Self:
        """Return the counter with another correction, such as one read back from a log."""
        return replace(self, correction=correction)

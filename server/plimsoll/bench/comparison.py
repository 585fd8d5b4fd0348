"""Sessions under several policies: their sums, and the reductions that freed most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plimsoll.bench.measuring import Reduction, Score


@dataclass(frozen=True, slots=True)
class Compared:
    """One session under each policy; the first reduces nothing, the last is Plimsoll."""

    name: str
    scores: Mapping[str, Score]
    filling: Mapping[str, int]
    """Tokens of what the session is made of, the most first."""
    title: str | None = None
    """What it is about, in words of whoever spoke in it: for the person's own screen alone."""

    @property
    def own(self) -> Score:
        """The score of Plimsoll's own policy."""
        return list(self.scores.values())[-1]


def pool_scores(found: Sequence[Compared]) -> dict[str, Score]:
    """Sum the scores of all sessions by policy, the sizes of all their requests with them."""
    sums: dict[str, Score] = {}
    for one in found:
        for name, score in one.scores.items():
            total = sums.setdefault(name, Score())
            total.add(score)
            total.tokens += score.tokens
    return sums


def largest_reductions(
    found: Sequence[Compared], most: int
) -> tuple[list[tuple[str, Reduction]], int]:
    """Pick the largest of Plimsoll's reductions, and count the others."""
    every = [
        (one.title or one.name, reduction) for one in found for reduction in one.own.reductions
    ]
    every.sort(key=lambda pair: pair[1].after - pair[1].before)
    return every[:most], max(0, len(every) - most)

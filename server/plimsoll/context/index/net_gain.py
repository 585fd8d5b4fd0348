"""The cost model of pruning: what is saved in each later request, less the cost of rewriting."""

from dataclasses import dataclass

LEAST_TURNS = 5
SHARE_OF_TURNS = 0.5
"""The share of past requests that is expected to follow, plus 5 and never more than the past ones:
how long a run goes on is unknown, but long ones tend to go on."""


@dataclass(frozen=True, slots=True)
class Prices:
    """A provider's prices of cached tokens, relative to plain input tokens."""

    read: float
    """The price of a token that is read from the cache."""
    write: float
    """The price of a token that is written to the cache."""


def turns_to_come(requests: int) -> float:
    """Estimate how many requests will follow after ``requests``."""
    return min(requests, LEAST_TURNS + SHARE_OF_TURNS * requests)


@dataclass(frozen=True, slots=True)
class Horizon:
    """The number of requests for which a reduction saves tokens."""

    turns: float
    """The number of requests to come."""
    room: int
    """Tokens left until the mark at which old results leave anyway."""
    pace: float
    """Tokens by which each request grows."""

    def after(self, freed: int) -> float:
        """Return the number of requests for which freeing ``freed`` tokens now saves them.

        At the compact mark they would leave anyway, but freeing them also delays that mark.
        """
        return min(self.turns, (self.room + freed) / max(1.0, self.pace))


def pays(freed: int, rewritten: int, turns: float, prices: Prices, ratio: float) -> bool:
    """Tell whether a reduction saves more than ``1 + ratio`` times the cost of its rewriting.

    ``rewritten``: tokens that the cache held and that must be written again.
    """
    cost = (prices.write - prices.read) * rewritten
    return prices.read * turns * freed > (1 + ratio) * cost

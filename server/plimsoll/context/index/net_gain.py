"""The cost model of pruning: what leaves saves in each request to come, what is rewritten costs."""

from dataclasses import dataclass

LEAST_TURNS = 5
SHARE_OF_TURNS = 0.5
"""How long a run goes on is unknown, but what has lasted long lasts: half of what was, and 5 more,
never more than there were."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a provider asks, in plain input tokens."""

    read: float
    """The price of a token read from the cache."""
    write: float
    """The price of a token written to it."""


def turns_to_come(requests: int) -> float:
    """Estimate how many more requests will follow after so many."""
    return min(requests, LEAST_TURNS + SHARE_OF_TURNS * requests)


@dataclass(frozen=True, slots=True)
class Horizon:
    """For how many requests it saves that something leaves."""

    turns: float
    """The requests that are to come."""
    room: int
    """Tokens up to the mark at which old results leave in any case."""
    pace: float
    """Tokens by which a request grows."""

    def after(self, freed: int) -> float:
        """Return the requests for which so many freed tokens are saved.

        At the mark all of it would go anyway, but what is freed puts the mark off too.
        """
        return min(self.turns, (self.room + freed) / max(1.0, self.pace))


def pays(freed: int, rewritten: int, turns: float, prices: Prices, ratio: float) -> bool:
    """Tell whether a reduction saves more than ``1 + ratio`` times what its rewriting costs.

    ``rewritten``: tokens that the cache held and that must be written anew.
    """
    cost = (prices.write - prices.read) * rewritten
    return prices.read * turns * freed > (1 + ratio) * cost

"""Net gain: whether, and from where on, a reduction pays while there is room.

Whatever a reduction frees is not read again in the requests to come; what stays behind the first
change must be written to the provider's cache anew. All amounts are in tokens at the price of a
plain input token.
"""

from collections.abc import Sequence
from dataclasses import dataclass

LEAST_TURNS = 5
SHARE_OF_TURNS = 0.5
"""How long a run goes on is unknown, but what has lasted long lasts: half of what was, and 5 more,
never more than there were."""
LEAST_FREED = 0.02
"""Of the request: smaller steps would come too often (law 5)."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a provider asks, in plain input tokens."""

    read: float
    """Of a token read from the cache."""
    write: float
    """Of a token written to it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the request at which a reduction may begin."""

    behind: int
    """Tokens from here on that the cache holds, what would go included."""
    freed: int
    """Tokens that would go here, the places behind it not counted."""
    cached: bool
    """The cache holds what would go here."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A place from which a reduction pays."""

    start: int
    """Index of the first place that is reduced."""
    freed: int
    rewritten: int
    """Tokens behind the cut that must be written anew although they were cached."""
    gain: float
    """What is saved over the turns to come, less what the rewriting costs."""


def turns_to_come(requests: int) -> float:
    """How many more requests to reckon with after so many."""
    return min(requests, LEAST_TURNS + SHARE_OF_TURNS * requests)


def gain_of(freed: int, rewritten: int, turns: float, prices: Prices) -> float:
    """What a reduction saves over so many requests, less what it costs at once."""
    return prices.read * turns * freed - (prices.write - prices.read) * rewritten


def pays(freed: int, rewritten: int, turns: float, prices: Prices, ratio: float) -> bool:
    """Whether the gain is clear: at least ``ratio`` times what the rewriting costs."""
    cost = (prices.write - prices.read) * rewritten
    return gain_of(freed, rewritten, turns, prices) > ratio * cost


def best_cut(
    places: Sequence[Place], turns: float, prices: Prices, *, ratio: float, least: int
) -> Cut | None:
    """The cut with the largest gain that is clear and frees enough; none if there is none."""
    best: Cut | None = None
    freed = cached = 0
    for start in range(len(places) - 1, -1, -1):
        place = places[start]
        freed += place.freed
        cached += place.freed if place.cached else 0
        anew = max(0, place.behind - cached)
        gain = gain_of(freed, anew, turns, prices)
        clear = freed >= least and pays(freed, anew, turns, prices, ratio)
        if clear and (best is None or gain > best.gain):
            best = Cut(start, freed, anew, gain)
    return best

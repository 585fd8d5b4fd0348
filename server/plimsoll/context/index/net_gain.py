"""The cost model of pruning: what leaves saves, what is rewritten costs, and which cut pays.

A cut at a place pays if ``read x turns x freed`` is more than ``1 + ratio`` times what the
rewriting costs. Both sums grow towards the front of the request, so each place is a point (freed
before it, kept before it) and the best one for a ratio of prices lies on the upper hull of the
points. A new result adds one point, and the hull answers in a binary search.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plimsoll.context.view.view import SettledGroup

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


@dataclass(frozen=True, slots=True)
class PrunePoint:
    """A place in the request at which a reduction may begin."""

    behind: int
    """Tokens from here on that the cache holds, what would go included."""
    freed: int
    """Tokens that would go here, the places behind it not counted."""
    cached: bool
    """The cache holds what would go here."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut that pays: where it begins, and what it brings."""

    start: int
    """Index of the first point that is reduced."""
    freed: int
    rewritten: int
    """Tokens behind the cut that must be written anew although they were cached."""
    gain: float
    """What is saved over the turns to come, less what the rewriting costs."""


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


def gain_of(freed: int, rewritten: int, turns: float, prices: Prices) -> float:
    """Compute what a reduction saves over so many requests, less what it costs at once."""
    return prices.read * turns * freed - (prices.write - prices.read) * rewritten


def pays(freed: int, rewritten: int, turns: float, prices: Prices, ratio: float) -> bool:
    """Tell whether the gain is at least ``ratio`` times what the rewriting costs."""
    cost = (prices.write - prices.read) * rewritten
    return gain_of(freed, rewritten, turns, prices) > ratio * cost


def best_cut(
    points: Sequence[PrunePoint], horizon: Horizon, prices: Prices, *, ratio: float, least: int
) -> Cut | None:
    """Find the cut with the largest gain that is clear and frees enough; none if there is none."""
    best: Cut | None = None
    freed = cached = 0
    for start in range(len(points) - 1, -1, -1):
        point = points[start]
        freed += point.freed
        cached += point.freed if point.cached else 0
        anew, turns = max(0, point.behind - cached), horizon.after(freed)
        gain = gain_of(freed, anew, turns, prices)
        clear = freed >= least and pays(freed, anew, turns=turns, prices=prices, ratio=ratio)
        if clear and (best is None or gain > best.gain):
            best = Cut(start, freed, anew, gain)
    return best


@dataclass(frozen=True, slots=True)
class PruneCandidate:
    """A result that may be pruned some day."""

    item: str
    freed: int
    """Tokens that its note is shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneQuestion:
    """What a cut must be worth to pay."""

    sent: int
    """Index of the first group that the cache does not hold."""
    unseen: int
    """Index of the first group whose results must stay."""
    kept: frozenset[str]
    """The newest results, which stay too."""
    least: int
    """Tokens that a cut must free."""
    saved: float
    """What is saved by each token that goes."""
    cost: float
    """What each rewritten token costs."""


class PruneOutlook:
    """The places at which a prune may begin, kept up to date as groups change."""

    def __init__(self) -> None:
        self._names_tokens: int | None = None
        """The setting with which the notes were weighed."""
        self._known = 0
        """Groups before this index stand as they were read."""
        self._tokens = [0]
        """Before each group."""
        self._first = [0]
        """The first candidate of each group."""
        self._items: list[str] = []
        self._freed = [0]
        """Before each candidate."""
        self._stays: list[int] = []
        """Before each candidate, what the ones before it free not counted."""
        self._hull: list[int] = []
        self._offered = 0
        """Candidates that the hull has seen."""

    @property
    def known(self) -> int:
        """The index of the first group that has to be read."""
        return self._known

    @property
    def freed(self) -> int:
        """The tokens that all candidates together would free."""
        return self._freed[-1]

    def changed(self, index: int) -> None:
        """Note that the form or visibility of a group has changed."""
        self._known = min(self._known, index)

    def catch_up(
        self,
        groups: Sequence[SettledGroup],
        names_tokens: int,
        candidates_of: Callable[[SettledGroup], Iterable[PruneCandidate]],
    ) -> None:
        """Read the groups that are new or stand otherwise, or all if the notes weigh otherwise."""
        if names_tokens != self._names_tokens:
            self._names_tokens = names_tokens
            self.changed(0)
        for group in groups[self._known :]:
            self.add_group(group, candidates_of(group))

    def add_group(self, group: SettledGroup, candidates: Iterable[PruneCandidate]) -> None:
        """Add the next group, with its candidates in the order of the view."""
        index = group.index
        if index + 1 < len(self._tokens):
            self._forget(index)
        start = self._tokens[index] + (group.lines[0].tokens if group.lines else 0)
        for each in candidates:
            self._items.append(each.item)
            self._stays.append(start - self._freed[-1])
            self._freed.append(self._freed[-1] + each.freed)
        self._tokens.append(self._tokens[index] + group.tokens)
        self._first.append(len(self._items))
        self._known = index + 1

    def can_any_pay(self, asked: PruneQuestion) -> bool:
        """Tell whether a cut may pay; where it says no, none does."""
        end = self._end(asked)
        total = self._freed[end]
        if total < asked.least or asked.saved <= 0:
            return False
        unsent = min(end, self._first[self._group(asked.sent)])
        if total - self._freed[unsent] >= asked.least:
            return True
        self._offer(end, asked.least)
        if not self._hull:
            return False
        best = self._best(asked.saved / asked.cost if asked.cost > 0 else float("inf"))
        kept = self._tokens[self._group(asked.sent)] - self._freed[unsent] - self._stays[best]
        return asked.saved * (total - self._freed[best]) > asked.cost * kept

    def _group(self, index: int) -> int:
        return max(0, min(index, len(self._first) - 1))

    def _end(self, asked: PruneQuestion) -> int:
        """Return the number of candidates before those that must stay."""
        end = self._first[self._group(asked.unseen)]
        while end and self._items[end - 1] in asked.kept:
            end -= 1
        return end

    def _offer(self, end: int, least: int) -> None:
        """Let the hull see the candidates behind which enough would go."""
        while self._offered < end and self._freed[end] - self._freed[self._offered] >= least:
            self._push(self._offered)
            self._offered += 1

    def _push(self, number: int) -> None:
        hull = self._hull
        while len(hull) > 1 and not self._turns(hull[-2], hull[-1], number):
            hull.pop()
        hull.append(number)

    def _turns(self, first: int, second: int, third: int) -> bool:
        """Tell whether the slope falls at the second of three points."""
        rise = self._stays[second] - self._stays[first], self._stays[third] - self._stays[second]
        run = self._freed[second] - self._freed[first], self._freed[third] - self._freed[second]
        return rise[0] * run[1] > rise[1] * run[0]

    def _best(self, slope: float) -> int:
        """Return the candidate with the most that stays before it, at ``slope`` for what goes."""
        steps = range(len(self._hull) - 1)
        return self._hull[bisect_left(steps, True, key=lambda at: self._slope(at) <= slope)]

    def _slope(self, at: int) -> float:
        first, second = self._hull[at], self._hull[at + 1]
        rise = self._stays[second] - self._stays[first]
        return rise / (self._freed[second] - self._freed[first])

    def _forget(self, index: int) -> None:
        """Drop what was read of a group and those behind it."""
        first = self._first[index]
        del self._tokens[index + 1 :], self._first[index + 1 :]
        del self._items[first:], self._stays[first:], self._freed[first + 1 :]
        if first < self._offered:
            self._hull.clear()
            self._offered = 0

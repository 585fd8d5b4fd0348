"""What a session has spent: read from its log, priced, and what that is of each limit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Said
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.prices import CostOf, Tokens
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.cost import SpentTokens, spent_by


@dataclass(frozen=True, slots=True)
class LimitState:
    """A limit that is set, and how much of it is spent."""

    limit: SpendLimit
    setting: str
    spent: float | None
    """None: what the tokens of a model cost is not known."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a session has spent so far."""

    tokens: Tokens
    money: float | None
    """In US dollars; none: what the tokens of a model cost is not known."""
    limits: tuple[LimitState, ...] = ()


class SessionAccount:
    """Counts what a session has spent, in tokens and money, against its spend limits."""

    def __init__(self, log: SessionLog, cost_of: CostOf, rules: Callable[[], SessionRules]) -> None:
        self.cost_of = cost_of
        """Prices tokens of a model; none: what they cost is not known."""
        self._log = log
        self._rules = rules
        self._spent = SpentTokens()

    @property
    def limits(self) -> Sequence[SpendLimit]:
        """The limits that are set now."""
        return self._rules().spending

    def summary(self) -> Spending:
        """Sum up the tokens and money that the session has spent, with the state of each limit."""
        entries = self._log.fold.entries
        total, money = Tokens(0, 0, 0), 0.0
        known = True
        for model, tokens in self._spent.of(entries):
            total = _sum(total, tokens)
            cost = self.cost_of(model, tokens)
            known, money = known and cost is not None, money + (cost or 0.0)
        turn = newest_turn(entries)
        limits = (
            LimitState(each, setting_of(each), self.amount_spent(each, turn))
            for each in self.limits
        )
        return Spending(total, money if known else None, tuple(limits))

    def amount_spent(self, limit: SpendLimit, turn: str) -> float | None:
        """Return the amount spent under a limit, by a turn's requests or all of the session's.

        Null: the price of some request is not known.
        """
        entries = self._log.fold.entries
        if limit.scope == "turn":
            return self.amount(limit, spent_tokens(spent_by(_since(entries, turn))))
        return self.amount(limit, spent_tokens(self._spent.of(entries)))

    def amount(self, limit: SpendLimit, tokens: Mapping[str, Tokens]) -> float | None:
        """Return what tokens count under a limit; none where the price of some is not known."""
        if limit.unit == "tokens":
            return sum(each.input + each.output for each in tokens.values())
        total = 0.0
        for model, each in tokens.items():
            cost = self.cost_of(model, each)
            if cost is None:
                return None
            total += cost
        return total


def spent_tokens(requests: Iterable[tuple[str, Tokens]]) -> dict[str, Tokens]:
    """Sum up by model what providers reported, and our own count where they did not."""
    sums: dict[str, Tokens] = {}
    for model, tokens in requests:
        sums[model] = _sum(sums.get(model, Tokens(0, 0, 0)), tokens)
    return sums


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.input + other.input, one.cached + other.cached, one.output + other.output)


def missed_money(model: str, tokens: int, cost_of: CostOf) -> float | None:
    """Return the cost of sending tokens again that the cache might have held."""
    plain, read = cost_of(model, Tokens(tokens, 0, 0)), cost_of(model, Tokens(tokens, tokens, 0))
    return None if plain is None or read is None else max(0.0, plain - read)


def setting_of(limit: SpendLimit) -> str:
    """Return the path of a limit's setting."""
    return f"{limit.scope}.spend_limit_{limit.unit}"


def newest_turn(entries: Sequence[Entry]) -> str:
    """Return the id of a session's newest turn; empty if it has none."""
    return next((e.turn for e in reversed(entries) if isinstance(e, Said) and e.turn), "")


def _since(entries: list[Entry], turn: str) -> list[Entry]:
    """Return the entries since a turn began."""
    start = len(entries)
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, Said):
            if entry.turn != turn:
                break
            start = index
    return entries[start:]

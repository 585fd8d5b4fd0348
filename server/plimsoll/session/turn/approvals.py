"""Who allows a call: a person now, a person earlier in the session, or a sandbox by their wish.

Law 6: in this order. What is asked about each time is asked. What was rejected for the session
stays rejected. Then a command runs unasked that a sandbox confines, if the person has said so. Then
counts what was allowed for the session, and at last the person is asked.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from plimsoll.session.environment import Asker, Decision, SpendLimit
from plimsoll.session.events import CallShown

OFFERED_AFTER = 3
"""Commands that a person allowed in a session, each of which the sandbox would have confined."""
CONFINED = Decision(allowed=True, by="rule")
OFFER = (
    "You have allowed {count} commands that the sandbox confines: they write only in this folder "
    "and in those that your settings name, and have no network. To run such commands without being "
    "asked, set `permission.confined_commands = true` in your own settings. A question that is "
    "open by then stays open."
)


@dataclass(frozen=True, slots=True)
class UnaskedOffered:
    """The data of a notice that offers to run confined commands unasked."""


@dataclass(slots=True)
class Allowances:
    """How much more than a limit a person has allowed; one of a turn ends with it."""

    more: dict[tuple[SpendLimit, str], float] = field(
        default_factory=dict[tuple[SpendLimit, str], float]
    )
    """By limit, and by turn where it is one of a turn."""
    for_session: set[SpendLimit] = field(default_factory=set[SpendLimit])
    """Of these no more is asked."""

    def most(self, limit: SpendLimit, turn: str) -> float:
        """Return how much may be spent under a limit by now."""
        if limit in self.for_session:
            return math.inf
        return limit.most + self.more.get(_key(limit, turn), 0)

    def allow(self, limit: SpendLimit, turn: str, *, for_session: bool) -> None:
        """Allow as much again, or whatever the rest of the session spends."""
        if for_session:
            self.for_session.add(limit)
        key = _key(limit, turn)
        self.more[key] = self.more.get(key, 0) + limit.most


def _key(limit: SpendLimit, turn: str) -> tuple[SpendLimit, str]:
    return limit, turn if limit.scope == "turn" else ""


class Approvals:
    """The answers that a person gave for the rest of a session."""

    def __init__(self, asker: Asker, confined_unasked: Callable[[], bool]) -> None:
        """``confined_unasked``: whether confined commands run unasked, as it is set now."""
        self.allowances = Allowances()
        self._asker = asker
        self._confined_unasked = confined_unasked
        self._standing: dict[str, Decision] = {}
        self._waiting: list[str] = []
        self._withdrawn = 0
        self._confined_allowed = 0
        self._offered = False

    @property
    def waiting(self) -> tuple[str, ...]:
        """The titles of the calls that a person has not answered yet."""
        return tuple(self._waiting)

    async def decide(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Return what is decided of the call already, or ask the person now."""
        key, wider = _keys(call)
        standing = self._standing.get(key) or self._standing.get(wider)
        if is_confined(call) and self._confined_unasked() and (not standing or standing.allowed):
            return CONFINED
        if standing is not None:
            return standing if standing.allowed else replace(standing, by="earlier")
        title = call.title
        self._waiting.append(title)
        withdrawn = self._withdrawn
        try:
            decision = await self._asker.ask(session_id, turn, call)
        finally:
            self._waiting.remove(title)
        covered = wider if decision.wider else key
        if decision.for_session and covered and withdrawn == self._withdrawn:
            self._standing[covered] = decision
        if decision.allowed and decision.by == "person" and is_confined(call):
            self._confined_allowed += 1
        return decision

    def withdraw(self) -> None:
        """Let no earlier yes stand any more, nor one to a question that is open now."""
        self._withdrawn += 1
        self._standing = {key: no for key, no in self._standing.items() if not no.allowed}

    def offer(self) -> str | None:
        """Return the offer to ask no more about confined commands, once when it is time."""
        due = self._confined_allowed >= OFFERED_AFTER and not self._offered
        if not due or self._confined_unasked():
            return None
        self._offered = True
        return OFFER.format(count=self._confined_allowed)


def _keys(call: CallShown) -> tuple[str, str]:
    """Return the keys of the answers for the session that cover a call; empty where none does."""
    intent = call.intent
    if intent is None or intent.why_each_time is not None:
        return intent.approval if intent else "", ""
    return intent.approval, intent.wider.key if intent.wider else ""


def is_confined(call: CallShown) -> bool:
    """Tell whether a command can do nothing outside of the folder, and was not refused that."""
    intent = call.intent
    if intent is None or intent.confinement is None or intent.why_each_time is not None:
        return False
    return intent.confinement.coverage == "full" and not intent.confinement.network

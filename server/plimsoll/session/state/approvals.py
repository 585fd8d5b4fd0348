"""Who allows a call: a person now, a person earlier in the session, or a sandbox by their wish.

Law 6: in this order. What is asked about each time is asked. What was rejected for the session
stays rejected. Then a command runs unasked that a sandbox confines, if the person has said so. Then
counts what was allowed for the session, then what was allowed for good in the folder, of commands
those alone that the full sandbox confines. At last the person is asked.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from plimsoll.session.ports.asker import Asker, Decision
from plimsoll.session.ports.events import CallShown, Purpose
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.standing_permissions import Covered, Permissions
from plimsoll.storage.base import HeldAddress

OFFERED_AFTER = 3
"""Commands that a person allowed in a session, each of which the sandbox would have confined."""
CONFINED = Decision(allowed=True, by="rule")
PERMITTED = Decision(allowed=True, by="rule")
OFFER = (
    "You have allowed {count} commands that run in the sandbox: they write only in this folder and "
    "in those that your settings name, and have no network. To run such commands without being "
    "asked, set `permission.confined_commands = true` in your own settings. A question that is "
    "open by then stays open."
)


@dataclass(frozen=True, slots=True)
class UnaskedOffered:
    """The data of a notice that offers to run confined commands unasked."""


@dataclass(slots=True, kw_only=True)
class Allowances:
    """The spending above limits that a person has allowed; for a turn it ends with the turn."""

    more: dict[tuple[SpendLimit, str], float] = field(
        default_factory=dict[tuple[SpendLimit, str], float]
    )
    """By limit, and by turn where it is one of a turn."""
    for_session: set[SpendLimit] = field(default_factory=set[SpendLimit])
    """Of these no more is asked."""
    declined: set[tuple[SpendLimit, str]] = field(default_factory=set[tuple[SpendLimit, str]])
    """By turn: a person has said no, and nobody else of the turn asks again."""
    under_way: dict[str, tuple[str, Tokens]] = field(default_factory=dict[str, tuple[str, Tokens]])
    """What requests of subagents take at least that are not counted yet, by session, with the
    model."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the look at what is spent to the answer, so that agents ask one after another."""

    def most(self, limit: SpendLimit, turn: str) -> float:
        """Return the amount that may be spent under a limit, with the allowances so far."""
        if limit in self.for_session:
            return math.inf
        return limit.most + self.more.get(_key(limit, turn), 0)

    def allow(self, limit: SpendLimit, turn: str, *, for_session: bool) -> None:
        """Allow as much as the limit again, or any amount for the rest of the session."""
        if for_session:
            self.for_session.add(limit)
        key = _key(limit, turn)
        self.more[key] = self.more.get(key, 0) + limit.most


def _key(limit: SpendLimit, turn: str) -> tuple[SpendLimit, str]:
    return limit, turn if limit.scope == "turn" else ""


@dataclass(slots=True, kw_only=True)
class AddressAnswers:
    """A person's answers about new addresses, and the questions not yet asked."""

    rejected: set[tuple[HeldAddress, str | None]] = field(
        default_factory=set[tuple[HeldAddress, str | None]]
    )
    """With the turn in which a person said no; none: whatever the turn."""
    unasked: dict[HeldAddress, Purpose] = field(default_factory=dict[HeldAddress, Purpose])
    """What is needed in the background, where nobody is asked, and for what."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the look at what is known to the answer, so that each is asked about once."""


@dataclass(slots=True, kw_only=True)
class Answers:
    """A person's answers and open questions, which a session shares with its subagents."""

    allowances: Allowances = field(default_factory=Allowances)
    addresses: AddressAnswers = field(default_factory=AddressAnswers)
    standing: dict[str, Decision] = field(default_factory=dict[str, Decision])
    waiting: list[str] = field(default_factory=list[str])
    withdrawn: int = 0
    confined_allowed: int = 0
    offered: bool = False


class Approvals:
    """The answers that a person gave for the rest of a session."""

    def __init__(
        self,
        asker: Asker,
        rules: Callable[[], SessionRules],
        permissions: Permissions,
        answers: Answers | None = None,
    ) -> None:
        """``rules``: whether confined commands run unasked, as it is set now.

        ``answers``: the answers of the session that this one works for.
        """
        self.answers = answers or Answers()
        self._asker = asker
        self._rules = rules
        self._permissions = permissions

    @property
    def allowances(self) -> Allowances:
        """The spending above limits that a person has allowed."""
        return self.answers.allowances

    @property
    def waiting(self) -> tuple[str, ...]:
        """The titles of the calls that a person has not answered yet."""
        return tuple(self.answers.waiting)

    async def decide(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Decide whether a call may run: by an earlier answer, else by asking the person."""
        key, wider = _keys(call)
        standing = self.answers.standing.get(key) or self.answers.standing.get(wider)
        if self._runs_unasked(call) and (not standing or standing.allowed):
            return CONFINED
        if standing is not None:
            return replace(standing, by="earlier")
        call = self._with_what_counts(call)
        found = await self._permissions.covering(call.intent.lasting if call.intent else ())
        if isinstance(found, Covered):
            return PERMITTED
        if found is not None:
            call = replace(call, asked_again=found.why)
        title = call.title
        answers = self.answers
        answers.waiting.append(title)
        withdrawn = answers.withdrawn
        try:
            decision = await self._asker.ask(session_id, turn, call)
        finally:
            answers.waiting.remove(title)
        covered = wider if decision.wider else key
        if decision.for_session and covered and withdrawn == answers.withdrawn:
            answers.standing[covered] = decision
        if withdrawn == answers.withdrawn:
            await self._keep(call, decision)
        if decision.allowed and decision.by == "person" and is_confined(call):
            answers.confined_allowed += 1
        return decision

    def _runs_unasked(self, call: CallShown) -> bool:
        rules = self._rules()
        return rules.confined_unasked and is_confined(call, registries=rules.registries_unasked)

    def _with_what_counts(self, call: CallShown) -> CallShown:
        """Drop those offered permissions of a call that would have no effect.

        They have none for commands that are not fully confined, or that run unasked already.
        """
        intent = call.intent
        if intent is None:
            return call
        rules = self._rules()
        confined = is_confined(call, registries=rules.registries_unasked)
        scopes = tuple(
            each
            for each in intent.lasting
            if intent.why_each_time is None
            and (each.kind in ("edits", "tool") or (confined and not rules.confined_unasked))
        )
        return replace(call, intent=replace(intent, lasting=scopes))

    async def _keep(self, call: CallShown, decision: Decision) -> None:
        """Store the offered permission that a person's decision allows for good, if any."""
        always = decision.always
        if always is None or not decision.allowed or decision.by != "person":
            return
        if 0 <= always < len(call.always):
            await self._permissions.keep(call.always[always])

    def withdraw(self) -> None:
        """Withdraw every earlier approval, and the coming answer to an open question."""
        answers = self.answers
        answers.withdrawn += 1
        answers.standing = {key: no for key, no in answers.standing.items() if not no.allowed}

    def offer(self) -> str | None:
        """Return the offer to run confined commands unasked, once after enough approvals."""
        answers = self.answers
        due = answers.confined_allowed >= OFFERED_AFTER and not answers.offered
        if not due or self._rules().confined_unasked:
            return None
        answers.offered = True
        return OFFER.format(count=answers.confined_allowed)


def _keys(call: CallShown) -> tuple[str, str]:
    """Return the keys of session approvals that cover a call; an empty key matches none."""
    intent = call.intent
    if intent is None or intent.why_each_time is not None:
        return intent.approval if intent else "", ""
    return intent.approval, intent.wider.key if intent.wider else ""


def is_confined(call: CallShown, *, registries: bool = False) -> bool:
    """Tell whether a command is fully confined to the folder, and need not be asked each time.

    ``registries``: count commands that reach package registries too, by which data can leave.
    """
    intent = call.intent
    if intent is None or intent.confinement is None or intent.why_each_time is not None:
        return False
    given = intent.confinement
    reaches = given.network or (given.registries and not registries)
    return given.coverage == "full" and not reaches

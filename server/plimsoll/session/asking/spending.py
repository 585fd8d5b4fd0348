"""What may be spent: the limits of a turn and of a session, and the question before one is passed.

What was spent is read from the log. A yes holds for as much again, or for the rest of the session;
it is forgotten with the process, as other approvals are.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import UNREPORTED
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import Fix, SpendLimitReached
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    CallShown,
    NoticeGiven,
    Purpose,
    SettingsNamed,
    SpendQuestion,
)
from plimsoll.session.ports.ids import new_question_id
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.ports.rules import SpendLimit
from plimsoll.session.state.account import newest_turn, setting_of, spent_tokens
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.intent import Intent

STOPPED = "Stopped: {had}, and the next request would pass it. {remedy}"
HAD = "this {scope} has spent {spent} of the {most} that `{setting}` allows"
REMEDIES: Mapping[str, str] = {
    "turn": "Send a message to go on in a new turn, or set `{setting}` higher.",
    "session": "Set `{setting}` higher, or begin a new session.",
}
TITLE = (
    "Spend more than {most} in this {scope}: {spent} are spent, the next request takes about {next}"
)
NO_PRICE = (
    "`{setting}` has no effect: what the tokens of {model} cost is not known. Set a limit in "
    "tokens, `{section}.spend_limit_tokens`."
)


def unreported_note(
    turn: str, model: str, tokens: Tokens, clock: Clock, *, purpose: Purpose = "turn"
) -> Noted:
    """Make a usage note of our own count, for a request without a plausible report."""
    data = {
        "turn": turn,
        "purpose": purpose,
        "model": model,
        "input": tokens.input,
        "cached": tokens.cached,
        "output": tokens.output,
    }
    return new_note(clock, UNREPORTED, data)


def refuse_spent(state: SessionState, coming: tuple[str, Tokens] | None = None) -> None:
    """Raise SpendLimitReached if the session, or its caller's, has reached its spend limit.

    ``coming``: the model and tokens of a request outside of any turn, which count too, as nobody
    is asked about it.
    """
    payer = _payer(state, "").state
    for limit in payer.account.limits:
        if limit.scope != "session":
            continue
        spent = payer.account.amount_spent(limit, "")
        more = payer.account.amount(limit, spent_tokens([coming])) if coming is not None else None
        most = payer.approvals.allowances.most(limit, "")
        if spent is not None and (spent >= most or spent + (more or 0) > most):
            words = _words(limit, spent)
            had = words["had"]
            raise SpendLimitReached(
                f"{had[0].upper()}{had[1:]}.",
                remedy=words["remedy"],
                fix=Fix(kind="setting", setting=setting_of(limit)),
            )


async def may_spend(state: SessionState, turn: str) -> bool:
    """Tell whether the next request may be made; a person is asked before it passes a limit.

    A subagent's requests count in the turn of the person for whom it works, and are asked about
    there.
    """
    if not state.account.limits:
        return True
    payer = _payer(state, turn)
    allowances = payer.state.approvals.allowances
    coming = Tokens(state.load.plan().view.tokens, 0, 0)
    async with allowances.asking:
        allowances.under_way.pop(state.id, None)
        for limit in payer.state.account.limits:
            if not await payer.lets(limit, (state.model.id, coming)):
                words = _words(limit, payer.amount_spent(limit) or 0)
                named = SettingsNamed((setting_of(limit),))
                state.voice.emit(NoticeGiven(STOPPED.format(**words), "warning", turn, named))
                return False
        if payer.state is not state:
            allowances.under_way[state.id] = state.model.id, coming
    return True


@contextmanager
def spending_unasked(state: SessionState, model: str, coming: Tokens) -> Generator[bool]:
    """Tell whether a background request stays within every limit; no person is asked about it.

    The turn's own request has precedence. A running background request counts as spent.
    """
    payer = _payer(state, newest_turn(state.log.fold.entries))
    account, allowances = payer.state.account, payer.state.approvals.allowances
    own = state.model.id, Tokens(state.log.fold.view.tokens, 0, 0)
    ahead = spent_tokens([(model, coming), own, *allowances.under_way.values()])
    for limit in account.limits:
        spent, more = payer.amount_spent(limit), account.amount(limit, ahead)
        most = allowances.most(limit, payer.turn)
        if spent is not None and more is not None and spent + more > most:
            yield False
            return
    key = f"summary of {state.id}"
    allowances.under_way[key] = model, coming
    try:
        yield True
    finally:
        del allowances.under_way[key]


@dataclass(frozen=True, slots=True)
class _Payer:
    """The person's session and turn to which requests are charged."""

    state: SessionState
    turn: str

    def amount_spent(self, limit: SpendLimit) -> float | None:
        """Return the amount spent under a limit; None if the price of some request is unknown."""
        return self.state.account.amount_spent(limit, self.turn)

    async def lets(self, limit: SpendLimit, coming: tuple[str, Tokens]) -> bool:
        """Tell whether a request stays within a limit, or a person allows it to pass the limit."""
        account, allowances = self.state.account, self.state.approvals.allowances
        ahead = spent_tokens([coming, *allowances.under_way.values()])
        spent, more = self.amount_spent(limit), account.amount(limit, ahead)
        if spent is None or more is None:
            await self._tell_no_price(limit)
            return True
        if spent + more <= allowances.most(limit, self.turn):
            return True
        if (limit, self.turn) in allowances.declined:
            return False
        if await self._ask(limit, _question(limit, spent, more)):
            return True
        allowances.declined.add((limit, self.turn))
        return False

    async def _ask(self, limit: SpendLimit, question: SpendQuestion) -> bool:
        state, turn = self.state, self.turn
        call = _question_call(question, state.clock)
        state.voice.emit(CallMade(turn, call))
        state.voice.emit(CallChanged(turn=turn, call_id=call.id, status="waiting"))
        decision = await state.approvals.decide(state.id, turn, call)
        status = "completed" if decision.allowed else "rejected"
        state.voice.emit(CallChanged(turn=turn, call_id=call.id, status=status, output=""))
        if decision.allowed:
            state.approvals.allowances.allow(limit, turn, for_session=decision.for_session)
        return decision.allowed

    async def _tell_no_price(self, limit: SpendLimit) -> None:
        setting, state = setting_of(limit), self.state
        words = NO_PRICE.format(setting=setting, model=state.model.id, section=limit.scope)
        named = SettingsNamed((setting, f"{limit.scope}.spend_limit_tokens"))
        notice = NoticeGiven(words, "warning", self.turn, named)
        await state.voice.tell_once(f"price {setting}", notice)


def _payer(state: SessionState, turn: str) -> _Payer:
    while state.caller is not None:
        state, turn = state.caller.state, state.caller.place.turn
    return _Payer(state, turn)


def _question(limit: SpendLimit, spent: float, coming: float) -> SpendQuestion:
    return SpendQuestion(
        scope=limit.scope, unit=limit.unit, limit=limit.most, spent=spent, next=coming
    )


def _question_call(question: SpendQuestion, clock: Clock) -> CallShown:
    """Build a pending tool call out of the question: every client can ask about a call."""
    title = TITLE.format(
        most=shown_amount(question.limit, question.unit),
        scope=question.scope,
        spent=shown_amount(question.spent, question.unit),
        next=shown_amount(question.next, question.unit),
    )
    return CallShown(
        id=new_question_id(clock),
        item="",
        name="spend_limit",
        arguments=canonical({"scope": question.scope, "unit": question.unit}),
        traits=ToolTraits(verb="Spend more"),
        intent=Intent(title=title, ask=True, plan=None),
        spend=question,
    )


def _words(limit: SpendLimit, spent: float) -> dict[str, str]:
    setting = setting_of(limit)
    most, so_far = shown_amount(limit.most, limit.unit), shown_amount(spent, limit.unit)
    had = HAD.format(scope=limit.scope, spent=so_far, most=most, setting=setting)
    return {"had": had, "remedy": REMEDIES[limit.scope].format(setting=setting)}


def shown_amount(amount: float, unit: str) -> str:
    """Write an amount for people."""
    if unit == "tokens":
        return f"{amount:,.0f} tokens"
    return f"{amount:,.2f} US dollars" if amount >= 0.1 else f"{amount:.4f} US dollars"

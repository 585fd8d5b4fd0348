"""What may be spent: the limits of a turn and of a session, and the question before one is passed.

What was spent is read from the log. A yes holds for as much again, or for the rest of the session;
it is forgotten with the process, as other approvals are.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Noted, Said
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
from plimsoll.session.ports.prices import CostOf, Tokens
from plimsoll.session.ports.rules import SpendLimit
from plimsoll.session.state.cost import spent_by
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


def spent_tokens(requests: Iterable[tuple[str, Tokens]]) -> dict[str, Tokens]:
    """Sum up by model what providers reported, and our own count where they did not."""
    sums: dict[str, Tokens] = {}
    for model, tokens in requests:
        sums[model] = _sum(sums.get(model, Tokens(0, 0, 0)), tokens)
    return sums


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.input + other.input, one.cached + other.cached, one.output + other.output)


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


def spending(state: SessionState) -> Spending:
    """Sum up what a session has spent, and what that is of each limit."""
    entries, cost_of = state.log.fold.entries, state.environment.cost_of
    total = Tokens(0, 0, 0)
    money: float | None = 0.0
    for model, tokens in state.spent.of(entries):
        total = _sum(total, tokens)
        cost = cost_of(model, tokens)
        money = None if cost is None or money is None else money + cost
    turn = _newest_turn(entries)
    limits = (
        LimitState(limit, _setting(limit), amount(limit, _spent_of(state, limit, turn), cost_of))
        for limit in state.environment.rules().spending
    )
    return Spending(total, money, tuple(limits))


def missed_money(model: str, tokens: int, cost_of: CostOf) -> float | None:
    """Return what it cost to send tokens anew which the cache might have held."""
    plain, read = cost_of(model, Tokens(tokens, 0, 0)), cost_of(model, Tokens(tokens, tokens, 0))
    return None if plain is None or read is None else max(0.0, plain - read)


def amount(limit: SpendLimit, tokens: Mapping[str, Tokens], cost_of: CostOf) -> float | None:
    """Return what tokens count under a limit; none where the price of some is not known."""
    if limit.unit == "tokens":
        return sum(each.input + each.output for each in tokens.values())
    total = 0.0
    for model, each in tokens.items():
        cost = cost_of(model, each)
        if cost is None:
            return None
        total += cost
    return total


def unreported_note(
    turn: str, model: str, tokens: Tokens, clock: Clock, *, purpose: Purpose = "turn"
) -> Noted:
    """Note our own count of a request of which nothing was reported that can be right."""
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
    """Raise SpendLimitReached when the session, or the one that it works for, has spent all.

    ``coming``: the model and the tokens of a request outside of any turn, which counts too: nobody
    is asked to let it pass.
    """
    state, _ = _payer(state, "")
    for limit in state.environment.rules().spending:
        if limit.scope != "session":
            continue
        cost_of = state.environment.cost_of
        spent = amount(limit, _spent_of(state, limit, ""), cost_of)
        more = amount(limit, spent_tokens([coming]), cost_of) if coming is not None else None
        most = state.approvals.allowances.most(limit, "")
        if spent is not None and (spent >= most or spent + (more or 0) > most):
            words = _words(limit, spent)
            had = words["had"]
            raise SpendLimitReached(
                f"{had[0].upper()}{had[1:]}.",
                remedy=words["remedy"],
                fix=Fix(kind="setting", setting=_setting(limit)),
            )


async def may_spend(state: SessionState, turn: str) -> bool:
    """Tell whether the next request may be made; a person is asked before it passes a limit.

    What a subagent takes counts in the turn of the person that let it work, and is asked about
    there.
    """
    payer, paid = _payer(state, turn)
    allowances = payer.approvals.allowances
    coming = Tokens(state.load.plan().view.tokens, 0, 0)
    async with allowances.asking:
        allowances.under_way.pop(state.id, None)
        for limit in state.environment.rules().spending:
            if not await _within(payer, paid, limit, (state.model.id, coming)):
                words = _words(limit, _amount_spent(payer, limit, paid) or 0)
                named = SettingsNamed((_setting(limit),))
                state.voice.emit(NoticeGiven(STOPPED.format(**words), "warning", turn, named))
                return False
        if payer is not state:
            allowances.under_way[state.id] = state.model.id, coming
    return True


async def _within(
    state: SessionState, turn: str, limit: SpendLimit, coming: tuple[str, Tokens]
) -> bool:
    """Tell whether a request stays within a limit, or a person lets it pass."""
    allowances, cost_of = state.approvals.allowances, state.environment.cost_of
    ahead = spent_tokens([coming, *allowances.under_way.values()])
    spent, more = _amount_spent(state, limit, turn), amount(limit, ahead, cost_of)
    if spent is None or more is None:
        await _tell_no_price(state, limit, turn)
        return True
    if spent + more <= allowances.most(limit, turn):
        return True
    if (limit, turn) in allowances.declined:
        return False
    if await _ask_person(state, turn, limit, _question(limit, spent, more)):
        return True
    allowances.declined.add((limit, turn))
    return False


@contextmanager
def spending_unasked(state: SessionState, model: str, coming: Tokens) -> Generator[bool]:
    """Tell whether a request in the background stays within every limit: nobody is asked to pass.

    The turn's own request goes before it. While it runs, it counts where the next one is looked at.
    """
    payer, turn = _payer(state, _newest_turn(state.log.fold.entries))
    allowances, cost_of = payer.approvals.allowances, state.environment.cost_of
    own = state.model.id, Tokens(state.log.fold.view.tokens, 0, 0)
    ahead = spent_tokens([(model, coming), own, *allowances.under_way.values()])
    for limit in state.environment.rules().spending:
        spent, more = _amount_spent(payer, limit, turn), amount(limit, ahead, cost_of)
        if spent is not None and more is not None and spent + more > allowances.most(limit, turn):
            yield False
            return
    key = f"summary of {state.id}"
    allowances.under_way[key] = model, coming
    try:
        yield True
    finally:
        del allowances.under_way[key]


def _newest_turn(entries: Sequence[Entry]) -> str:
    return next((e.turn for e in reversed(entries) if isinstance(e, Said) and e.turn), "")


def _payer(state: SessionState, turn: str) -> tuple[SessionState, str]:
    """Return the session of a person, and its turn, in which a request counts."""
    while state.caller is not None:
        state, turn = state.caller.state, state.caller.place.turn
    return state, turn


def _amount_spent(state: SessionState, limit: SpendLimit, turn: str) -> float | None:
    return amount(limit, _spent_of(state, limit, turn), state.environment.cost_of)


def _spent_of(state: SessionState, limit: SpendLimit, turn: str) -> dict[str, Tokens]:
    """Sum up what counts under a limit: a turn's requests, or all of the session's."""
    entries = state.log.fold.entries
    if limit.scope == "turn":
        return spent_tokens(spent_by(_since(entries, turn)))
    return spent_tokens(state.spent.of(entries))


def _since(entries: list[Entry], turn: str) -> list[Entry]:
    """Return what entered since a turn began."""
    start = len(entries)
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, Said):
            if entry.turn != turn:
                break
            start = index
    return entries[start:]


def _question(limit: SpendLimit, spent: float, coming: float) -> SpendQuestion:
    return SpendQuestion(
        scope=limit.scope, unit=limit.unit, limit=limit.most, spent=spent, next=coming
    )


async def _ask_person(
    state: SessionState, turn: str, limit: SpendLimit, question: SpendQuestion
) -> bool:
    call = _question_call(question, state.clock)
    state.voice.emit(CallMade(turn, call))
    state.voice.emit(CallChanged(turn=turn, call_id=call.id, status="waiting"))
    decision = await state.approvals.decide(state.id, turn, call)
    status = "completed" if decision.allowed else "rejected"
    state.voice.emit(CallChanged(turn=turn, call_id=call.id, status=status, output=""))
    if decision.allowed:
        state.approvals.allowances.allow(limit, turn, for_session=decision.for_session)
    return decision.allowed


def _question_call(question: SpendQuestion, clock: Clock) -> CallShown:
    """Show the question as a call that waits: every client can ask about one."""
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


def _setting(limit: SpendLimit) -> str:
    return f"{limit.scope}.spend_limit_{limit.unit}"


def _words(limit: SpendLimit, spent: float) -> dict[str, str]:
    setting = _setting(limit)
    most, so_far = shown_amount(limit.most, limit.unit), shown_amount(spent, limit.unit)
    had = HAD.format(scope=limit.scope, spent=so_far, most=most, setting=setting)
    return {"had": had, "remedy": REMEDIES[limit.scope].format(setting=setting)}


async def _tell_no_price(state: SessionState, limit: SpendLimit, turn: str) -> None:
    setting = _setting(limit)
    words = NO_PRICE.format(setting=setting, model=state.model.id, section=limit.scope)
    named = SettingsNamed((setting, f"{limit.scope}.spend_limit_tokens"))
    await state.voice.tell_once(f"price {setting}", NoticeGiven(words, "warning", turn, named))


def shown_amount(amount: float, unit: str) -> str:
    """Write an amount for people."""
    if unit == "tokens":
        return f"{amount:,.0f} tokens"
    return f"{amount:,.2f} US dollars" if amount >= 0.1 else f"{amount:.4f} US dollars"

"""The gate before each request to a model: a session goes on only where its person lets it.

Whether is decided in ``known``; here the person is asked, and the answer kept before anything is
sent: a crash in between asks again.
"""

from contextlib import suppress
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Role, canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import AddressChanged, AddressRejected, Fix
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.addresses import PURPOSES, Verdict, describe_address, describe_addresses
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.events import (
    AddressQuestion,
    CallChanged,
    CallMade,
    CallShown,
    Purpose,
)
from plimsoll.session.ports.ids import new_question_id
from plimsoll.session.state.session_state import SessionState, person_of
from plimsoll.session.state.shown import open_turn
from plimsoll.storage.base import HeldAddress
from plimsoll.tools.ports.intent import Intent

TITLE = "So far this session went to {known}. Send all of it to {now}{purpose}?"
REJECTED = (
    "Nothing was sent: so far this session went to {known}, and you did not let it go to {now}."
)
NOBODY = (
    "So far this session went to {known} and would go to {now} now: nobody could be asked, so "
    "nothing was sent."
)
REMEDY = (
    "Run it with `plimsoll run --accept-address`, choose its model again with `/model`, or set "
    "`base_url` back."
)
ADVICE = "Send a message and answer the question, or choose the session's model again."
LATER = "You are asked with your next message."


@dataclass(frozen=True, slots=True)
class _Next:
    """A request that is to be made, and where it would go."""

    now: HeldAddress
    purpose: Purpose
    waited_for: bool = False
    """A person waits for it, also where no turn runs."""


async def let_through(
    state: SessionState, model: str, purpose: Purpose, *, waited_for: bool = False
) -> None:
    """Wait until a session may be sent to a model, ``provider/name``, at its present address.

    Nothing is awaited after the last check, so the request goes to the address allowed.

    Raises:
        AddressRejected: The person does not let it go there.
        AddressChanged: Nobody could be asked.
        StoreError: The answer cannot be kept.
    """
    if purpose == "turn" and state.caller is not None:
        purpose = "subagent"
    while (found := _verdict(state, model)) != "known":
        now = state.models.address(model)
        if found == "ask":
            await _ask(state, _Next(now, purpose, waited_for))
        elif state.caller is None and not _has_answer(state.log):
            # So it was set as the session began: none of it has changed since.
            await accept(state, now, *state.models.addresses(state.model.id))
        else:
            await accept(state, now)


def may_go_to(state: SessionState, model: str) -> bool:
    """Tell whether a session may be sent to a model without a question."""
    return _verdict(state, model) != "ask"


def may_work_beside(state: SessionState, model: str, purpose: Purpose) -> bool:
    """Tell whether background work may ask a model; if not, the next turn asks the person."""
    if may_go_to(state, model):
        return True
    answers = person_of(state).approvals.answers.addresses
    now = state.models.address(model)
    if (now, None) not in answers.rejected:
        answers.unasked[now] = purpose
    return False


def _verdict(state: SessionState, model: str) -> Verdict:
    """Decide whether a session may be sent to a model; a subagent's as its caller's may."""
    own = state.models.verdict(model, state.record.addresses)
    if own == "known" or state.caller is None:
        return own
    return "begins" if _verdict(state.caller.state, model) == "known" else "ask"


def _has_answer(log: SessionLog) -> bool:
    entries = log.fold.entries
    return any(isinstance(each, Said) and each.role is Role.ASSISTANT for each in entries)


async def accept(state: SessionState, *addresses: HeldAddress, answers: bool = True) -> None:
    """Record addresses to which a session may be sent; ``answers``: its answers come from there.

    Raises:
        StoreError: It cannot be kept.
    """
    before = state.record.addresses
    both = (*addresses, *before) if answers else (*before, *addresses)
    after = tuple(dict.fromkeys(both))
    if after != before:
        await state.save(replace(state.record, addresses=after))


async def accept_set(state: SessionState) -> None:
    """Record the present addresses of a session's models as allowed, by a person's word."""
    await accept(state, *state.models.addresses(state.model.id))


async def ask_what_waits(state: SessionState) -> None:
    """Ask, as a turn begins, the questions that work in the background could not ask.

    The turn goes on whatever the answer: the background work checks it again.
    """
    waiting = state.approvals.answers.addresses.unasked
    still = set(state.models.addresses(state.model.id))
    asked = [_Next(now, purpose) for now, purpose in waiting.items() if now in still]
    waiting.clear()
    for each in asked:
        with suppress(AddressChanged):
            await _ask(state, each)


async def _ask(state: SessionState, coming: _Next) -> None:
    """Ask the person for whom a session works, unless they have answered already."""
    person = person_of(state)
    answers = person.approvals.answers.addresses
    turn = open_turn(person.log.fold.entries)
    # A no to an answer counts for its turn; one to work beside it as long as the process lives.
    said_no = coming.now, turn if coming.purpose in ("turn", "subagent") else None
    known, machine = person.record.addresses, person.models.machine
    words = {
        "known": describe_addresses(known, machine),
        "now": describe_address(coming.now, machine),
    }
    async with answers.asking:
        if coming.now in person.record.addresses:
            return
        if said_no in answers.rejected and not coming.waited_for:
            raise AddressRejected(REJECTED.format(**words))
        if turn is None and not coming.waited_for:
            answers.unasked[coming.now] = coming.purpose
            raise _address_changed(words, LATER)
        call = _question_call(words, coming.purpose, person.clock)
        person.voice.emit(CallMade(turn or "", call))
        person.voice.emit(CallChanged(turn=turn or "", call_id=call.id, status="waiting"))
        decision = await person.approvals.decide(person.id, turn or "", call)
        status = "completed" if decision.allowed else "rejected"
        person.voice.emit(CallChanged(turn=turn or "", call_id=call.id, status=status, output=""))
        if decision.allowed:
            await accept(person, coming.now, answers=coming.purpose == "turn")
            return
        answers.rejected.add(said_no)
        if decision.by == "nobody":
            raise _address_changed(words, REMEDY)
        raise AddressRejected(REJECTED.format(**words))


def _address_changed(words: dict[str, str], remedy: str) -> AddressChanged:
    fix = Fix(kind="setting", setting="model.base_url", advice=ADVICE)
    return AddressChanged(NOBODY.format(**words), remedy=remedy, data=words, fix=fix)


def _question_call(words: dict[str, str], purpose: Purpose, clock: Clock) -> CallShown:
    """Show the question as a call that waits: every client can ask about one."""
    return CallShown(
        id=new_question_id(clock),
        item="",
        name="address",
        arguments=canonical(words),
        traits=ToolTraits(verb="Send elsewhere"),
        intent=Intent(title=TITLE.format(**words, purpose=PURPOSES[purpose]), ask=True, plan=None),
        address=AddressQuestion(known=words["known"], now=words["now"]),
    )

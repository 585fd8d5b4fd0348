"""Who allows a command: the order of a sandbox, what stands for the session, and the person."""

import math
from dataclasses import replace

import pytest

from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.events import CallShown
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.approvals import CONFINED, Allowances, Approvals
from plimsoll.session.state.standing_permissions import Permissions
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.ports.permission import DefiningFile, PermissionScope, SessionApproval
from plimsoll.tools.process.confinement.base import UNCONFINED, Confinement
from session.harness import ALLOWED, Person

FULL = Confinement(rung="bubblewrap", coverage="full", network=False, summary="confined")
PARTIAL = replace(FULL, rung="landlock", coverage="partial")
NETWORK = replace(FULL, network=True)
REGISTRIES = replace(FULL, registries=True)
NO = Decision(allowed=False)
NEVER = Decision(allowed=False, for_session=True)
ALWAYS = Decision(allowed=True, for_session=True)
AUTO = Decision(allowed=True, by="rule")


def call(confinement: Confinement | None = FULL, **more) -> CallShown:
    intent = Intent(
        title="Run make", ask=True, **{"approval": "k", "confinement": confinement, **more}, plan=0
    )
    traits = ToolTraits(kind="execute")
    return CallShown(id="c", item="i", name="shell", arguments="{}", traits=traits, intent=intent)


class Gate:
    """Approvals with a person who answers in turn, and the setting as it is now."""

    def __init__(self, *answers: Decision, unasked: bool = True) -> None:
        self.person = Person(answers or (NO,))
        self.unasked = unasked
        self.registries = False
        store = SqliteStore.in_memory(str)
        self.permissions = store.permissions
        kept = Permissions(store.permissions, CountedClock())
        self.approvals = Approvals(self.person, self.rules, kept)

    def rules(self) -> SessionRules:
        return SessionRules(confined_unasked=self.unasked, registries_unasked=self.registries)

    async def decide(self, asked: CallShown) -> Decision:
        return await self.approvals.decide("s", "t", asked)


async def test_a_confined_command_runs_unasked_if_the_person_said_so():
    gate = Gate()
    assert await gate.decide(call()) == CONFINED
    assert gate.person.asked == []


async def test_with_registries_it_runs_unasked_if_the_person_said_that_too():
    gate = Gate()
    gate.registries = True
    assert await gate.decide(call(REGISTRIES)) == CONFINED
    assert await gate.decide(call(replace(REGISTRIES, coverage="partial"))) == NO
    gate.unasked = False
    assert await gate.decide(call(REGISTRIES)) == NO
    assert len(gate.person.asked) == 2


@pytest.mark.parametrize(
    "asked",
    [
        call(PARTIAL),
        call(NETWORK),
        call(REGISTRIES),
        call(UNCONFINED),
        call(None),
        call(why_each_time="It runs outside the sandbox."),
    ],
)
async def test_whatever_is_confined_less_is_asked_about(asked):
    gate = Gate()
    assert await gate.decide(asked) == NO
    assert gate.person.asked == [asked]


async def test_without_the_setting_each_is_asked_about():
    gate = Gate(unasked=False)
    assert await gate.decide(call()) == NO
    gate.unasked = True
    assert await gate.decide(call()) == CONFINED


async def test_what_was_rejected_for_the_session_stays_rejected():
    gate = Gate(NEVER, unasked=False)
    await gate.decide(call())
    gate.unasked = True
    assert await gate.decide(call()) == replace(NEVER, by="earlier")
    assert await gate.decide(call(approval="other")) == CONFINED


EDITS = SessionApproval("edit", "all edits in this folder")
WIDER = Decision(allowed=True, for_session=True, wider=True)


async def test_a_wider_answer_covers_other_calls_but_none_that_is_asked_each_time():
    gate = Gate(WIDER, NO)
    assert await gate.decide(call(None, approval="edit:a", wider=EDITS)) == WIDER
    earlier = replace(WIDER, by="earlier")
    assert await gate.decide(call(None, approval="edit:b", wider=EDITS)) == earlier
    protected = call(None, approval="edit:.git", wider=EDITS, why_each_time="It is protected.")
    assert await gate.decide(protected) == NO
    assert await gate.decide(call(None, approval="shell:a")) == NO
    gate.approvals.withdraw()
    assert await gate.decide(call(None, approval="edit:b", wider=EDITS)) == NO


async def test_a_narrow_no_stands_beside_a_wider_yes():
    gate = Gate(NEVER, WIDER)
    await gate.decide(call(None, approval="edit:a", wider=EDITS))
    assert await gate.decide(call(None, approval="edit:b", wider=EDITS)) == WIDER
    again = await gate.decide(call(None, approval="edit:a", wider=EDITS))
    assert again == replace(NEVER, by="earlier")


async def test_what_was_allowed_in_the_sandbox_is_not_allowed_outside():
    gate = Gate(ALWAYS, NO, unasked=False)
    assert await gate.decide(call()) == ALWAYS
    assert await gate.decide(call()) == replace(ALWAYS, by="earlier")
    assert await gate.decide(call(UNCONFINED, approval="", why_each_time="Outside.")) == NO
    assert len(gate.person.asked) == 2


def scope(kind="command", state="one", **more) -> PermissionScope:
    defined = (DefiningFile("package.json", state),)
    return PermissionScope(
        kind=kind, subject="x", what="`npm test`", covers="", defined_by=defined, **more
    )


COMMAND, EDIT = {"lasting": (scope(),)}, {"lasting": (scope("edits"),)}
FOR_GOOD = Decision(allowed=True, always=0)


async def test_what_was_allowed_for_good_runs_until_it_is_taken_back():
    gate = Gate(FOR_GOOD, NO, unasked=False)
    assert await gate.decide(call(approval="1", **COMMAND)) == FOR_GOOD
    assert await gate.decide(call(approval="2", **COMMAND)) == AUTO
    await gate.permissions.remove(1)
    assert await gate.decide(call(approval="3", **COMMAND)) == NO


async def test_what_defines_it_has_changed_so_it_is_asked_about_and_said():
    gate = Gate(FOR_GOOD, FOR_GOOD, unasked=False)
    await gate.decide(call(**COMMAND))
    other = {"lasting": (scope(state="two"),)}
    assert await gate.decide(call(**other)) == FOR_GOOD
    assert gate.person.asked[-1].asked_again == (
        "You always allowed `npm test`. Since then package.json changed, so it may run something "
        "else."
    )
    assert await gate.decide(call(**other)) == AUTO
    assert [each.number for each in await gate.permissions.permissions()] == [2]


@pytest.mark.parametrize("confinement", [PARTIAL, NETWORK, REGISTRIES, UNCONFINED, None], ids=repr)
async def test_of_commands_only_a_fully_confined_one_runs_or_is_offered(confinement):
    gate = Gate(FOR_GOOD, FOR_GOOD, unasked=False)
    await gate.decide(call(**COMMAND))
    assert await gate.decide(call(confinement, **COMMAND)) == FOR_GOOD
    assert [each.always for each in gate.person.asked] == [(scope(),), ()]


async def test_edits_need_no_sandbox_but_protected_ones_are_asked_about():
    gate = Gate(FOR_GOOD, NO, unasked=False)
    await gate.decide(call(None, **EDIT))
    assert await gate.decide(call(None, **EDIT)) == AUTO
    assert await gate.decide(call(None, why_each_time="It is protected.", **EDIT)) == NO
    assert gate.person.asked[-1].always == ()


async def test_where_confined_commands_run_unasked_none_is_offered_for_good():
    gate = Gate(NO)
    assert await gate.decide(call(PARTIAL, **COMMAND)) == NO
    assert gate.person.asked[-1].always == ()


async def test_what_was_rejected_for_the_session_is_rejected_whatever_lasts():
    gate = Gate(NEVER, FOR_GOOD, unasked=False)
    await gate.decide(call(**COMMAND))
    await gate.decide(call(approval="2", **COMMAND))
    assert await gate.decide(call(**COMMAND)) == replace(NEVER, by="earlier")


@pytest.mark.parametrize(
    "answer",
    [
        Decision(allowed=True, always=0, by="rule"),
        Decision(allowed=False, always=0),
        Decision(allowed=True, always=1),
        Decision(allowed=True, always=-1),
    ],
)
async def test_only_what_a_person_allowed_of_what_was_offered_is_kept(answer):
    gate = Gate(answer, unasked=False)
    await gate.decide(call(lasting=(scope(), scope("firstWords", offered=False))))
    assert await gate.permissions.permissions() == []


async def test_it_is_offered_once_after_the_third_confined_command_that_a_person_allowed():
    gate = Gate(ALLOWED, unasked=False)
    for asked in (call(PARTIAL), call(NETWORK), *[call()] * 2):
        await gate.decide(asked)
        assert gate.approvals.offer() is None
    await gate.decide(call())
    offer = gate.approvals.offer()
    assert offer is not None
    assert "permission.confined_commands = true" in offer
    await gate.decide(call())
    assert gate.approvals.offer() is None


@pytest.mark.parametrize("answer", [NO, AUTO])
async def test_it_is_not_offered_to_who_said_no_or_was_not_asked(answer):
    gate = Gate(answer, unasked=False)
    for _ in range(4):
        await gate.decide(call())
    assert gate.approvals.offer() is None


async def test_it_is_not_offered_where_it_is_set_already():
    gate = Gate(ALLOWED, unasked=False)
    for _ in range(3):
        await gate.decide(call())
    gate.unasked = True
    assert gate.approvals.offer() is None


TURN, SESSION = SpendLimit("turn", "tokens", 100), SpendLimit("session", "money", 2)


def test_a_yes_to_spending_is_good_for_as_much_again_and_of_a_turn_for_it_alone():
    given = Allowances()
    given.allow(TURN, "t1", for_session=False)
    given.allow(SESSION, "t1", for_session=False)
    given.allow(SESSION, "t2", for_session=False)
    assert [given.most(TURN, turn) for turn in ("t1", "t2")] == [200, 100]
    assert [given.most(SESSION, turn) for turn in ("t1", "t2")] == [6, 6]
    given.allow(TURN, "t1", for_session=True)
    assert given.most(TURN, "t2") == math.inf
    assert given.most(SESSION, "t2") == 6


async def test_a_question_that_is_open_is_told_until_it_is_answered():
    class Slow(Person):
        async def ask(self, session_id, turn, call):
            self.open = gate.approvals.waiting
            return await super().ask(session_id, turn, call)

    gate = Gate(NO)
    gate.person = gate.approvals._asker = Slow((NO,))
    await gate.decide(call(PARTIAL))
    assert gate.person.open == ("Run make",)
    assert gate.approvals.waiting == ()

"""Who allows a command: the order of a sandbox, what stands for the session, and the person."""

from dataclasses import replace

import pytest

from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.environment import Decision, SessionRules
from plimsoll.session.events import CallShown
from plimsoll.session.turn.approvals import CONFINED, OFFERED_AFTER, Approvals
from plimsoll.tools.base import Intent, SessionApproval
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
        self.approvals = Approvals(self.person, self.rules)

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


async def test_it_is_offered_once_after_the_third_confined_command_that_a_person_allowed():
    gate = Gate(ALLOWED, unasked=False)
    for asked in (call(PARTIAL), call(NETWORK), *[call()] * (OFFERED_AFTER - 1)):
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
    for _ in range(OFFERED_AFTER + 1):
        await gate.decide(call())
    assert gate.approvals.offer() is None


async def test_it_is_not_offered_where_it_is_set_already():
    gate = Gate(ALLOWED, unasked=False)
    for _ in range(OFFERED_AFTER):
        await gate.decide(call())
    gate.unasked = True
    assert gate.approvals.offer() is None

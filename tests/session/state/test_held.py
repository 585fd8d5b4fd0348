"""What the notes of a log say of its session: the newest counts."""

import pytest

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import AGENT, IMPORT
from plimsoll.session.ports.agent import MAIN, Agent
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.state.held import (
    agent_note,
    held_agent,
    held_profile,
    is_imported,
    machine_note,
    machines_before,
    profile_note,
)
from plimsoll.session.state.notes import (
    FOR_EVER,
    failure_note,
    failures_in_a_row,
    failures_so_far,
    fulfilled_note,
    postponed_note,
    postponed_until,
)
from plimsoll.storage.shared.travel import CameFrom

CLOCK = CountedClock()


@pytest.mark.parametrize(
    "agent",
    [
        Agent("explore", 1),
        Agent("work", 2, name="tester"),
        Agent("work", 1, tools=frozenset()),
        Agent("explore", 1, name="a", tools=frozenset({"grep", "glob"})),
    ],
)
def test_which_agent_a_session_is_stands_in_its_log(agent):
    assert held_agent([agent_note(agent, CLOCK)]) == agent
    assert held_agent([agent_note(Agent("work", 9), CLOCK), agent_note(agent, CLOCK)]) == agent


def test_a_session_without_a_note_or_of_an_unknown_kind_is_the_main_one():
    unknown = new_note(CLOCK, AGENT, {"kind": "of a later version", "depth": 1})
    assert held_agent([]) == MAIN
    assert held_agent([agent_note(Agent("work", 1), CLOCK), unknown]) == MAIN


@pytest.mark.parametrize(
    ("names", "held"), [([], "full"), (["slim"], "slim"), (["slim", "full"], "full")]
)
def test_the_newest_profile_holds(names, held):
    assert held_profile([profile_note(name, CLOCK) for name in names]) == held


def test_the_machines_before_this_one_are_told_once_each():
    def came(machine: str, here: str) -> Noted:
        return machine_note(CameFrom(machine=machine, here=here, workspace="file:///w"), CLOCK)

    moves = [came("desk", "lap"), came("lap", "desk"), came("desk", "shed")]
    assert machines_before([]) == ()
    assert machines_before(moves[:1]) == ("desk",)
    assert machines_before(moves[:2]) == ("lap",)
    assert machines_before(moves) == ("desk", "lap")


def test_a_log_is_imported_if_it_says_so():
    assert not is_imported([profile_note("slim", CLOCK)])
    assert is_imported([profile_note("slim", CLOCK), new_note(CLOCK, IMPORT, {})])


def test_failures_in_a_row_are_those_of_the_model_that_is_asked():
    notes = [failure_note(count, model, CLOCK) for count, model in ((1, "a"), (2, "a"), (1, "b"))]
    assert [failures_in_a_row(notes[:count], "a") for count in range(4)] == [0, 1, 2, 0]
    assert failures_in_a_row(notes) == 1
    assert failures_in_a_row(notes, "b") == 1
    closed = [*notes, failure_note(0, "b", CLOCK)]
    assert failures_in_a_row(closed) == 0
    assert failures_so_far(closed) == 3


@pytest.mark.parametrize(("until", "ended"), [(0, False), (1, True), (7, True), (FOR_EVER, False)])
def test_a_postponement_ends_with_the_compaction_unless_it_is_for_ever(until, ended):
    put_off = postponed_note(until, CLOCK)
    assert postponed_until([put_off]) == until
    after = [put_off, *fulfilled_note(until, CLOCK)]
    assert len(after) == 1 + ended
    assert postponed_until(after) == (0 if ended else until)
    assert postponed_until([]) == 0

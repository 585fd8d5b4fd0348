"""What stands in a request, and the price of reading again what does not."""

import pytest

from plimsoll.bench.looking import (
    CALL_COST,
    CALL_TOKENS,
    READ,
    READ_EVERY,
    WRITE,
    Sight,
    Tally,
)
from plimsoll.bench.measuring import play
from plimsoll.bench.policies import NOTHING, Policy
from plimsoll.bench.recipes import keep_below
from plimsoll.bench.recording import recording
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.transfer.incoming import Incoming, IncomingCall

LEDGER = Ledger(lambda text: -(-len(text) // 4))
WINDOW = 65_536
FORGETFUL = Policy(
    name="forgetful", stages=(keep_below(0),), settings=PipelineSettings(), window=WINDOW
)
"""Clears each result as soon as it was answered."""
FILE = "\n".join(f"     {n}\tvalue_of_part_{n} = compute({n} * margin)" for n in range(100, 160))
LINE = "value_of_part_120 = compute(120 * margin)"


def said(role: Role, text: str, *calls: IncomingCall, **more: object) -> Incoming:
    parts = (Part(kind=PartKind.TEXT, text=text),) if text else ()
    return Incoming(role=role, parts=parts, calls=calls, **more)


def reads(name: str) -> IncomingCall:
    return IncomingCall(name, "file_read", {"path": f"{name}.py"})


def session(*endings: Incoming) -> list[Incoming]:
    return [
        said(Role.USER, "Look."),
        said(Role.ASSISTANT, "", reads("a")),
        said(Role.TOOL, FILE, call_id="a"),
        said(Role.ASSISTANT, "", reads("b")),
        said(Role.TOOL, "Nothing stands in this one.", call_id="b"),
        *endings,
    ]


def looked(policy: Policy, *endings: Incoming) -> Sight:
    return play(recording("s", session(*endings), LEDGER.bare), policy, LEDGER, WINDOW).sight


EDIT = IncomingCall("e", "file_edit", {"path": "a.py", "old_string": LINE, "new_string": "pass"})


def test_what_stands_costs_nothing():
    assert looked(NOTHING, said(Role.ASSISTANT, f"See:\n{LINE}", EDIT)) == Sight(
        spans=Tally(1, 1),
        tokens=Tally(11, 11),
        edits=Tally(1, 1),
        lines=Tally(1, 1),
        names=Tally(1, 1),
    )


def test_what_left_is_read_again_once_in_twelve_requests():
    again = [said(Role.ASSISTANT, f"Again:\n{LINE}") for _ in range(READ_EVERY + 1)]
    one = recording("s", session(*again), LEDGER.bare)
    score = play(one, FORGETFUL, LEDGER, WINDOW)
    added = LEDGER.bare(FILE) + CALL_TOKENS
    # What was quoted stands from then on in the assistant's own words.
    cost = READ * (score.tokens[2] + READ_EVERY * added) + WRITE * added + CALL_COST
    assert score.sight.cost == pytest.approx(cost)
    assert (score.sight.readings, score.sight.late) == (1, 1)
    assert score.sight.spans == Tally(READ_EVERY + 1, READ_EVERY)


def test_an_edit_whose_old_text_left_is_blind_and_a_note_is_no_sight():
    sight = looked(FORGETFUL, said(Role.ASSISTANT, "", EDIT))
    assert (sight.edits, sight.spans, sight.names) == (Tally(1, 0), Tally(1, 0), Tally(1, 0))
    assert (sight.readings, sight.late) == (1, 1)

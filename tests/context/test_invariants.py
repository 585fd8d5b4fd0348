"""The one check before a request leaves: what it finds, broken in every way."""

import pytest

from builders import pin
from plimsoll.context.log.messages import Call, Image, Message, Role
from plimsoll.context.view.ledger import Violation, violations


def said(name: str, role: Role, text: str = "so", **fields: object) -> Message:
    return Message(id=name, role=role, text=text, **fields)


ASKED = said("u1", Role.USER)
CALLING = said("a1", Role.ASSISTANT, "", calls=(Call("c1", "grep", "{}"), Call("c2", "glob", "{}")))
ONE = said("r1", Role.TOOL, call_id="c1")
TWO = said("r2", Role.TOOL, call_id="c2")


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        ((ASKED, CALLING, ONE, TWO), []),
        ((ASKED, CALLING, TWO, ONE), []),
        ((), []),
        ((ASKED, CALLING, ONE), ["calls ['c2'] are unanswered at the end"]),
        (
            (CALLING, ONE, ASKED, TWO),
            ["calls ['c2'] are unanswered before u1", "result r2 answers no open call"],
        ),
        ((ASKED, ONE), ["result r1 answers no open call"]),
        ((CALLING, ONE, ONE, TWO), ["result r1 answers no open call"]),
        ((CALLING, ONE, TWO, CALLING, ONE, TWO), ["call c1 occurs twice", "call c2 occurs twice"]),
    ],
    ids=[
        "whole",
        "whole in another order",
        "empty",
        "an orphan call",
        "something between a call and its result",
        "an orphan result",
        "a second result",
        "an id twice",
    ],
)
def test_pairs_are_whole(messages, found):
    """KosmoKrator 3: trimming leaves a lone result, which every provider refuses."""
    assert violations(messages, (), 0, 1) == tuple(Violation("pairing", each) for each in found)


PIN = pin(1, "[Superseded] </pin> ## Never")
HOLDING = said("f1", Role.SYSTEM, f"You are. [pinned 1] {PIN.text}", items=("pin.p1",))


@pytest.mark.parametrize(
    ("messages", "holds"),
    [
        ((HOLDING,), True),
        ((said("u1", Role.USER, PIN.text, items=("u1.0",)),), False),
        ((said("f1", Role.SYSTEM, PIN.text[:-1], items=("pin.p1",)),), False),
        ((), False),
    ],
    ids=["in the request", "said by somebody", "a byte short", "gone"],
)
def test_each_pin_stands_byte_for_byte_as_a_pin(messages, holds):
    found = [each.message for each in violations(messages, [PIN], 0, 1)]
    assert found == ([] if holds else ["pin 1 is not in the request"])


@pytest.mark.parametrize(("tokens", "found"), [(99, 0), (100, 0), (101, 1)])
def test_nothing_over_the_window_leaves(tokens, found):
    assert len(violations((), (), tokens, 100)) == found


@pytest.mark.parametrize(
    ("message", "empty"),
    [
        (said("u1", Role.USER, " \n"), True),
        (said("u1", Role.USER, "", images=(Image("image/png", "iVBOR"),)), False),
        (said("a1", Role.ASSISTANT, ""), True),
        (said("a1", Role.ASSISTANT, "so"), False),
    ],
)
def test_a_message_without_anything_is_refused(message, empty):
    assert bool(violations((message,), (), 0, 1)) is empty

"""What each kind of item costs, and to which part of the meter it belongs."""

from dataclasses import replace

import pytest

from builders import AT, LEDGER, assistant, result, user
from plimsoll.context.log.entries import Said, Slot
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.view.fold import view_of
from plimsoll.context.view.ledger import MESSAGE_TOKENS, PART_TOKENS, Ledger, slot_of
from plimsoll.context.view.request_messages import INTERRUPTED, render
from plimsoll.context.view.view import IMAGE_TOKENS

TEXT = "one two three"


@pytest.mark.parametrize(
    ("part", "tokens"),
    [
        (Part(kind=PartKind.TEXT, text=TEXT), 3),
        (Part(kind=PartKind.REASONING, text=TEXT, opaque="signed"), 3),
        (Part(kind=PartKind.CALL, text='{"a": 1}', call_id="c1", name="grep"), PART_TOKENS + 4),
        (Part(kind=PartKind.RESULT, text=TEXT, call_id="c1", name="grep"), PART_TOKENS + 1 + 3),
        (Part(kind=PartKind.FILE, text=TEXT), PART_TOKENS + 3),
        (Part(kind=PartKind.SELECTION, text=TEXT), PART_TOKENS + 3),
        (Part(kind=PartKind.IMAGE, text="iVBOR" * 100_000), IMAGE_TOKENS),
        (Part(kind=PartKind.TEXT, text=""), 0),
    ],
    ids=lambda value: value.kind.value if isinstance(value, Part) else "",
)
def test_the_price_of_a_part(part, tokens):
    """Kimi CLI weighs text alone, so calls and thinking cost nothing there."""
    assert LEDGER.part(part, first=False) == tokens
    assert LEDGER.part(part, first=True) == tokens + MESSAGE_TOKENS


def test_a_call_without_result_bears_the_words_that_answer_it():
    call = Part(kind=PartKind.CALL, text="{}", call_id="c1", name="grep")
    closing = LEDGER.part(call, first=False, closing=True) - LEDGER.part(call, first=False)
    assert closing == MESSAGE_TOKENS + PART_TOKENS + 1 + len(INTERRUPTED.split())


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("kind", PartKind)
def test_every_kind_of_every_role_has_its_place_on_the_meter(role, kind):
    slot = slot_of(role, kind)
    assert slot in Slot
    if kind is PartKind.TEXT:
        assert slot is (Slot.ASSISTANT if role is Role.ASSISTANT else Slot.USER)


def test_each_token_of_a_request_belongs_to_exactly_one_item():
    parts = (
        Part(kind=PartKind.TEXT, text=TEXT),
        Part(kind=PartKind.FILE, text="a b"),
        Part(kind=PartKind.IMAGE, text="iVBOR"),
    )
    entries = [
        Said(id="u1", at=AT, role=Role.USER, group="u1", parts=parts),
        assistant("a1", "so", ("c1", "grep", "{}"), ("c2", "glob", "{}")),
        result("r1", "a1", "c1", "found it"),
        user("u2", "go on"),
    ]
    view = view_of(entries, LEDGER)
    prices = {shown.item: shown.tokens for shown in view.items()}
    closing = MESSAGE_TOKENS + PART_TOKENS + 1 + len(INTERRUPTED.split())
    assert prices == {
        "u1.0": 4 + 3,
        "u1.1": 3 + 2,
        "u1.2": IMAGE_TOKENS,
        "a1.0": 4 + 1,
        "a1.1": 3 + 3,
        "a1.2": 3 + 3 + closing,
        "r1.0": 4 + 3 + 1 + 2,
        "u2.0": 4 + 2,
    }
    words = sum(len(message.text.split()) for message in render(view))
    frames = len(render(view)) * MESSAGE_TOKENS
    calls = 2 * (PART_TOKENS + 3) + 2 * (PART_TOKENS + 1)
    assert view.tokens == words + frames + calls + PART_TOKENS + IMAGE_TOKENS


def test_what_is_likely_is_counted_without_caution_and_never_under_half():
    text = "one two three four"
    assert Ledger(lambda text: 9, likely=lambda text: 7).likely(text) == 7
    assert Ledger(lambda text: 9, likely=lambda text: 2).likely(text) == 4
    assert LEDGER.likely(text) == LEDGER.bare(text) == 4


def test_only_reasoning_that_goes_back_costs_tokens():
    ledger = Ledger(len)
    thought = Part(kind=PartKind.REASONING, text="hmmm")
    assert ledger.part(thought, first=False) == 0
    assert ledger.part(replace(thought, opaque="EuoC"), first=False) == 4
    assert ledger.part(replace(thought, text="", opaque="x" * 600), first=False) == 100

"""The ids of items: what is built is split again, and each kind is told from the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log import messages

NAMES = st.text(min_size=1)


@given(NAMES, st.integers(0, 10_000))
def test_a_part_is_found_again_by_its_item(message: str, number: int):
    item = messages.part_item(message, number)
    assert messages.message_of(item) == message
    assert messages.part_number(item) == number
    assert messages.is_first(item) == (number == 0)


@given(NAMES.filter(lambda slot: "~" not in slot), st.none() | NAMES)
def test_a_frame_is_found_again_by_its_item(slot: str, version: str | None):
    item = messages.frame_item(slot, version)
    assert messages.is_frame(item)
    assert not messages.is_pin(item)
    assert messages.frame_slot(item) == slot


def test_ids_are_spelled_as_stored_logs_have_them():
    assert messages.part_items("m1", ("a", "b")) == ["m1.0", "m1.1"]
    assert messages.frame_item("tools.grep") == "frame.tools.grep"
    assert messages.frame_item("mode", "f3") == "frame.mode~f3"
    assert messages.frame_name("frame.mode~f3") == "mode~f3"
    assert messages.pin_item("p1") == "pin.p1"
    assert messages.is_pin("pin.p1")


@pytest.mark.parametrize("item", ["", "m", "m.", "m.x", "m.-1", "m.\u00b2", "m." + "9" * 5000])
def test_what_ends_in_no_number_names_no_part(item: str):
    assert messages.part_number(item) is None
    assert not messages.is_first(item)

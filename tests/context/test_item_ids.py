"""The ids of items: what is built is split again, and each kind is told from the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log import item_ids

NAMES = st.text(min_size=1)


@given(NAMES, st.integers(0, 10_000))
def test_a_part_is_found_again_by_its_item(message: str, number: int):
    item = item_ids.part_item(message, number)
    assert item_ids.message_of(item) == message
    assert item_ids.part_number(item) == number
    assert item_ids.is_first(item) == (number == 0)


@given(NAMES.filter(lambda slot: "~" not in slot), st.none() | NAMES)
def test_a_frame_is_found_again_by_its_item(slot: str, version: str | None):
    item = item_ids.frame_item(slot, version)
    assert item_ids.is_frame(item)
    assert not item_ids.is_pin(item)
    assert item_ids.frame_slot(item) == slot


def test_ids_are_spelled_as_stored_logs_have_them():
    assert item_ids.part_items("m1", ("a", "b")) == ["m1.0", "m1.1"]
    assert item_ids.frame_item("tools.grep") == "frame.tools.grep"
    assert item_ids.frame_item("mode", "f3") == "frame.mode~f3"
    assert item_ids.frame_name("frame.mode~f3") == "mode~f3"
    assert item_ids.pin_item("p1") == "pin.p1"
    assert item_ids.is_pin("pin.p1")


@pytest.mark.parametrize("item", ["", "m", "m.", "m.x", "m.-1", "m.\u00b2", "m." + "9" * 5000])
def test_what_ends_in_no_number_names_no_part(item: str):
    assert item_ids.part_number(item) is None
    assert not item_ids.is_first(item)

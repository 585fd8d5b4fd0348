"""What a request can carry, and the ids of items."""

import pytest

from plimsoll.context.log.messages import (
    Message,
    Role,
    ToolSchema,
    canonical,
    frame_item,
    frame_name,
    frame_slot,
    is_first,
    message_of,
    object_in,
    part_number,
    rewrite_json,
    schema_of,
)


def nested(levels: int) -> dict[str, object]:
    """Objects in each other, so many of them."""
    found: dict[str, object] = {}
    for _ in range(levels - 1):
        found = {"a": found}
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a":1.5,"b":[1,-2e3]}', {"a": 1.5, "b": [1, -2000.0]}),
        ("{}", {}),
        ("[]", None),
        ("1", None),
        ("{", None),
        ('{"a":NaN}', None),
        ('{"a":-Infinity}', None),
        ('{"a":1e999}', None),
        (canonical(nested(64)), nested(64)),
        (canonical(nested(65)), None),
        (canonical({"a": [nested(62)]}), {"a": [nested(62)]}),
        (canonical({"a": [nested(63)]}), None),
        ("[" * 100_000, None),
    ],
    ids=lambda value: str(value)[:12],
)
def test_arguments_are_an_object_that_a_request_can_carry(text, found):
    assert object_in(text) == found


SCHEMA = {"name": "grep", "description": "Looks.", "parameters": {"type": "object"}}


@pytest.mark.parametrize(
    ("changed", "carried"),
    [
        ({}, True),
        ({"name": ""}, False),
        ({"name": 1}, False),
        ({"description": ""}, True),
        ({"description": "\\ud800"}, True),
        ({"description": "\ud800"}, False),
        ({"parameters": []}, False),
        ({"parameters": {"default": float("nan")}}, False),
        ({"parameters": nested(64)}, True),
        ({"parameters": nested(65)}, False),
        ({"more": 1}, False),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_schema_of_a_tool_has_its_three_fields_and_no_more(changed, carried):
    fields = {**SCHEMA, **changed}
    text = canonical(fields)
    assert schema_of(text) == (ToolSchema(**fields) if carried else None)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000], ids=lambda text: text[:5])
def test_what_is_no_schema_is_none(text):
    assert schema_of(text) is None


@pytest.mark.parametrize(
    ("item", "number", "message"),
    [
        ("u1.0", 0, "u1"),
        ("u1.12", 12, "u1"),
        ("a.b.3", 3, "a.b"),
        ("u1.123456789", 123_456_789, "u1"),
        ("u1.1234567890", None, "u1"),
        ("u1.x", None, "u1"),
        ("u1.-1", None, "u1"),
        ("u1", None, ""),
    ],
)
def test_an_item_of_a_message_names_it_and_its_part(item, number, message):
    assert (part_number(item), message_of(item)) == (number, message)
    assert is_first(item) is (number == 0)


def test_a_frame_is_named_by_its_slot_and_an_older_one_by_its_entry_too():
    assert frame_item("tasks") == "frame.tasks"
    assert frame_item("tasks", "f9") == "frame.tasks~f9"
    assert (frame_name("frame.tasks~f9"), frame_slot("frame.tasks~f9")) == ("tasks~f9", "tasks")


@pytest.mark.parametrize(
    ("items", "framed", "summary"),
    [
        ((), False, False),
        (("frame.tasks", "pin.p1"), True, False),
        (("frame.tasks", "u1.0"), False, False),
        (("e1", "e1.decisions"), False, True),
        (("e1", "u1.0"), False, False),
    ],
)
def test_a_message_is_a_frame_or_a_summary_if_all_of_it_is(items, framed, summary):
    message = Message(id="m", role=Role.USER, text="x", items=items)
    assert (message.framed, message.summary) == (framed, summary)


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("say gold", "say -"),
        ('{"a":"gold"}', '{"a":"-"}'),
        ('{"gold":["gold",1]}', '{"-":["-",1]}'),
        ('{"a":"iron"}', '{"a":"iron"}'),
    ],
)
def test_json_is_rewritten_in_its_values_and_names(text, rewritten):
    assert rewrite_json(text, lambda given: given.replace("gold", "-")) == rewritten


def test_json_that_a_change_would_break_is_rewritten_value_by_value():
    """A secret that is a number, or that goes over a quote."""
    assert rewrite_json('{"a":1234,"b":[1234,5]}', lambda given: given.replace("1234", "-")) == (
        '{"a":"-","b":["-",5]}'
    )
    assert rewrite_json('{"a":"b","c":1}', lambda given: given.replace('b","c', "-")) == (
        '{"changed":"{\\"a\\":\\"-\\":1}"}'
    )

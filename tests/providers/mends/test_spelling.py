"""Names, ids and arguments as every server takes them: what is valid stays as it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.providers.mends.spelling import (
    id_of_form,
    strict_name,
    valid_arguments,
    valid_id,
    valid_name,
)

A = "a" * 64


@pytest.mark.parametrize("name", ["a", "a-b_C9", A])
def test_a_valid_name_and_id_stay_as_they_are(name: str):
    assert valid_name(name) == name
    assert valid_id(name) == name
    assert valid_id(name, characters=True) == name


@given(st.text(), st.integers(20, 64))
def test_any_name_becomes_a_valid_one_of_its_own(name: str, most: int):
    found = valid_name(name, most)
    assert re.fullmatch(rf"[a-zA-Z0-9_-]{{1,{most}}}", found)
    assert found == name or valid_name(f"{name}?", most) != found
    strict = strict_name(name, most)
    assert re.fullmatch(rf"[a-zA-Z][a-zA-Z0-9_]{{0,{most - 1}}}", strict)


def test_a_changed_name_is_cut_to_make_room_for_its_hash():
    assert re.fullmatch(r"a{57}_[0-9a-f]{6}", valid_name(A + "a"))
    assert re.fullmatch(r"mcp_x_[0-9a-f]{6}", valid_name("mcp.x!"))
    assert re.fullmatch(r"[0-9a-f]{6}", valid_name("!!"))
    assert re.fullmatch(r"t_a{55}_[0-9a-f]{6}", strict_name(A + "a", 64))
    assert (strict_name("a9_", 3), strict_name("a9_", 2)[:2]) == ("a9_", "t_")
    assert strict_name("9a", 64).startswith("t_9a_")


@pytest.mark.parametrize("call_id", [A + "a", ""])
def test_an_id_that_is_too_long_or_empty_is_replaced(call_id: str):
    assert re.fullmatch(r"call_[0-9a-f]{24}", valid_id(call_id))


def test_an_id_with_a_signature_in_it_stays_whole_but_for_strict_servers():
    signed = f"c1__thought__{'s' * 100}"
    assert valid_id(signed) == signed
    assert re.fullmatch(r"c1__thought__s{37}_[0-9a-f]{8}", valid_id(signed, characters=True))
    assert re.fullmatch(r"a_b_[0-9a-f]{8}", valid_id("a.b", characters=True))


@pytest.mark.parametrize(
    ("call_id", "form", "stays"),
    [
        ("abc123XYZ", "=9", True),
        ("abc123XY", "=9", False),
        ("abc123XYZ0", "=9", False),
        ("abc-23XYZ", "=9", False),
        ("äbc123XYZ", "=9", False),
        ("a-b_c", "<=5", True),
        ("a-b_cd", "<=5", False),
        ("a.b", "<=5", False),
        ("", "<=5", False),
    ],
)
def test_an_id_that_has_the_form_stays(call_id: str, form: str, stays: bool):
    found = id_of_form(call_id, form)
    assert (found == call_id) is stays
    assert re.fullmatch(r"[0-9A-Za-z]{9}" if form == "=9" else r"[\w-]{1,5}", found)


def test_an_id_of_a_form_has_no_more_letters_than_tell_it_apart():
    assert len(id_of_form("a.b", "<=40")) == 24
    assert len(id_of_form("a.b", "=40")) == 40
    assert len({id_of_form(f"call.{n}", "=9") for n in range(500)}) == 500


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('{"a": Infinity}', "{}"),
        ('{"a": NaN}', "{}"),
        ('{"a": "NaN"}', '{"a": "NaN"}'),
        ("{broken", "{broken"),
    ],
)
def test_numbers_that_json_has_not_are_not_sent(arguments: str, sent: str):
    assert valid_arguments(arguments) == sent

"""Every schema that a server may send becomes one of an object, bounded, and never narrower."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.mcp.schemas import MOST_CHARACTERS, MOST_SENT, simplify

TEXT = {"type": "string"}
LOOP = {
    "type": "object",
    "properties": {"child": {"$ref": "#"}, "name": TEXT},
    "required": ["name"],
}


def test_a_plain_schema_stays_as_it_is():
    plain = {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "A path."},
            "n": {"type": "integer"},
        },
        "required": ["path"],
        "additionalProperties": False,
    }
    assert simplify(plain) == plain


def test_several_types_stay_and_what_is_no_type_goes():
    sent = {"properties": {"a": {"type": ["string", "null"]}, "b": {"type": [["string"], {}]}}}
    made = simplify(sent)["properties"]
    assert made == {"a": {"type": ["string", "null"]}, "b": {}}


def test_references_are_put_in_place_and_a_circle_ends():
    sent = {
        "$defs": {"Place": {"type": "object", "properties": {"city": TEXT}}, "Loop": LOOP},
        "type": "object",
        "properties": {
            "at": {"$ref": "#/$defs/Place", "description": "Where."},
            "loop": {"$ref": "#/$defs/Loop"},
            "gone": {"$ref": "#/$defs/Nothing"},
            "far": {"$ref": "https://example.org/schema"},
        },
    }
    made = simplify(sent)
    assert "$ref" not in json.dumps(made)
    assert made["properties"]["at"] == {
        "type": "object",
        "properties": {"city": TEXT},
        "description": "Where.",
    }
    assert made["properties"]["gone"] == made["properties"]["far"] == {}


@pytest.mark.parametrize(
    ("kind", "required"), [("anyOf", ["a"]), ("oneOf", ["a"]), ("allOf", ["a", "b", "c"])]
)
def test_a_choice_at_the_top_becomes_one_object(kind: str, required: list[str]):
    choices = [
        {"properties": {"a": TEXT, "b": TEXT}, "required": ["a", "b"]},
        {"properties": {"a": TEXT, "c": TEXT}, "required": ["a", "c"]},
    ]
    # Where a choice does not name it, it may be anything.
    other = TEXT if kind == "allOf" else {"anyOf": [TEXT, {}]}
    made = simplify({kind: choices})
    assert made == {
        "type": "object",
        "properties": {"a": TEXT, "b": other, "c": other},
        "required": required,
    }


@pytest.mark.parametrize(
    "sent", [True, False, None, [], "x", {}, {"type": "string"}, {"$ref": "#"}]
)
def test_what_is_no_schema_of_an_object_becomes_one(sent: object):
    assert simplify(sent) == {"type": "object", "properties": {}}


def test_booleans_within_become_any_or_nothing():
    sent = {"type": "object", "properties": {"any": True, "none": False, "list": {"items": True}}}
    assert simplify(sent)["properties"] == {"any": {}, "list": {}}


def test_a_large_schema_loses_its_words_then_all_but_the_names():
    long = {"type": "string", "description": "word " * 100}
    wordy = simplify({"type": "object", "properties": {f"p{n}": long for n in range(100)}})
    assert wordy["properties"]["p0"] == TEXT
    deep = {"type": "object", "properties": {f"q{n}": {"enum": ["x" * 50] * 9} for n in range(50)}}
    assert simplify(deep)["properties"]["q0"] == {}
    endless: dict[str, Any] = {"type": "object", "properties": {"x": TEXT}}
    for _ in range(2_000):
        endless = {"type": "object", "properties": {"x": endless}}
    for sent in (deep, endless, {"type": "object", "properties": {"y" * 30_000: TEXT}}):
        assert len(json.dumps(simplify(sent))) <= MOST_CHARACTERS


def referring(**defined: object) -> dict[str, Any]:
    """A schema of many properties, each of which refers to ``one``."""
    properties = {f"p{n}": {"$ref": "#/$defs/one"} for n in range(1_900)}
    return {"type": "object", "properties": properties, "$defs": defined}


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "hostile",
    [
        referring(one={f"k{n}": 1 for n in range(9_000)}),
        referring(one={"$ref": "#/$defs/one/" + "x/" * 50_000}),
        referring(one={"$ref": "#/$defs/one"}, **{f"k{n}": 1 for n in range(9_000)}),
        referring(one={"enum": ["x" * 120_000]}),
        referring(one={"enum": ["x"] * 25_000, "required": ["x"] * 1_000}),
    ],
)
def test_references_to_what_is_large_cost_little(hostile: dict[str, Any]):
    assert len(json.dumps(hostile)) <= MOST_SENT
    assert len(json.dumps(simplify(hostile))) <= MOST_CHARACTERS


def test_of_a_huge_schema_only_the_names_are_read():
    huge = {
        "properties": {"a": TEXT, "b": {"enum": ["x" * MOST_SENT]}},
        "required": ["b"],
    }
    names = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}
    assert simplify(huge) == names


SCHEMAS = st.recursive(
    st.sampled_from([TEXT, {"type": "integer"}, {"enum": ["a", 1]}, True, {"$ref": "#/$defs/d"}]),
    lambda inner: st.one_of(
        st.builds(
            lambda named, needed: {"type": "object", "properties": named, "required": needed},
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        ),
        st.builds(lambda one: {"type": "array", "items": one}, inner),
        st.builds(lambda many: {"anyOf": many}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda many: {"oneOf": many}, st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=12,
)
VALUES = st.dictionaries(
    st.sampled_from("abcd"),
    st.recursive(
        st.sampled_from(["a", 1, None, True]),
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
        ),
        max_leaves=5,
    ),
    max_size=4,
)


@given(SCHEMAS, VALUES)
def test_what_the_server_takes_is_not_refused_here(sent: Any, value: dict[str, object]):
    whole = {"$defs": {"d": TEXT}, **(sent if isinstance(sent, dict) else {})}
    made = simplify(whole)
    jsonschema.Draft202012Validator.check_schema(made)
    if jsonschema.Draft202012Validator(whole).is_valid(value):
        jsonschema.Draft202012Validator(made).validate(value)

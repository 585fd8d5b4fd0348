"""What the notes of a log say; one that does not parse says nothing and breaks nothing."""

import json

import pytest

from builders import AT, user
from plimsoll.context.index.read_notes import ReadNotes
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import notes_of_kind, unreadable_notes

GOOD = {
    "stale": {"line": 3},
    "fresh": {},
    "usage": {"purpose": "turn", "model": "m", "input": 1, "cached": 0, "output": 2},
    "turn": {"used": 9},
    "breaker": {"failures": 2},
    "calibration": {"model": "m", "factor": 1.1, "band": 0},
    "postponed": {"until": 2**31},
}
BAD = ["", "[]", "null", "1", '"{}"', "{", "[" * 100_000, '{"used":' + "9" * 5_000 + "}"]
VALUES = [None, "1", True, -1, 1.5, 2**60, [], {}, float("nan"), float("inf")]


def note(what: str, data: str, item: str | None = None) -> Noted:
    return Noted(id=f"n.{what}", at=AT, what=what, item=item, data=data)


@pytest.mark.parametrize("what", GOOD)
def test_what_a_note_of_ours_says_is_read(what):
    fields = {**GOOD[what], "more": "of a later version"}
    entries = [user("u1", "hello"), note(what, json.dumps(fields)), note("other", "{}")]
    assert [found.values for found in notes_of_kind(entries, what)] == [fields]
    assert [each.what for each in unreadable_notes(entries)] == ["other"]


@pytest.mark.parametrize("what", GOOD)
@pytest.mark.parametrize("data", BAD, ids=lambda data: data[:9])
def test_a_note_that_is_no_object_says_nothing(what, data):
    entries = [note(what, data, "r1.0")]
    assert list(notes_of_kind(entries, what)) == []
    assert unreadable_notes(entries) == entries
    notes = ReadNotes()
    notes.read_note(entries[0])
    assert (notes.stale, notes.about(["r1.0"])) == (set(), [])


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("what", ["usage", "turn", "breaker", "postponed"])
def test_a_count_is_a_whole_number_that_every_client_can_hold(what, value):
    for name in [name for name, good in GOOD[what].items() if isinstance(good, int)]:
        entries = [note(what, json.dumps({**GOOD[what], name: value}))]
        assert list(notes_of_kind(entries, what)) == []


@pytest.mark.parametrize("value", [None, "1", True, -1, 1e9, float("nan"), float("inf")], ids=repr)
def test_a_factor_is_a_sensible_number(value):
    entries = [note("calibration", json.dumps({**GOOD["calibration"], "factor": value}))]
    assert list(notes_of_kind(entries, "calibration")) == []


@pytest.mark.parametrize(
    ("what", "name", "most", "more"),
    [
        ("turn", "used", 2**53, 2**53 + 1),
        ("calibration", "factor", 1_000.0, 1_000.5),
        ("calibration", "band", 0, -0.5),
    ],
)
def test_a_number_counts_up_to_its_limit(what, name, most, more):
    fields = [{**GOOD[what], name: value} for value in (most, more)]
    entries = [note(what, json.dumps(each)) for each in fields]
    assert [found.values for found in notes_of_kind(entries, what)] == [fields[0]]


def test_a_factor_that_a_note_lacks_has_the_usual_one():
    data = json.dumps({**GOOD["calibration"], "digits": 0.5, "tools": True})
    (found,) = notes_of_kind([note("calibration", data)], "calibration")
    assert found.factor("factor") == 1.1
    given = [found.factor_or(name, 7.0) for name in ("digits", "tools", "foreign")]
    assert given == [0.5, 7.0, 7.0]

"""What is done next with a session, by where its log is."""

from dataclasses import replace

import pytest

from plimsoll.storage.shared.news import SharedSession
from plimsoll.storage.shared.travelling import SessionPlaces
from plimsoll.team.travelling.deciding import (
    TravelStep,
    branch_record,
    brought_record,
    next_step,
    same_length,
)
from storage.samples import record, said

USED = record("s1", turns=1)


def places(here: int, there: int | None, sent: int = 0, **fields: object) -> SessionPlaces:
    shared = None if there is None else SharedSession(USED, there, "galley#1", is_held=False)
    values = {"record": USED, **fields}
    return SessionPlaces(id="s1", here=here, there=shared, sent=sent, **values)


@pytest.mark.parametrize(
    ("found", "shown", "not_shown"),
    [
        (places(3, None), "SEND", "SEND"),
        (places(3, None, record=record("s1")), "NOTHING", "NOTHING"),
        (places(1, None, record=record("s1", preview="hello")), "SEND", "SEND"),
        (places(0, 4, record=None), "NOTHING", "NOTHING"),
        (places(4, 4, 4), "TAKE", "NOTHING"),
        (places(4, 4, 4, fence=1), "RENEW", "RELEASE"),
        (places(5, 4, 4), "TAKE", "TAKE"),
        (places(5, 4, 4, fence=1), "SEND", "SEND"),
        (places(4, 6, 4), "BRING", "NOTHING"),
        (places(4, 6, 4, fence=1), "BRING", "RELEASE"),
        (places(5, 6, 4), "TAKE", "TAKE"),
        (places(5, 6, 4, deleted=True), "DELETE", "DELETE"),
        (places(5, 6, 4, deleted=True, stays=True), "NOTHING", "NOTHING"),
        (places(0, 6, 0, record=None, deleted=True), "NOTHING", "NOTHING"),
    ],
)
def test_the_next_step_follows_from_where_the_log_is(
    found: SessionPlaces, shown: str, not_shown: str
):
    assert next_step(found, in_use=True) is TravelStep[shown]
    assert next_step(found, in_use=False) is TravelStep[not_shown]


def test_a_branch_is_a_session_of_its_own_that_names_the_machine():
    at = "2026-02-01T00:00:00Z"
    assert branch_record(USED, new_id="s9", machine="galley", now=at) == replace(
        USED, id="s9", title="A title (on galley)", parent_id="s1", created_at=at, updated_at=at
    )
    assert branch_record(record("s1", title=""), new_id="s9", machine="galley", now="").title == (
        "On galley"
    )


def test_a_session_that_comes_here_is_of_the_folder_here():
    assert brought_record(USED, "file:///here").workspace == "file:///here"


@pytest.mark.parametrize(
    ("here", "there", "same"), [("", "ab", 0), ("ab", "", 0), ("ab", "abc", 2), ("axc", "abc", 1)]
)
def test_what_two_logs_have_in_common_ends_at_the_first_difference(
    here: str, there: str, same: int
):
    assert same_length([said(each) for each in here], [said(each) for each in there]) == same

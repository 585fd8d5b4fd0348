"""The decision about one request, by where its session was held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.session.ports.addresses import ModelAddress, Reach, describe_addresses, verdict
from plimsoll.storage.base import HeldAddress

CLOUD = ModelAddress("https://api.example.org", "network")
OTHER = ModelAddress("https://api.example.com", "network")
LOCAL = ModelAddress("http://127.0.0.1:8080", "machine")
INSIDE = ModelAddress("embedded", "process")
REACHES: tuple[Reach, ...] = ("process", "machine", "network")


@pytest.mark.parametrize(
    ("known", "now", "machine", "expected"),
    [
        ([], CLOUD, "here", "begins"),
        ([], INSIDE, "here", "begins"),
        ([CLOUD], CLOUD, "here", "known"),
        ([CLOUD], CLOUD, "there", "known"),
        ([CLOUD], OTHER, "here", "ask"),
        ([CLOUD, LOCAL], LOCAL, "here", "known"),
        ([LOCAL], LOCAL, "there", "ask"),
        ([LOCAL], CLOUD, "here", "ask"),
        ([INSIDE], CLOUD, "here", "ask"),
        ([INSIDE], LOCAL, "here", "ask"),
        ([CLOUD], INSIDE, "here", "known"),
    ],
)
def test_a_session_goes_on_where_it_was_held(known, now, machine, expected):
    assert verdict([each.held_address("here") for each in known], now, machine) == expected


ADDRESSES = st.builds(ModelAddress, st.sampled_from("abc"), st.sampled_from(REACHES))
MACHINES = st.sampled_from(["here", "there"])


@given(st.lists(st.tuples(ADDRESSES, MACHINES), min_size=1), ADDRESSES, MACHINES)
def test_nothing_leaves_for_where_the_session_was_not(held, now, machine):
    known = {each.held_address(there) for each, there in held}
    found = verdict(known, now, machine)
    assert found == (
        "known" if now.reach == "process" or now.held_address(machine) in known else "ask"
    )


def test_people_are_told_of_another_machine():
    known = [HeldAddress("http://127.0.0.1:8080", "there"), HeldAddress("https://api.example.org")]
    told = "http://127.0.0.1:8080 on another machine and https://api.example.org"
    assert describe_addresses(known, "here") == told

"""Every name that a server may give a tool becomes one that providers take, and stays apart."""

import re

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.mcp.naming import called_name

TAKEN = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
ODD = [
    *(
        "repo.search",
        "repo/search",
        "a b",
        "",
        "é",
        "日本語",
        "🎉",
        "x" * 65,
        "x" * 200,
        "a:b",
        "a__b",
    ),
    *(
        "A",
        "a",
        "-",
        "_",
        "__",
        ".",
        "..",
        "a.b",
        "a/b",
        "a\nb",
        "a\0b",
        "\ud800",
        "mcp__x__y",
        "a\tb",
    ),
]


def test_odd_names_are_mapped_and_no_two_are_one():
    names = [(server, tool) for server in ("git", "my server", "a__b", "a_", "") for tool in ODD]
    called = [called_name(*pair) for pair in names]
    assert [name for name in called if not TAKEN.match(name)] == []
    assert len(set(called)) == len(called)


def test_a_plain_name_stays_as_it_is():
    assert called_name("git", "git_status") == "mcp__git__git_status"
    assert called_name("files", "read-file") == "mcp__files__read-file"


def test_names_that_would_be_read_alike_differ():
    assert called_name("a__b", "c") != called_name("a", "b__c")
    assert called_name("a_", "b") != called_name("a", "_b")
    assert called_name("a", "b.c") != called_name("a", "b_c")


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_each_tool_has_a_name_of_its_own(one: tuple[str, str], other: tuple[str, str]):
    names = called_name(*one), called_name(*other)
    assert all(map(TAKEN.match, names))
    assert (names[0] == names[1]) == (one == other)

"""`/permissions`: what is listed, and what is said of it where it changes nothing."""

import pytest

from plimsoll.session.commands.permission_commands import NO_PERMISSIONS, permissions_markdown
from plimsoll.storage.chosen.base import Permission


def kept(kind: str) -> Permission:
    return Permission(
        number=3,
        at="2026-11-26T04:00:00Z",
        kind=kind,
        subject="x",
        what="`npm test`",
        covers="exactly these words",
        defined_by="[]",
    )


@pytest.mark.parametrize(
    ("kind", "unasked", "said"),
    [
        ("command", False, "in the full sandbox alone"),
        ("firstWords", True, "change nothing"),
        ("edits", True, "in the full sandbox alone"),
    ],
)
def test_each_is_listed_with_its_scope_and_where_it_counts(kind: str, unasked: bool, said: str):
    text = permissions_markdown([kept(kind)], confined_unasked=unasked)
    assert "- 3: `npm test` (exactly these words), since 2026-11-26" in text
    assert said in text


def test_where_nothing_is_allowed_it_says_where_that_is_offered():
    assert permissions_markdown([], confined_unasked=False) == NO_PERMISSIONS

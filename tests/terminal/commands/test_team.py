"""The words behind `plimsoll team`, and where an option may stand among them."""

import pytest

from plimsoll.terminal.arguments import parser


@pytest.mark.parametrize(
    "line",
    [
        "team members add ada --workspace there --config more.toml",
        "team members --workspace there --config more.toml add ada",
        "team members --workspace there remove ada --config more.toml",
    ],
)
def test_the_folder_is_named_before_or_behind_what_is_done_with_a_member(line: str):
    given = parser().parse_args(line.split())
    assert (given.workspace, given.config, given.role) == ("there", "more.toml", "ada")

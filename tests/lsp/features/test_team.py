"""How a folder stands with its team: on the wire, and told to clients that show it or do not."""

import pytest

from plimsoll.lsp.features.commands import describe_result
from plimsoll.lsp.features.convert import team as convert
from plimsoll.lsp.features.team_changes import TeamChanges
from plimsoll.lsp.wire.base import dump
from plimsoll.storage.shared.status import SuggestedProject, TeamState, TeamStatus

FOLDER = "file:///w"
AWAY = TeamStatus(
    state=TeamState.AWAY,
    project="harbour",
    url="postgresql://anna@db:5432/team",
    since="2026-11-27T10:00:00Z",
    queued=2,
    message="The team's server cannot be reached.",
    remedy="Check the network.",
)
OK = TeamStatus(state=TeamState.OK, project="harbour", url=AWAY.url, role="anna", rights="write")
TROUBLE = "The team's server cannot be reached. Check the network."


@pytest.fixture
def told():
    return []


@pytest.fixture
def changes(told):
    return TeamChanges(lambda method, params, _key: told.append((method, params)))


def test_a_status_has_what_a_person_is_told():
    suggesting = TeamStatus(suggested=SuggestedProject(project="p-1", name="harbour"))

    assert dump(convert.status(suggesting)) == {
        "state": "off",
        "queued": 0,
        "suggested": {"project": "p-1", "name": "harbour"},
    }
    assert dump(convert.status(AWAY)) == {
        "state": "away",
        "project": "harbour",
        "url": "postgresql://anna@db:5432/team",
        "since": "2026-11-27T10:00:00Z",
        "queued": 2,
        "message": "The team's server cannot be reached.",
        "remedy": "Check the network.",
    }


def test_a_client_that_shows_a_team_is_told_all_of_it(changes, told):
    changes.shown = True

    changes.tell(FOLDER, OK)

    assert told == [
        (
            "plimsoll/team/didChange",
            {"workspaceFolder": FOLDER, **dump(convert.status(OK))},
        )
    ]


def test_another_client_is_told_what_is_wrong_once_and_that_it_is_right_again(changes, told):
    for status in (OK, AWAY, AWAY, OK, OK):
        changes.tell(FOLDER, status)

    assert [(method, params["kind"]) for method, params in told] == [
        ("plimsoll/didChangeStatus", "warning"),
        ("plimsoll/didChangeStatus", "ok"),
    ]
    assert told[0][1]["message"] == TROUBLE


def test_a_command_says_how_it_stands_in_words():
    assert describe_result("plimsoll/team/status", convert.status(TeamStatus())) == (
        "This folder takes part in no team."
    )
    said = describe_result("plimsoll/team/status", convert.status(AWAY))
    assert said == f"**harbour**: away. Waiting to be sent: 2. {TROUBLE}"

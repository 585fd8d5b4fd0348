"""What each trouble with a team's server says to a person."""

import pytest

from plimsoll.errors import NotFound, StoreNewer, StoreUnavailable
from plimsoll.storage.shared.base import Membership
from plimsoll.storage.shared.reasons import Reason
from plimsoll.storage.shared.status import TeamState
from plimsoll.team.troubles import (
    NO_DRIVER,
    Trouble,
    is_of_server,
    read_only_role,
    slowness,
    trouble_of,
)
from team.ends import JOINED

PASSWORD_REMEDY = (
    "In VS Code, give it by “Plimsoll: Share with a Team…”. Elsewhere set PLIMSOLL_TEAM_PASSWORD, "
    "or join once more with the password in the address: it is kept in the system's keyring."
)


def unavailable(reason: str) -> StoreUnavailable:
    return StoreUnavailable("It does this.", remedy="Do that.", data={"reason": reason})


@pytest.mark.parametrize(
    ("reason", "state", "remedy"),
    [
        *(
            (reason, TeamState.AWAY, "Do that. What you share meanwhile is sent later.")
            for reason in (Reason.AWAY, Reason.TIMEOUT, Reason.CONNECTIONS, Reason.CONTENTION)
        ),
        *((reason, TeamState.READ_ONLY, "Do that.") for reason in (Reason.READ_ONLY, Reason.FULL)),
        *(
            (reason, TeamState.REFUSED, "Do that.")
            for reason in (
                *(Reason.ADDRESS, Reason.ROLE, Reason.REFUSED, Reason.DATABASE, Reason.OLDER),
                *(Reason.RIGHTS, Reason.CERTIFICATE, NO_DRIVER),
            )
        ),
        (Reason.LOGIN, TeamState.REFUSED, PASSWORD_REMEDY),
        (
            Reason.TABLES,
            TeamState.REFUSED,
            "Make a project there first: `plimsoll team create NAME URL`.",
        ),
    ],
)
def test_each_reason_has_a_state_and_a_remedy(reason: str, state: TeamState, remedy: str):
    assert trouble_of(unavailable(reason), JOINED) == Trouble(state, "It does this.", remedy)


def test_tables_of_a_newer_version_and_a_project_that_is_gone():
    newer = StoreNewer("The tables have version 9.", remedy="Update Plimsoll on this machine.")
    assert trouble_of(newer, JOINED) == Trouble(
        TeamState.REFUSED, "The tables have version 9.", "Update Plimsoll on this machine."
    )
    assert trouble_of(NotFound("project", "harbour"), JOINED) == Trouble(
        TeamState.REFUSED,
        "The project 'harbour' is no longer at the team's server, or this role is no longer a "
        "member of it.",
        "Ask whoever runs it. `plimsoll team leave` ends it here and keeps what is your own.",
    )


def test_a_role_that_reads_alone_and_a_slow_server():
    assert read_only_role(Membership("ada", "read"), JOINED) == Trouble(
        TeamState.READ_ONLY,
        "The role 'ada' may only read the project 'harbour': what you share stays on this machine.",
        "Ask who administers it: `plimsoll team members add ROLE` lets a role write.",
    )
    assert slowness() == Trouble(
        TeamState.SLOW,
        "The team's server takes more than 300 ms to answer.",
        "Nothing here waits for it.",
    )


def test_an_error_of_the_folders_own_store_is_none_of_the_server():
    assert is_of_server(unavailable(Reason.AWAY))
    assert is_of_server(NotFound("project", "harbour"))
    assert not is_of_server(StoreUnavailable("The disk is full."))

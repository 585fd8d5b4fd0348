"""What goes wrong with a team's server, as a state and in words for a person. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from plimsoll.errors import NotFound, PlimsollError, StoreNewer
from plimsoll.storage.shared.base import Joined, Membership
from plimsoll.storage.shared.reasons import Reason
from plimsoll.storage.shared.status import TeamState

SLOW_SECONDS = 0.3
NO_DRIVER = "driver"
"""``data["reason"]`` where the library for a team's server is not installed."""
_NOT_WRITABLE: Collection[object] = {Reason.READ_ONLY, Reason.FULL}
"""There is still something to be read."""
_MAY_PASS: Collection[object] = {
    *(Reason.AWAY, Reason.TIMEOUT, Reason.CONNECTIONS, Reason.CONTENTION)
}
"""What may end by itself; anything else stays as it is until a person does something."""
_REMEDIES: Mapping[object, str] = {
    Reason.LOGIN: "In VS Code, give it by “Plimsoll: Share with a Team…”. Elsewhere set "
    "PLIMSOLL_TEAM_PASSWORD, or join once more with the password in the address: it is kept in "
    "the system's keyring.",
    Reason.TABLES: "Make a project there first: `plimsoll team create NAME URL`.",
}
"""By the reason: what a person can do here; of others the error itself says it."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a team's server."""

    state: TeamState
    message: str
    remedy: str | None

    @property
    def words(self) -> str:
        """Message and remedy as one text."""
        return f"{self.message} {self.remedy or ''}".rstrip()


def trouble_of(error: PlimsollError, joined: Joined) -> Trouble:
    """Return the trouble that an error of the server is for a person."""
    if isinstance(error, NotFound):
        return Trouble(
            TeamState.REFUSED,
            f"The project {joined.name!r} is no longer at the team's server, or this role is no "
            "longer a member of it.",
            "Ask whoever runs it. `plimsoll team leave` ends it here and keeps what is your own.",
        )
    if isinstance(error, StoreNewer):
        return Trouble(TeamState.REFUSED, error.message, error.remedy)
    reason = error.data.get("reason")
    remedy = _REMEDIES.get(reason, error.remedy)
    if reason in _MAY_PASS:
        later = f"{remedy or ''} What you share meanwhile is sent later.".lstrip()
        return Trouble(TeamState.AWAY, error.message, later)
    state = TeamState.READ_ONLY if is_of_writing(error) else TeamState.REFUSED
    return Trouble(state, error.message, remedy)


def read_only_role(membership: Membership, joined: Joined) -> Trouble:
    """Return the trouble with a role that may only read."""
    return Trouble(
        TeamState.READ_ONLY,
        f"The role {membership.role!r} may only read the project {joined.name!r}: what you share "
        "stays on this machine.",
        "Ask who administers it: `plimsoll team members add ROLE` lets a role write.",
    )


def slowness() -> Trouble:
    """Return the trouble with a server that answers late."""
    return Trouble(
        TeamState.SLOW,
        f"The team's server takes more than {SLOW_SECONDS * 1000:.0f} ms to answer.",
        "Nothing here waits for it.",
    )


def is_of_writing(error: PlimsollError) -> bool:
    """Tell whether an error says that only writing fails, so that news can still be read."""
    return error.data.get("reason") in _NOT_WRITABLE


def is_of_server(error: PlimsollError) -> bool:
    """Tell whether an error is the server's; else it is of the folder's own store."""
    return isinstance(error, NotFound | StoreNewer) or "reason" in error.data

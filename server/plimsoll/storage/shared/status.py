"""The status of a folder's team, as a person is told it."""

from dataclasses import dataclass
from enum import StrEnum

from plimsoll.storage.shared.base import Rights


class TeamState(StrEnum):
    """The state of the exchange between a folder and its team's server."""

    OFF = "off"
    """The folder takes part in no project."""
    OK = "ok"
    SLOW = "slow"
    """The server answers, but takes long."""
    READ_ONLY = "readOnly"
    """The server, or the role there, takes no changes: they wait."""
    AWAY = "away"
    """The server cannot be reached: changes wait."""
    REFUSED = "refused"
    """The server refuses, and will until a person does something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedProject:
    """The shared project that a file of the folder names, without an address."""

    project: str
    """The project's UUID."""
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamStatus:
    """What a person is told of a folder's team; nothing of it is a secret."""

    state: TeamState = TeamState.OFF
    project: str | None = None
    """The project's name."""
    url: str | None = None
    """The server's address without a password."""
    role: str | None = None
    """Who the person is at the server, as it said itself."""
    rights: Rights | None = None
    """What the role may do there; None until the server has said so."""
    since: str | None = None
    """When the state began."""
    queued: int = 0
    """How many operations wait to be sent."""
    seen_at: str | None = None
    """When the server was last heard; None if never."""
    message: str | None = None
    """One sentence on what is wrong."""
    remedy: str | None = None
    suggested: SuggestedProject | None = None
    """Only where the folder takes part in no project."""

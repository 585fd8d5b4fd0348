"""What a folder's project is as a whole: its store, and the team that it is shared with."""

from typing import Literal

from pydantic import Field, SecretStr, StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.memories import WorkspaceParams

TeamState = TypeAliasType("TeamState", Literal["off", "ok", "slow", "readOnly", "away", "refused"])
TeamRights = TypeAliasType("TeamRights", Literal["admin", "write", "read"])


class StoreParams(Wire):
    """The folder whose store is meant."""

    workspace_folder: str


class StoreSalvageResult(Wire):
    """The counts of the new store; `lost` entries between others could not be read.

    `damagedPath` is the folder in which the damaged file is kept as it was; `leftTeam` the project
    of a team in which the folder takes no part any more.
    """

    sessions: int
    entries: int
    lost: int
    memories: int
    pins: int
    damaged_path: str
    left_team: str | None = None


class StoreForgetParams(Wire):
    """The folder to forget, also one that is gone, or all; nothing goes unless `confirmed`."""

    workspace_folder: str | None = None
    confirmed: StrictBool = False


class KeptFolder(Wire):
    """A folder of which something is kept; counts are left out if its database cannot be read."""

    path: str
    sessions: int | None = None
    memories: int | None = None
    pins: int | None = None
    files: int
    bytes: int


class StoreForgetResult(Wire):
    """The folders of which something is kept; after `confirmed`, those that were deleted."""

    kept: tuple[KeptFolder, ...]


class ProjectLinkParams(WorkspaceParams):
    """The folder, and `fromPath`, the URI from which it was moved and whose store it takes over."""

    from_path: str


class TeamSuggestion(Wire):
    """The shared project that the folder's own file `.plimsoll/project` names, by its id too."""

    project: str
    name: str


class TeamStatus(Wire):
    """Whether a folder takes part in a team's project, and how it stands with the team's server.

    `project` is its name and `url` the address without a password, `role` who one is there. The
    state holds `since`, and the server was last heard at `seenAt`, both RFC 3339 UTC. `queued`
    changes wait here until the server has them. `message` is one sentence for the person and
    `remedy` what to do about it. `suggested` is there while it takes part in none.
    """

    project: str | None = None
    url: str | None = None
    state: TeamState | str
    role: str | None = None
    rights: TeamRights | str | None = None
    since: str | None = None
    seen_at: str | None = None
    queued: int
    message: str | None = None
    remedy: str | None = None
    suggested: TeamSuggestion | None = None


class TeamJoinParams(WorkspaceParams):
    """The project to take part in, and the address of the server that has it.

    Without `name` it is the one that the person's settings or the folder's own file name, without
    `url` the server is that of the settings.
    """

    name: str | None = Field(default=None, min_length=1)
    url: str | None = Field(default=None, min_length=1)


class TeamCreateParams(WorkspaceParams):
    """The name of the project to make, and the address of the server that is to keep it.

    `writeFile` also writes `.plimsoll/project`, which suggests the project to colleagues.
    """

    name: str = Field(min_length=1)
    url: str | None = Field(default=None, min_length=1)
    write_file: StrictBool = False


class TeamAcceptParams(WorkspaceParams):
    """The colleague whose memories take effect from now on without waiting in the inbox."""

    author: str = Field(min_length=1)


class TeamSetPasswordParams(Wire):
    """The password for a team's server, from the client's secret store; kept in memory alone."""

    url: str = Field(min_length=1)
    # Secret: shown as asterisks wherever the value is printed or logged by mistake.
    password: SecretStr = Field(min_length=1)


class TeamSetPasswordResult(Wire):
    """The address as the server writes it, under which the client's secret store keeps it."""

    url: str


class TeamDidChangeParams(TeamStatus):
    """The team's state as it is now, of one folder."""

    workspace_folder: str

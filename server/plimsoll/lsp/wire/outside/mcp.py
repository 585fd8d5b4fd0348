"""MCP servers on the wire: what is configured, how each does, and changes on the person's word."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.memories import WorkspaceParams

McpState = TypeAliasType(
    "McpState", Literal["idle", "starting", "ready", "failed", "signIn", "off"]
)
_Name = Annotated[str, Field(min_length=1, max_length=100)]
_Text = Annotated[str, Field(max_length=10_000)]


class McpOwner(Wire):
    """The session whose folder's servers are meant."""

    session_id: str


class McpServerOwner(McpOwner):
    """A server of the folder, by its name."""

    server: _Name


class McpServerSwitch(McpServerOwner):
    """The switch of a server, which holds for the person in every folder."""

    enabled: StrictBool


class McpToolSwitch(McpServerSwitch):
    """The switch of a tool, by the name that its server gives it."""

    tool: _Text


class McpAddParams(McpOwner):
    """A server as the person types it: `command`, the program with its arguments, or `url`.

    `${NAME}` in a text stands for a variable of the server's environment; a secret is always given
    so. `clientId` and `clientSecret` are of an app that the person registered for logins at `url`.
    """

    name: _Name
    command: tuple[_Text, ...] = ()
    env: dict[str, _Text] = Field(default_factory=dict)
    url: _Text | None = None
    headers: dict[str, _Text] = Field(default_factory=dict)
    client_id: _Text | None = None
    client_secret: _Text | None = None


class McpTakeOverParams(McpOwner):
    """Servers of another program's file, which the person has seen and wants."""

    path: _Text
    servers: tuple[_Name, ...]


class McpTool(Wire):
    """A tool of a server; the server `claimsReading`: it says that it changes nothing."""

    name: str
    description: str
    enabled: bool
    claims_reading: bool


class McpOfferedPrompt(Wire):
    """A prompt, sent as `/server:name`; `hint`: its arguments, as a person writes them."""

    name: str
    description: str | None = None
    hint: str | None = None


class McpOfferedResource(Wire):
    """A resource that a message names as `@server:uri`."""

    uri: str
    name: str | None = None
    description: str | None = None


class McpOffers(Wire):
    """What a message can name of a server, at most 100 of each; descriptions are cut."""

    prompts: tuple[McpOfferedPrompt, ...]
    resources: tuple[McpOfferedResource, ...]


class McpServer(Wire):
    """A server that the person configured.

    `runs` is the program with its arguments, or the address, without secrets; `tools` what it
    offered when it was last asked; `tokens` what it takes of each request; `missing` the variables
    that are still to be set; `signsIn`: it is reached at an address, and can ask for a login;
    `offers` its prompts and resources for completion, none for a server that is off.
    """

    name: str
    state: McpState | str
    runs: str
    tools: tuple[McpTool, ...]
    prompts: int
    resources: int
    tokens: int
    missing: tuple[str, ...] = ()
    signs_in: bool
    offers: McpOffers | None = None
    error: str | None = None
    remedy: str | None = None


class McpServersResult(Wire):
    """The servers by name, and why none can be used, if the library for it is not installed."""

    servers: tuple[McpServer, ...]
    unusable: str | None = None


class McpFoundServer(Wire):
    """A server in another program's file.

    `runs` is what would be started or reached, none if it cannot be taken over; `notes` say what
    is different here. `known`: one of this name is configured.
    """

    name: str
    runs: str | None = None
    notes: tuple[str, ...]
    known: bool


class McpFoundFile(Wire):
    """A file in which an editor or another agent keeps servers; `error` why it is not read."""

    path: str
    servers: tuple[McpFoundServer, ...]
    error: str | None = None


class McpFoundResult(Wire):
    """The files that are there."""

    files: tuple[McpFoundFile, ...]


class McpDidChangeParams(WorkspaceParams):
    """The folder one of whose servers has another state, or offers something else."""

"""The port of the host of MCP servers, in the terms of the Model Context Protocol.

A person configures servers; a host starts one when it is first needed and shares it between the
sessions of a folder. What a server says of itself and what it answers is untrusted text.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, cast

from plimsoll.context.log.messages import Image, canonical, clean, object_in
from plimsoll.errors import ToolFailed
from plimsoll.tools.display import escape_hidden

FIND_TOOLS, CALL_TOOL = "find_tools", "call_tool"
"""The tools by which a model finds and calls the tools of all servers."""
CALLED_PREFIX = "mcp__"
"""The beginning of the name that a tool of a server has for models, hooks and agents."""
LONGEST_DESCRIPTION = 1_024
"""Characters of a tool's description for models."""
State = Literal["idle", "starting", "ready", "failed", "signIn", "off"]
"""Not started yet, being started, in use, not usable, waiting for a login, or switched off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """One server as the person configured it: a command, or an address."""

    name: str
    command: tuple[str, ...] = ()
    """The program and its arguments; empty: it is reached at ``url``."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """All that it gets of the environment beside the few variables that any program needs."""
    url: str | None = None
    """The address of a server by streamable HTTP."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    client_id: str | None = None
    """What the person registered at the authorization server of ``url``; none: a login registers
    itself."""
    client_secret: str | None = field(default=None, repr=False)
    enabled: bool = True
    off_tools: frozenset[str] = frozenset()
    """Names of tools, as the server has them, that the person switched off."""
    missing: tuple[str, ...] = ()
    """Variables that its configuration refers to and that are not set: it is not started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool:
    """A tool of a server."""

    server: str
    name: str
    """Its name as the server has it."""
    called: str
    """Its name for models, hooks and agents: ``mcp__SERVER__TOOL``, of 1 to 64 characters
    ``a-zA-Z0-9_-``, different from that of any other tool."""
    title: str = ""
    description: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict[str, object])
    """Its JSON Schema, an object, as a provider takes it."""
    fingerprint: str = ""
    """SHA-256 of description and schema as the server sent them: an approval holds for it alone."""
    claims_reading: bool = False
    """The server says that it changes nothing (``readOnlyHint``): a claim, no permission."""
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class McpArgument:
    """An argument of a prompt."""

    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class McpPrompt:
    """A prompt of a server, which a person can send."""

    server: str
    name: str
    description: str = ""
    arguments: tuple[McpArgument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class McpResource:
    """A resource of a server, or a template of their addresses."""

    server: str
    uri: str
    name: str = ""
    description: str = ""
    media_type: str | None = None
    is_template: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class McpOffer:
    """What is known of a server: its state, and what it offered when it was last asked."""

    server: McpServer
    state: State
    error: str | None = None
    """Why it is not usable, in one sentence for people."""
    remedy: str | None = None
    since: str | None = None
    """When it was last asked (ISO 8601); none: never."""
    instructions: str = ""
    """What it says of its use: untrusted text."""
    tools: tuple[McpTool, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()
    resources: tuple[McpResource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class McpAnswer:
    """What a tool answered, a prompt says or a resource holds."""

    text: str
    images: tuple[Image, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class McpQuestion:
    """What a server asks the person (elicitation)."""

    server: str
    message: str
    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    """A JSON Schema of flat properties."""
    url: str | None = None
    """An address that the person is asked to open instead."""


@dataclass(frozen=True, slots=True)
class McpReply:
    """A person's answer to a server's question."""

    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, object] = field(default_factory=dict[str, object])


async def _decline(question: McpQuestion) -> McpReply:
    del question
    return McpReply("decline")


def _nobody_hears(heard: str) -> None:
    del heard


@dataclass(frozen=True, slots=True)
class McpListener:
    """Receives the progress and the questions of a running call."""

    progress: Callable[[str], None] = _nobody_hears
    """Called with what is reported, in words, at most a few times a second."""
    ask: Callable[[McpQuestion], Awaitable[McpReply]] = _decline
    """Asks the person."""


class McpHost(Protocol):
    """The servers of one folder, shared by its sessions.

    Raises:
        ToolFailed: From all that is awaited; its message is the answer to the model.
    """

    def offers(self) -> Sequence[McpOffer]:
        """Return what is known of each configured server, in order of names; starts nothing."""
        ...

    async def start(self, names: Sequence[str] | None = None) -> Sequence[McpOffer]:
        """Start the servers that can be used and are not yet; none named: all that are enabled.

        One that failed is not started again before the person restarts it.
        """
        ...

    async def call(
        self, tool: McpTool, arguments: Mapping[str, object], listener: McpListener
    ) -> McpAnswer:
        """Call a tool; a cancelled task cancels the call and leaves the server usable."""
        ...

    async def prompt(
        self, prompt: McpPrompt, arguments: Mapping[str, str], listener: McpListener
    ) -> McpAnswer:
        """Return the text of a prompt."""
        ...

    async def read(self, server: str, uri: str, listener: McpListener) -> McpAnswer:
        """Return what a resource holds."""
        ...

    async def restart(self, server: str) -> McpOffer:
        """End a server with all that it started, and start it anew, also one that failed."""
        ...

    async def authorize(self, server: str, open_url: Callable[[str], None]) -> McpOffer:
        """Log in at a server by OAuth; ``open_url`` shows the person the address of the login."""
        ...

    async def close(self) -> None:
        """End all servers with all that they started."""
        ...


class NoMcp:
    """The host of a folder for which no server is configured."""

    def offers(self) -> Sequence[McpOffer]:
        """Return nothing."""
        return ()

    async def start(self, names: Sequence[str] | None = None) -> Sequence[McpOffer]:
        """Start nothing."""
        del names
        return ()

    async def call(
        self, tool: McpTool, arguments: Mapping[str, object], listener: McpListener
    ) -> McpAnswer:
        """Raise ToolFailed."""
        del arguments, listener
        raise _not_configured(tool.server)

    async def prompt(
        self, prompt: McpPrompt, arguments: Mapping[str, str], listener: McpListener
    ) -> McpAnswer:
        """Raise ToolFailed."""
        del arguments, listener
        raise _not_configured(prompt.server)

    async def read(self, server: str, uri: str, listener: McpListener) -> McpAnswer:
        """Raise ToolFailed."""
        del uri, listener
        raise _not_configured(server)

    async def restart(self, server: str) -> McpOffer:
        """Raise ToolFailed."""
        raise _not_configured(server)

    async def authorize(self, server: str, open_url: Callable[[str], None]) -> McpOffer:
        """Raise ToolFailed."""
        del open_url
        raise _not_configured(server)

    async def close(self) -> None:
        """End nothing."""


def _not_configured(server: str) -> ToolFailed:
    return ToolFailed(f"No MCP server {server[:80]!r} is set up.")


def enabled_offers(host: McpHost) -> tuple[McpOffer, ...]:
    """Return the offers of the servers that the person has switched on."""
    return tuple(each for each in host.offers() if each.server.enabled and each.state != "off")


def enabled_tools(offers: Iterable[McpOffer]) -> tuple[McpTool, ...]:
    """Return the tools of servers that the person has switched on."""
    return tuple(tool for offer in offers for tool in offer.tools if tool.enabled)


def tool_text(tool: McpTool) -> str:
    """Describe a tool for a model: one line of JSON with its name, description and schema."""
    told = " ".join(tool.description.split())
    cut = told if len(told) <= LONGEST_DESCRIPTION else f"{told[:LONGEST_DESCRIPTION]}…"
    fields = {"name": tool.called, "description": cut, "parameters": tool.parameters}
    return escape_hidden(canonical(fields))


def names_tool(pattern: str, called: str) -> bool:
    """Tell whether a name of an agent's list means a tool: itself, or all tools of its server."""
    whole = pattern.removesuffix("*").removesuffix("__")
    return pattern == called or (pattern != whole and called.startswith(f"{whole}__"))


def relayed_call(name: str, arguments: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    """Return name and arguments of the tool that a call is about, for hooks, agents and people.

    For a call of a server's tool these are that tool's own; none where the call is refused.
    """
    if name != CALL_TOOL or not isinstance(arguments.get("name"), str):
        return name, arguments
    try:
        return str(arguments["name"]), inner_arguments(arguments.get("arguments"))
    except ToolFailed:
        return str(arguments["name"]), {}


def inner_arguments(given: object) -> Mapping[str, object]:
    """Return the arguments for a server's tool; some models write them as a text.

    Raises:
        ToolFailed: They are no object that a request can carry.
    """
    if given is None or given == "":
        return {}
    found = object_in(given) if isinstance(given, str) else given
    if not isinstance(found, Mapping):
        raise ToolFailed(f"Bad arguments for {CALL_TOOL}: arguments must be an object.")
    arguments = cast("Mapping[str, object]", found)
    told = canonical(arguments)
    if clean(told) != told:
        raise ToolFailed(f"Bad arguments for {CALL_TOOL}: a text in them is not valid Unicode.")
    return arguments

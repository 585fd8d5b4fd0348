"""`/mcp`: lists the MCP servers, restarts one, and switches servers and tools on and off."""

from collections.abc import Sequence

from plimsoll.errors import InvalidInput, NotFound, ToolFailed
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.commands.servers.prompts import named_prompts
from plimsoll.session.layers.mcp import ServerShown, shown_servers
from plimsoll.session.layers.wording import title_markdown
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.text.first_words import cut_line
from plimsoll.text.wording import plural
from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.mcp import McpOffer

NO_SERVERS = (
    "No MCP server is set up. In a terminal `plimsoll mcp add NAME COMMAND` adds one, and "
    "`plimsoll mcp import` takes over those of an editor."
)
STATES = {
    "idle": "starts when it is needed",
    "starting": "is starting",
    "ready": "runs",
    "failed": "cannot be used",
    "signIn": "waits for a login",
    "off": "off",
}


async def servers(rest: str, project: Project, session: Session) -> Reply:
    """Do what `/mcp` is asked to do, then list the servers; by a name, describe that one."""
    offers = project.environment.outside.mcp.offers()
    named = next((offer for offer in offers if offer.server.name == rest), None)
    if named is not None:
        return Reply(server_markdown(named))
    if rest:
        await _act(rest, project)
        await project.sessions.spread()
    found = shown_servers(session.state)
    return Reply(servers_markdown(found), found)


async def _act(rest: str, project: Project) -> None:
    word, *names = rest.split()
    if word in {"on", "off"} and len(names) in {1, 2}:
        await _switch(names[0], names[1] if names[1:] else None, project, on=word == "on")
    elif word == "restart" and len(names) == 1:
        await _restart(names[0], project)
    else:
        raise InvalidInput(
            f"/mcp takes a server, with restart, on or off before its name, not {rest[:40]!r}.",
            remedy="Write /mcp NAME, /mcp restart NAME, /mcp off NAME or /mcp off NAME TOOL.",
        )


async def _switch(server: str, tool: str | None, project: Project, *, on: bool) -> None:
    outside = project.environment.outside
    if tool is not None:
        offer = next((o for o in outside.mcp.offers() if o.server.name == server), None)
        known = [one.name for one in offer.tools] if offer else []
        if known and tool not in known:
            raise NotFound("mcpTool", tool[:80], remedy=f"{server} has: {', '.join(known)}.")
    await outside.switch_server(server, tool, on)


async def _restart(name: str, project: Project) -> None:
    environment = project.environment
    if name not in {offer.server.name for offer in environment.outside.mcp.offers()}:
        raise NotFound("mcpServer", name[:80], remedy="/mcp lists them.")
    if not environment.trusted():
        raise InvalidInput(
            "No MCP server is started in a folder that is not trusted.",
            remedy="Trust the folder first.",
        )
    try:
        await environment.outside.mcp.restart(name)
    except ToolFailed as error:
        raise InvalidInput(error.message) from error


def servers_markdown(found: Sequence[ServerShown]) -> str:
    """Write the list of servers, each with the tokens it takes in a request."""
    return "\n".join(map(_row, found)) or NO_SERVERS


def server_markdown(offer: McpOffer) -> str:
    """Write what a server offers: its tools with their switches, prompts and resources."""
    name = offer.server.name
    if offer.since is None:
        return f"The MCP server `{name}` was never started: what it offers is not known yet."
    tools = [
        (f"`{_code(one.name)}`" + ("" if one.enabled else " (off)"), one) for one in offer.tools
    ]
    prompts = [
        (f"`/{_code(one.name)} {one.usage}`".replace(" `", "`"), one)
        for one in named_prompts([offer])
    ]
    resources = [(f"`@{name}:{_code(one.uri)}`", one) for one in offer.resources]
    rows = [
        f"- {shown}"
        + (f": {title_markdown(cut_line(one.description, 160))}" if one.description else "")
        for shown, one in (*tools, *prompts, *resources)
    ]
    head = f"The MCP server `{name}`, as it was asked on {offer.since[:10]}:"
    return "\n".join([head, "", *(rows or ["It offers nothing."])])


def _code(text: str) -> str:
    """Make a server's text fit for a code span, which it cannot end."""
    return visible_line(text, 120).replace("`", "'")


def _row(one: ServerShown) -> str:
    counts = [
        plural(one.tools, "tool"),
        *([f"{len(one.tools_off)} of them off"] if one.tools_off else []),
        *([plural(one.prompts, "prompt")] if one.prompts else []),
        *([plural(one.resources, "resource")] if one.resources else []),
    ]
    facts = [STATES[one.state], *(counts if one.asked else []), f"{one.tokens:,} tokens"]
    said = "" if one.state == "off" else " ".join(filter(None, (one.error, one.remedy)))
    return f"- `{one.name}` ({', '.join(facts)})" + (f": {title_markdown(said)}" if said else "")

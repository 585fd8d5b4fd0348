"""``find_tools``: names tools of MCP servers with their schemas.

They stand in its result, at the tail of the request, so what stands before them stays as it is.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import visible_line, whole_line
from plimsoll.tools.mcp.found_tools import ToolSearch
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.mcp import (
    McpHost,
    McpOffer,
    McpTool,
    enabled_offers,
    enabled_tools,
    tool_text,
)
from plimsoll.tools.ports.tool import Arguments

MOST_SCHEMAS, MOST_NAMES = 5, 10
LONGEST = 10_000
"""Characters of all descriptions and schemas of one result."""

UNTRUSTED = "[no server was started to ask it: the user has not trusted this folder]"


@dataclass(frozen=True, slots=True)
class FindPlan:
    """The query of a checked call."""

    query: str


class FindTools:
    """Finds tools of the servers that are set up for a folder."""

    schema: ToolSchema = ToolSchema(
        "find_tools",
        "Find tools of the MCP servers by name or by what they do; shows their schemas.",
        {
            "type": "object",
            "properties": {"query": {"type": "string", "minLength": 1}},
            "required": ["query"],
        },
    )
    traits: ToolTraits = ToolTraits(verb="Find tools for", subject="query")
    reading: bool = True

    def __init__(self, host: McpHost) -> None:
        self._host = host
        self._search = ToolSearch()

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[FindPlan]:
        """Check the query; nobody is asked, as the person set the servers up."""
        del context
        query = str(check_arguments(self.schema, arguments)["query"])
        return Intent(title=f"Find tools for {whole_line(query)}", ask=False, plan=FindPlan(query))

    async def run(self, intent: Intent[FindPlan], context: CallContext) -> Outcome:
        """Search the tools of all servers; one that was never started is started for it."""
        if context.trusted() and (unknown := _list_unknown(self._host)):
            context.hear_output(f"starting {', '.join(unknown)}")
        await start_unknown(self._host, context)
        offers = enabled_offers(self._host)
        tools = enabled_tools(offers)
        query, most = intent.plan.query, MOST_SCHEMAS + MOST_NAMES
        found = await asyncio.to_thread(self._search.find, tools, query, most)
        if not found:
            unknown = [UNTRUSTED] if _list_unknown(self._host) and not context.trusted() else []
            words = ["No tool fits these words. Try others.", *unknown, *_troubles(offers)]
            return Outcome(text="\n".join(words))
        lines = describe_tools(found[:MOST_SCHEMAS])
        rest = [tool.called for tool in found[len(lines) :]]
        head = f"[{len(lines)} of {plural(len(tools), 'tool')}, as their servers describe them]"
        more = [f"[others that may fit: {', '.join(rest)}]"] if rest else []
        return Outcome(text="\n".join([head, *lines, *more, *_troubles(offers)]))


def describe_tools(tools: Sequence[McpTool]) -> list[str]:
    """Describe as many tools, from the first on, as one result may hold; at least one."""
    lines: list[str] = []
    for text in map(tool_text, tools):
        if lines and sum(map(len, lines)) + len(text) > LONGEST:
            break
        lines.append(text)
    return lines


async def start_unknown(host: McpHost, context: CallContext) -> None:
    """Start the servers of which nothing is known yet, in a folder that the person trusts."""
    unknown = _list_unknown(host)
    if unknown and context.trusted():
        await host.start(unknown)


def _list_unknown(host: McpHost) -> list[str]:
    """Return the names of the servers of which nothing is known yet."""
    return [
        offer.server.name
        for offer in enabled_offers(host)
        if offer.since is None and offer.state == "idle"
    ]


def _troubles(offers: tuple[McpOffer, ...]) -> list[str]:
    """Name the servers that cannot be used, so that the model does not look on."""
    said = {"failed": "cannot be used", "signIn": "waits for the user to log in"}
    return [
        f"[the server {offer.server.name} {said[offer.state]}: {visible_line(offer.error or '')}]"
        for offer in offers
        if offer.state in said
    ]


def unknown_tool(name: str, offers: tuple[McpOffer, ...]) -> ToolFailed:
    """Make the error of a call of a tool that is not there, with the names that are near."""
    near = [tool.called for tool in ToolSearch().find(enabled_tools(offers), name, 3)]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    troubles = " ".join(_troubles(offers))
    return ToolFailed(
        f"There is no tool {visible_line(name, 80)!r} of an MCP server.{hint} find_tools finds "
        f"their exact names. {troubles}".rstrip()
    )

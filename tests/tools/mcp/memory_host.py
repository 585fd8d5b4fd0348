"""Servers of MCP in memory: what they offer, and what they answer, as a test says."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plimsoll.context.log.messages import canonical
from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.mcp import (
    McpAnswer,
    McpListener,
    McpOffer,
    McpPrompt,
    McpServer,
    McpTool,
)

AT = "2000-01-01T00:00:00.000Z"
Answering = Callable[[McpTool, Mapping[str, object], McpListener], Awaitable[McpAnswer]]


async def _echo(tool: McpTool, arguments: Mapping[str, object], listener: McpListener) -> McpAnswer:
    del listener
    return McpAnswer(text=f"{tool.name} {canonical(arguments)}")


def a_tool(name: str, description: str = "", server: str = "box", **more: object) -> McpTool:
    """``more``: the properties of its schema, by name; ``required`` names some of them."""
    required = more.pop("required", [])
    schema = {"type": "object", "properties": more, "required": required}
    said = canonical([description, schema])
    return McpTool(
        server=server,
        name=name,
        called=f"mcp__{server}__{name}",
        description=description,
        parameters=schema,
        fingerprint=hashlib.sha256(said.encode()).hexdigest(),
    )


def an_offer(*tools: McpTool, server: str = "box", instructions: str = "") -> McpOffer:
    """A server that was asked before and is idle now."""
    return McpOffer(
        server=McpServer(name=server, command=("box",)),
        state="idle",
        since=AT,
        instructions=instructions,
        tools=tools,
    )


def an_unknown_server(name: str = "box") -> McpOffer:
    """A server that was never started."""
    return McpOffer(server=McpServer(name=name, command=(name,)), state="idle")


@dataclass
class MemoryHost:
    """An ``McpHost`` whose servers are values; ``started`` becomes what a start finds."""

    known: list[McpOffer]
    started: Mapping[str, McpOffer] = field(default_factory=dict)
    answer: Answering = _echo
    texts: Mapping[str, McpAnswer] = field(default_factory=dict)
    """By the names of prompts and the addresses of resources."""
    starts: list[str] = field(default_factory=list)
    calls: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    closed: int = 0

    def offers(self) -> Sequence[McpOffer]:
        return tuple(self.known)

    async def start(self, names: Sequence[str] | None = None) -> Sequence[McpOffer]:
        for place, offer in enumerate(self.known):
            name = offer.server.name
            if (names is None or name in names) and offer.state == "idle" and offer.server.enabled:
                self.starts.append(name)
                self.known[place] = self.started.get(name, replace(offer, state="ready", since=AT))
        return self.offers()

    async def call(
        self, tool: McpTool, arguments: Mapping[str, object], listener: McpListener
    ) -> McpAnswer:
        self.calls.append((tool.called, arguments))
        return await self.answer(tool, arguments, listener)

    async def prompt(
        self, prompt: McpPrompt, arguments: Mapping[str, str], listener: McpListener
    ) -> McpAnswer:
        self.calls.append((prompt.name, arguments))
        return self._text(prompt.name)

    async def read(self, server: str, uri: str, listener: McpListener) -> McpAnswer:
        self.calls.append((uri, {}))
        return self._text(uri)

    async def restart(self, server: str) -> McpOffer:
        self.starts.append(server)
        return next(offer for offer in self.known if offer.server.name == server)

    async def authorize(self, server: str, open_url: Callable[[str], None]) -> McpOffer:
        return await self.restart(server)

    async def close(self) -> None:
        self.closed += 1

    def _text(self, name: str) -> McpAnswer:
        if name not in self.texts:
            raise ToolFailed(f"There is no {name}.")
        return self.texts[name]

"""Runs the servers of a folder, each once for all its sessions."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp.hosted import HostedServer, why_not_installed
from plimsoll.tools.mcp.needs import HostNeeds
from plimsoll.tools.ports.mcp import (
    McpAnswer,
    McpListener,
    McpOffer,
    McpPrompt,
    McpServer,
    McpTool,
)

__all__ = ["Host", "HostNeeds", "why_not_installed"]


class Host:
    """The ``McpHost`` of a folder; whoever makes it calls ``close`` at the end."""

    def __init__(self, servers: Callable[[], Sequence[McpServer]], needs: HostNeeds) -> None:
        """``servers``: those that are configured now, asked for whenever it matters."""
        self._servers = servers
        self._needs = needs
        self._hosted: dict[str, HostedServer] = {}
        self._ending = set[asyncio.Task[None]]()
        self._closed = False

    def offers(self) -> Sequence[McpOffer]:
        """Return what is known of each configured server, in order of names; starts nothing."""
        if self._closed:
            return []
        return [hosted.offer() for _, hosted in sorted(self._update_servers().items())]

    async def start(self, names: Sequence[str] | None = None) -> Sequence[McpOffer]:
        """Start the servers that can be used and are not yet; none named: all that are enabled."""
        configured = self._update_servers()
        wanted = configured if names is None else [name for name in names if name in configured]
        starting = [configured[name] for name in wanted]
        usable = [one for one in starting if one.may_start]
        # A failure stands in the offer.
        await asyncio.gather(*(one.start() for one in usable), return_exceptions=True)
        return [one.offer() for one in starting]

    async def call(
        self, tool: McpTool, arguments: Mapping[str, object], listener: McpListener
    ) -> McpAnswer:
        """Call a tool; a cancelled task cancels the call and leaves the server usable."""
        hosted = self._find_server(tool.server)
        await hosted.start()
        found = hosted.tool(tool.name)
        if found is None:
            raise ToolFailed(f"The server {tool.server} has no tool {tool.name!a} any more.")
        if not found.enabled:
            raise ToolFailed(f"The tool {tool.called} is switched off.")
        if found.fingerprint != tool.fingerprint:
            # What was asked about and allowed was another.
            raise ToolFailed(
                f"The server {tool.server} has changed what {tool.called} does or takes. Look it "
                "up again before it is called."
            )
        return await hosted.use(lambda session: session.call(tool.name, arguments, listener))

    async def prompt(
        self, prompt: McpPrompt, arguments: Mapping[str, str], listener: McpListener
    ) -> McpAnswer:
        """Return the text of a prompt."""
        hosted = self._find_server(prompt.server)
        return await hosted.use(lambda session: session.prompt(prompt.name, arguments, listener))

    async def read(self, server: str, uri: str, listener: McpListener) -> McpAnswer:
        """Return what a resource holds."""
        return await self._find_server(server).use(lambda session: session.read(uri, listener))

    async def restart(self, server: str) -> McpOffer:
        """End a server with all that it started, and start it anew, also one that failed."""
        return await self._find_server(server).restart()

    async def authorize(self, server: str, open_url: Callable[[str], None]) -> McpOffer:
        """Log in at a server by OAuth; ``open_url`` shows the person the address of the login."""
        return await self._find_server(server).log_in(open_url)

    async def close(self) -> None:
        """End all servers with all that they started."""
        self._closed = True
        hosted, self._hosted = list(self._hosted.values()), {}
        await asyncio.gather(*(one.close() for one in hosted))
        if self._ending:
            await asyncio.wait(self._ending)

    def _find_server(self, name: str) -> HostedServer:
        found = self._update_servers().get(name)
        if found is None:
            raise ToolFailed(f"No server {name[:80]!a} is configured.")
        return found

    def _update_servers(self) -> dict[str, HostedServer]:
        """Return the servers that are configured now; those that are no more, end."""
        if self._closed:
            raise ToolFailed("This folder is being closed.")
        wanted = {server.name: server for server in self._servers()}
        for name, hosted in list(self._hosted.items()):
            if name not in wanted or _is_reached_otherwise(wanted[name], hosted.server):
                self._end(self._hosted.pop(name))
        for name, server in wanted.items():
            hosted = self._hosted.get(name)
            if hosted is None:
                self._hosted[name] = HostedServer(server, self._needs)
                continue
            was_enabled = hosted.server.enabled
            hosted.configure(server)
            if was_enabled and not server.enabled:
                self._end(hosted)
        return self._hosted

    def _end(self, hosted: HostedServer) -> None:
        ending = asyncio.ensure_future(hosted.close())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


def _is_reached_otherwise(now: McpServer, before: McpServer) -> bool:
    return replace(now, enabled=before.enabled, off_tools=before.off_tools) != before

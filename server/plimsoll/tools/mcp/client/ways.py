"""The ways to a server: how it is opened and ended, and what is known of why it does not work."""

import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from plimsoll.tools.mcp.client.session import ServerSession, open_session
from plimsoll.tools.mcp.client.stdio import carry_lines
from plimsoll.tools.mcp.environment import command_of
from plimsoll.tools.mcp.needs import HostNeeds
from plimsoll.tools.mcp.process import LastWords, ServerProcess, start_process
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.supervision.command_request import CONVERSES


class Way(Protocol):
    """The way to one server, for one start of it."""

    def open(self) -> AbstractAsyncContextManager[ServerSession]:
        """Open a conversation; the context ends the server, and is left by who entered it."""
        ...

    async def wait_for_end(self) -> None:
        """Wait until the server has ended by itself."""
        ...

    def last_words(self) -> LastWords:
        """Return what is known of its end."""
        ...


class StdioWay:
    """The way to a server that is a process here."""

    def __init__(self, server: McpServer, needs: HostNeeds) -> None:
        self._server = server
        self._needs = needs
        self._process: ServerProcess | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[ServerSession]:
        """Start the process and open a conversation; at the end all that it started is ended.

        Raises:
            ToolFailed: It cannot be started.
        """
        rules = json.dumps({CONVERSES: True})
        request = command_of(self._server, self._needs.root, rules)
        process = self._process = await start_process(self._needs.fork_server, request)
        opened = False
        try:
            async with open_session(self._server.name, carry_lines(process)) as session:
                opened = True
                yield session
        finally:
            # What ended by itself is waited for: its exit code tells why.
            await process.close(at_once=not opened and not process.hung_up.is_set())

    async def wait_for_end(self) -> None:
        """Wait until the process has ended by itself, or closed its standard output."""
        if self._process is not None:
            await self._process.hung_up.wait()

    def last_words(self) -> LastWords:
        """Return how the process ended, and the end of what it wrote to standard error."""
        return self._process.last_words() if self._process else LastWords()


def way_to(server: McpServer, needs: HostNeeds) -> Way:
    """Return the way to a server as it is configured."""
    return StdioWay(server, needs)

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from plimsoll.tools.mcp.host import Host, HostNeeds
from plimsoll.tools.ports.mcp import McpAnswer, McpListener, McpServer, McpTool
from plimsoll.tools.process.supervision.fork_server import ForkServer
from tools.mcp.killing import below, lives, parent_of

FORK_SERVER = b"supervision/program.py"
SCRIPTED = Path(__file__).with_name("scripted.py")


def scripted(name: str, *behaviour: str, **more: object) -> McpServer:
    """A server that behaves as these words say."""
    return McpServer(name=name, command=(sys.executable, str(SCRIPTED), *behaviour), **more)


class Hosting:
    """A host of servers, and what it was told of them."""

    def __init__(self, root: Path, data: Path) -> None:
        self.servers: list[McpServer] = []
        self.changed: list[str] = []
        self.fork_server = ForkServer()
        self.needs = HostNeeds(
            root=root,
            data=data,
            fork_server=self.fork_server,
            changed=self.changed.append,
            redact=lambda text: text.replace("hunter2", "[redacted]"),
            start_seconds=120.0,
        )
        self.host = Host(lambda: self.servers, self.needs)

    def start_seconds(self, seconds: float) -> None:
        """Let servers take so long to start, from now on."""
        self.needs = replace(self.needs, start_seconds=seconds)
        self.host = Host(lambda: self.servers, self.needs)

    def processes(self) -> list[int]:
        """The watchers and all below them; a test before may have left this process children."""
        forks = [one for one in below(os.getpid()) if parent_of(one) == os.getpid()]
        servers = [one for one in forks if FORK_SERVER in Path(f"/proc/{one}/cmdline").read_bytes()]
        return [process for one in servers for process in below(one)]

    def tool(self, server: str, name: str) -> McpTool:
        offer = next(one for one in self.host.offers() if one.server.name == server)
        return next(one for one in offer.tools if one.name == name)

    async def call(
        self, server: str, name: str, listener: McpListener | None = None, **given: object
    ) -> McpAnswer:
        return await self.host.call(self.tool(server, name), given, listener or McpListener())

    async def close(self) -> None:
        await self.host.close()
        self.fork_server.close()


@pytest_asyncio.fixture
async def hosting(root: Path, tmp_path: Path) -> AsyncIterator[Hosting]:
    made = Hosting(root, tmp_path / "mcp")
    yield made
    await made.close()


@pytest.fixture
def listener() -> tuple[McpListener, list[str]]:
    heard: list[str] = []
    return McpListener(heard.append), heard


async def gone(processes: Sequence[int]) -> None:
    """Wait until these have ended; a watcher has said so a moment before."""
    while any(map(lives, processes)):
        await asyncio.sleep(0.01)

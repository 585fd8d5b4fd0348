"""A host of ours as the client of one scenario of ``@modelcontextprotocol/conformance``.

``mcp_client.py URL`` lists what the server there offers, logs in if it wants that, and calls each
tool with arguments made of its schema.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp.host import Host, HostNeeds
from plimsoll.tools.ports.mcp import McpListener, McpQuestion, McpReply, McpServer
from plimsoll.tools.process.supervision.fork_server import ForkServer
from servers.running import free_port
from tools.mcp.remote import Browser

MADE = {"number": 5, "integer": 5, "string": "five", "boolean": True}


def made_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Values for all properties of a schema: the default, or one of the type."""
    properties = schema.get("properties", {})
    return {name: one.get("default", MADE.get(one.get("type"))) for name, one in properties.items()}


async def accept(question: McpQuestion) -> McpReply:
    return McpReply("accept", made_of(question.fields))


async def main(url: str, folder: Path) -> None:
    # What a person would have registered by hand is told by the checks.
    told = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    own, secret = told.get("client_id"), told.get("client_secret")
    servers = [McpServer(name="far", url=url, client_id=own, client_secret=secret)]
    fork_server = ForkServer()
    # Another one than the product's: several scenarios may run at a time.
    port = free_port()
    needs = HostNeeds(root=folder, data=folder, fork_server=fork_server, login_port=port)
    host = Host(lambda: servers, needs)
    browser = Browser()
    (offer,) = await host.start()
    if offer.state == "signIn":
        offer = await host.authorize("far", browser.open)
    for tool in offer.tools:
        try:
            answer = await host.call(tool, made_of(tool.parameters), McpListener(ask=accept))
        except ToolFailed as error:
            if host.offers()[0].state != "signIn":
                raise
            sys.stderr.write(f"{error.message}\n")
            await host.authorize("far", browser.open)
            answer = await host.call(tool, made_of(tool.parameters), McpListener(ask=accept))
        sys.stdout.write(f"{tool.called}: {answer.text}\n")
    await host.close()
    fork_server.close()
    if offer.state != "ready":
        sys.exit(f"{offer.state}: {offer.error}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(sys.argv[1], Path(made)))

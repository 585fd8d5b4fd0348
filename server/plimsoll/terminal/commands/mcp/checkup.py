"""What `plimsoll doctor` says of the person's MCP servers."""

import os
import shutil
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from plimsoll.rules import mcp_servers
from plimsoll.settings import Settings
from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.opening import open_project
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import how_to_install, plural
from plimsoll.tools.ports.mcp import McpOffer, McpServer


@dataclass(frozen=True, slots=True)
class ServerFinding:
    """A line of the doctor's report about a server."""

    name: str
    state: str
    """``ok``, ``note`` or ``wrong``."""
    told: str


def check_servers(settings: Settings) -> Iterator[ServerFinding]:
    """Say of each server whether it could be started, without starting it."""
    if settings.mcp and find_spec("mcp") is None:
        told = f"their library is not installed: {how_to_install('mcp')}"
        yield ServerFinding("MCP servers", "wrong", told)
    for one in mcp_servers(settings.mcp, os.environ):
        state, flaw = _flaw(one)
        told = ". ".join(filter(None, (settings.mcp[one.name].runs(), flaw)))
        yield ServerFinding(f"MCP {one.name}", state, told)


def _flaw(one: McpServer) -> tuple[str, str]:
    if not one.enabled:
        return "ok", "It is switched off"
    if one.missing:
        return "wrong", f"It is not started before this is set: {', '.join(one.missing)}"
    if one.command and shutil.which(str(Path(one.command[0]).expanduser())) is None:
        return "wrong", f"There is no program {one.command[0]!r} in PATH"
    return "ok", ""


async def ask_servers(
    settings: Settings, options: Namespace, screen: Screen
) -> list[ServerFinding]:
    """Start each server once, and say what it offers; they end with the doctor."""
    if not any(one.enabled for one in settings.mcp.values()):
        return []
    asker = declining_asker(screen)
    # What is only looked at leaves nothing.
    async with open_project(options, settings, asker, silent, store="memory") as opened:
        return [_ask(offer) for offer in await opened.project.environment.outside.mcp.start()]


def _ask(offer: McpOffer) -> ServerFinding:
    name = f"MCP {offer.server.name}, asked"
    if offer.state == "ready":
        parts = (plural(len(offer.tools), "tool"), plural(len(offer.prompts), "prompt"))
        return ServerFinding(name, "ok", ", ".join(parts))
    told = " ".join(filter(None, (offer.error, offer.remedy))) or offer.state
    return ServerFinding(name, "ok" if offer.state == "off" else "wrong", told)

"""Handlers of `plimsoll/mcp/*`: the servers that the person configured, each with its switches."""

import asyncio
import os
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from plimsoll.errors import InvalidInput, PlimsollError
from plimsoll.lsp.features.convert import mcp as convert
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.outside import mcp as wire
from plimsoll.lsp.wire.service import DidChangeStatusParams
from plimsoll.session.layers.mcp import shown_servers
from plimsoll.session.session import Session
from plimsoll.settings import config_path
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_changes import (
    add_server,
    remove_server,
    servers_in,
    switch_server,
    switch_tool,
)
from plimsoll.settings.mcp_import import known_files, read_servers
from plimsoll.text.wording import how_to_install
from plimsoll.tools.ports.mcp import McpHost


async def list_(server: ServerContext, params: wire.McpOwner) -> wire.McpServersResult:
    """List the servers as they are known; none is started."""
    return _list_servers(server, await server.session(params.session_id))


async def add(server: ServerContext, params: wire.McpAddParams) -> wire.McpServersResult:
    """Add a server to the person's file; raises InvalidInput or SettingsInvalid."""
    session = await server.session(params.session_id)
    command, *args = params.command or ("",)
    added = McpSettings(
        command=command,
        args=tuple(args),
        env=params.env,
        url=params.url or None,
        headers=params.headers,
        client_id=params.client_id or "",
        client_secret=params.client_secret or "",
    )
    await asyncio.to_thread(add_server, params.name, added)
    return await _reread(server, session)


async def remove(server: ServerContext, params: wire.McpServerOwner) -> wire.McpServersResult:
    """Take a server out of the person's file; raises NotFound or SettingsInvalid."""
    session = await server.session(params.session_id)
    await asyncio.to_thread(remove_server, params.server)
    return await _reread(server, session)


async def set_server(server: ServerContext, params: wire.McpServerSwitch) -> wire.McpServersResult:
    """Switch a server on or off in the person's file; raises NotFound or SettingsInvalid."""
    session = await server.session(params.session_id)
    await asyncio.to_thread(switch_server, params.server, enabled=params.enabled)
    return await _reread(server, session)


async def set_tool(server: ServerContext, params: wire.McpToolSwitch) -> wire.McpServersResult:
    """Switch a tool on or off in the person's file; raises NotFound or SettingsInvalid."""
    session = await server.session(params.session_id)
    await asyncio.to_thread(switch_tool, params.server, params.tool, enabled=params.enabled)
    return await _reread(server, session)


async def restart(server: ServerContext, params: wire.McpServerOwner) -> wire.McpServersResult:
    """Start a server anew, by the settings as they are now; raises ToolFailed."""
    session = await server.session(params.session_id)
    await server.reread_settings()
    await _host_of(session).restart(params.server)
    return _list_servers(server, session)


async def authorize(server: ServerContext, params: wire.McpServerOwner) -> wire.McpServersResult:
    """Log in at a server, on a page that the client shows; raises ToolFailed."""
    session = await server.session(params.session_id)
    shown: list[asyncio.Task[None]] = []

    def open_url(url: str) -> None:
        shown.append(asyncio.ensure_future(_show_page(server, url)))

    try:
        await _host_of(session).authorize(params.server, open_url)
    finally:
        for each in shown:
            each.cancel()
    return _list_servers(server, session)


async def found(server: ServerContext, params: wire.McpOwner) -> wire.McpFoundResult:
    """List the servers in files of other programs; takes none over."""
    session = await server.session(params.session_id)
    root = session.state.files.root
    return wire.McpFoundResult(files=tuple(await asyncio.to_thread(_found_files, root)))


async def take_over(server: ServerContext, params: wire.McpTakeOverParams) -> wire.McpServersResult:
    """Add servers of another program's file; raises InvalidInput or SettingsInvalid."""
    session = await server.session(params.session_id)
    root = session.state.files.root
    await asyncio.to_thread(_take_over, Path(params.path), root, params.servers)
    return await _reread(server, session)


def _found_files(root: Path) -> list[wire.McpFoundFile]:
    known = servers_in(config_path())
    there = [path for path in _known_files(root) if path.is_file()]
    return [_found_file(path, root, known) for path in there]


def _found_file(path: Path, root: Path, known: Collection[str]) -> wire.McpFoundFile:
    try:
        servers = read_servers(path, root)
    except InvalidInput as error:
        return wire.McpFoundFile(path=str(path), servers=(), error=error.message)
    shown = tuple(convert.found_server(one, known=one.name in known) for one in servers)
    return wire.McpFoundFile(path=str(path), servers=shown)


def _take_over(path: Path, root: Path, wanted: tuple[str, ...]) -> None:
    there = {one.name: one.server for one in read_servers(path, root)}
    for name in wanted:
        server = there.get(name)
        if server is None:
            raise InvalidInput(f"{path} has no server {name!r} that can be taken over.")
        add_server(name, server)


def _known_files(root: Path) -> tuple[Path, ...]:
    return known_files(Path(os.environ.get("HOME") or Path.home()), root)


async def _reread(server: ServerContext, session: Session) -> wire.McpServersResult:
    await server.reread_settings()
    return _list_servers(server, session)


def _host_of(session: Session) -> McpHost:
    return session.state.environment.outside.mcp


def _list_servers(server: ServerContext, session: Session) -> wire.McpServersResult:
    settings = server.app.settings.mcp
    tokens = {each.name: each.tokens for each in shown_servers(session.state)}
    servers = tuple(
        convert.server(offer, settings.get(offer.server.name), tokens.get(offer.server.name, 0))
        for offer in _host_of(session).offers()
    )
    return wire.McpServersResult(servers=servers, unusable=_why_unusable())


def _why_unusable() -> str | None:
    if find_spec("mcp") is not None:
        return None
    return f"The library for MCP servers is not installed: {how_to_install('mcp')}."


async def _show_page(server: ServerContext, url: str) -> None:
    """Let the client show a page outside; where it cannot, the person is given the address."""
    window = server.editor.client_capabilities.window
    able = window is not None and window.show_document is not None
    if able:
        try:
            await server.editor.request("window/showDocument", {"uri": url, "external": True})
        except PlimsollError:
            able = False
    if not able:
        status = DidChangeStatusParams(kind="warning", message=f"Log in at this address: {url}")
        server.editor.notify(methods.DID_CHANGE_STATUS.name, dump(status))

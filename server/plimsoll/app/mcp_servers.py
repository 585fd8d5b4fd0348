"""The person's MCP servers as they are set now, and for each folder a host that runs them."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from plimsoll.app.mcp_logins import KeyringLogins
from plimsoll.errors import NotFound, SettingsInvalid
from plimsoll.models import OpenModels
from plimsoll.redaction.secrets import Secrets
from plimsoll.redaction.variables import SHORTEST
from plimsoll.rules import mcp_secrets, mcp_servers
from plimsoll.settings import Settings
from plimsoll.settings.mcp_changes import switch_server, switch_tool
from plimsoll.settings.sources import config_path
from plimsoll.tools.mcp.host import Host, HostNeeds, why_not_installed
from plimsoll.tools.ports.mcp import McpHost, McpServer
from plimsoll.tools.process.processes import Processes

log = logging.getLogger(__name__)

FOLDER = "mcp"
"""The folder, beside a folder's sessions, of what servers offered when they were last asked."""


class PersonsServers:
    """The servers of a person; the hosts are closed with their projects."""

    def __init__(
        self,
        variables: Mapping[str, str],
        secrets: Secrets,
        *,
        processes: Processes,
        models: OpenModels,
        changed: Callable[[str], None],
        given: Callable[[Path], Sequence[McpServer]],
        load: Callable[[], Settings] | None,
        taken: Callable[[Settings], None],
    ) -> None:
        """``changed``: called with the URI of a folder in which a server's state changed.

        ``given``: the servers that a client gives a folder; the person's come first by their names.
        ``load``: reads the settings again once the person's file was changed. ``taken``: told them.
        """
        self._variables = variables
        self._secrets = secrets
        self._processes = processes
        self._models = models
        self._changed = changed
        self._given = given
        self._load = load
        self._taken = taken
        self._file = config_path()
        self._written = _state_of(self._file)
        self._folders: set[str] = set()
        """The URIs of the folders that have a host."""
        self._logins = KeyringLogins(secrets)
        self._servers: tuple[McpServer, ...] = ()
        self._can_run: bool | None = None
        """Whether the library for servers is there; looked up where there is a server at all."""

    def configure(self, settings: Settings) -> None:
        """Apply the servers of new settings; values of variables that they name are secret."""
        for name, value in mcp_secrets(settings.mcp, self._variables).items():
            if len(value) >= SHORTEST:
                self._secrets.add(name, value)
        self._servers = mcp_servers(settings.mcp, self._variables)
        # It may have been installed since.
        self._can_run = None

    async def switch(
        self, settings: Settings, server: str, tool: str | None, *, on: bool
    ) -> Settings:
        """Switch a server, or one of its tools, in the person's file; returns the new settings.

        Raises:
            NotFound: There is no such server.
            SettingsInvalid: The file cannot be changed.
        """
        known = settings.mcp.get(server)
        if known is None:
            raise NotFound("mcpServer", server[:80], remedy="/mcp lists them.")
        if tool is None:
            await asyncio.to_thread(partial(switch_server, server, enabled=on))
            now = replace(known, enabled=on)
        else:
            await asyncio.to_thread(partial(switch_tool, server, tool, enabled=on))
            others = tuple(one for one in known.off_tools if one != tool)
            now = replace(known, off_tools=others if on else (*others, tool))
        return replace(settings, mcp={**settings.mcp, server: now})

    def are_usable(self, root: Path) -> bool:
        """Tell whether a folder has a server switched on, and the library for servers is there."""
        if not any(one.enabled for one in self.of_folder(root)):
            return False
        if self._can_run is None:
            self._can_run = why_not_installed() is None
        return self._can_run

    def of_folder(self, root: Path) -> Sequence[McpServer]:
        """Return the servers of a folder: the person's, and those that a client gives it.

        A server that was added elsewhere, such as at a terminal, is there at once.
        """
        if self._load is not None and (now := _state_of(self._file)) != self._written:
            self._written = now
            self._reread(self._load)
        own = {one.name for one in self._servers}
        return (*self._servers, *(one for one in self._given(root) if one.name not in own))

    def _reread(self, load: Callable[[], Settings]) -> None:
        """Take the servers of the changed file; one that cannot be used changes nothing."""
        try:
            settings = load()
        except SettingsInvalid as error:
            log.warning("the changed settings are not used: %s", error.message)
            return
        before = self._servers
        self.configure(settings)
        self._taken(settings)
        if self._servers != before:
            for folder in self._folders:
                self._changed(folder)

    def host_for(self, root: Path, workspace_folder: str, home: Path, *, kept: bool) -> McpHost:
        """Make the host of a folder; ``kept``: whether it may store its offers in ``home``."""
        self._folders.add(workspace_folder)
        needs = HostNeeds(
            root=root,
            data=home / FOLDER if kept else None,
            fork_server=self._processes.fork_server,
            network=self._models.network.now,
            logins=self._logins,
            changed=lambda _: self._changed(workspace_folder),
            redact=self._secrets,
        )
        return Host(lambda: self.of_folder(root), needs)


def _state_of(file: Path) -> tuple[int, ...]:
    """Return what differs once a file was written; empty: there is none."""
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino

"""The services of the process that a folder's part in a team uses."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.clock import Clock
from plimsoll.settings import Settings
from plimsoll.storage.shared.base import TeamReplica
from plimsoll.storage.shared.status import TeamStatus
from plimsoll.team.addresses import ServerAddress, secure_address
from plimsoll.team.engine import TeamEngine
from plimsoll.team.passwords import find_password
from plimsoll.team.travelling.bringing import LocalSessions


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSurroundings:
    """The store, the engine and the listeners of a folder's part in a team."""

    root: Path
    """The folder's real path."""
    replica: TeamReplica
    engine: TeamEngine
    clock: Clock
    secrets: Secrets
    variables: Mapping[str, str] = field(repr=False)
    passwords: Mapping[str, str] = field(repr=False)
    """Those that a client's secret store gave, by the address without a password."""
    settings: Callable[[], Settings]
    changed: Callable[[TeamStatus], None]
    """Called when it stands otherwise with the team."""
    say: Callable[[str], None]
    """Tells the person something, in one or two sentences."""
    arrived: Callable[[bool], Awaitable[None]]
    """Called after the store was changed by others; whether texts have left for good."""

    sessions: LocalSessions | None = None
    """The folder's sessions, which may travel between the person's machines."""

    async def complete(self, address: ServerAddress) -> str:
        """Return an address as the driver needs it: with its password, and with TLS verified."""
        password = address.password or self.passwords.get(address.url, "")
        if not password:
            password = await find_password(address.url, self.variables, self.secrets)
        return secure_address(address.url, password, self.settings().network.ca_file)

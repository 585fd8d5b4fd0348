"""What a host of servers is given by whoever makes it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from plimsoll.network.proxies import Network
from plimsoll.network.resolving import Resolve, Resolver
from plimsoll.tools.mcp.logins import Logins, MemoryLogins
from plimsoll.tools.process.supervision.fork_server import ForkServer

LOGIN_PORT = 33_519
"""One port for ever: a registration names it, and holds for that alone."""


def _nobody_hears(name: str) -> None:
    del name


def _as_it_is(text: str) -> str:
    return text


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostNeeds:
    """The services of the process and the folder that a host uses."""

    root: Path
    """The folder whose sessions share the servers."""
    data: Path | None
    """The folder of files on what servers offered, made when it is needed; none: they are not
    kept."""
    fork_server: ForkServer
    """Forks the watchers of servers; closed by whoever made it, after the host."""
    network: Callable[[], Network] = Network
    """The person's proxies and certificates."""
    allow_hosts: Callable[[], Collection[str]] = tuple
    """Hosts, beside those of configured addresses, that may be of a private network."""
    resolve: Resolve = field(default_factory=lambda: Resolver().resolve, repr=False)
    logins: Logins = field(default_factory=MemoryLogins)
    """Where logins are kept."""
    login_port: int = LOGIN_PORT
    """The port of this machine to which a login sends the person back."""
    changed: Callable[[str], None] = _nobody_hears
    """Told the name of a server whose state or offer has changed."""
    redact: Callable[[str], str] = field(default=_as_it_is, repr=False)
    """Takes secrets out of what a server said before it failed."""
    now: Callable[[], str] = _now
    """The time in ISO 8601."""
    start_seconds: float = 10.0
    """How long a server may take until it has said what it offers."""

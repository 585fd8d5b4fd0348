"""Logins at servers by OAuth, and the port of the store that keeps them."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, cast

MOST_REFUSALS = 2
"""After so many in succession a registration is taken to be gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A registration at an authorization server, and the tokens that were got by it."""

    issuer: str
    token_endpoint: str
    resource: str | None = None
    """What the tokens are for, as the server names itself."""
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    authentication: str | None = None
    """How the client shows its secret: ``client_secret_basic``, ``client_secret_post`` or none."""
    redirect: str
    """Where the registration lets the person be sent back."""
    refusals: int = 0
    """How often in succession the authorization server did not know the registration."""
    access: str | None = field(default=None, repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires: float | None = None
    """When the access token ends, in seconds of Unix time; none: not known."""
    scope: str | None = None
    wants: str | None = None
    """What else the server asks for, since it refused a call without."""

    @property
    def is_gone(self) -> bool:
        """Whether the registration has been refused so often that it is made anew."""
        return self.refusals >= MOST_REFUSALS

    def encode(self) -> str:
        """Return it as JSON."""
        return json.dumps(asdict(self))


def read_login(kept: str | None) -> Login | None:
    """Decode a stored login; None if it is missing or malformed."""
    try:
        told: object = json.loads(kept) if kept else None
        return Login(**cast("dict[str, Any]", told)) if isinstance(told, dict) else None
    except (ValueError, TypeError):
        return None


class Logins(Protocol):
    """Keeps logins, each for the address of a server, as secret as keys."""

    async def read(self, url: str) -> str | None:
        """Return the login that was kept for an address."""
        ...

    async def keep(self, url: str, login: str) -> None:
        """Keep a login for an address, in the place of an earlier one."""
        ...


class MemoryLogins:
    """Keeps logins while the process lives."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    async def read(self, url: str) -> str | None:
        """Return the login that was kept for an address."""
        return self._kept.get(url)

    async def keep(self, url: str, login: str) -> None:
        """Keep a login for an address."""
        self._kept[url] = login

"""Keeps logins at MCP servers in the system's keyring, as keys are kept."""

import asyncio
import logging

from plimsoll.errors import InvalidInput
from plimsoll.redaction.secrets import Secrets
from plimsoll.system_keyring import keep_key, read_key
from plimsoll.tools.mcp.logins import MemoryLogins, read_login

log = logging.getLogger(__name__)

IN_KEYRING = "mcp"
_SECONDS = 10.0
"""A keyring may ask for its password first."""


class KeyringLogins:
    """Keeps logins in the keyring; where there is none, while the process lives."""

    def __init__(self, secrets: Secrets) -> None:
        """``secrets``: is told the tokens, so that they stand in no text."""
        self._secrets = secrets
        self._here = MemoryLogins()

    async def read(self, url: str) -> str | None:
        """Return the login for an address, which another window may have kept."""
        found = await self._here.read(url) or await read_key(IN_KEYRING, url, _SECONDS)
        self._hide(found)
        return found

    def _hide(self, kept: str | None) -> None:
        login = read_login(kept)
        tokens = (login.access, login.refresh, login.client_secret) if login else ()
        for token in filter(None, tokens):
            self._secrets.add("MCP_LOGIN", token)

    async def keep(self, url: str, login: str) -> None:
        """Keep a login for an address."""
        self._hide(login)
        try:
            await asyncio.to_thread(keep_key, IN_KEYRING, url, login)
        except InvalidInput as error:
            log.warning("a login holds until this process ends: %s", error.message)
            await self._here.keep(url, login)

"""The password of a team's server: a variable, the system's keyring, else the driver's own ways."""

import asyncio
from collections.abc import Mapping

from plimsoll.errors import InvalidInput
from plimsoll.redaction.secrets import Secrets
from plimsoll.system_keyring import keep_key, read_key, why_no_keyring
from plimsoll.team.addresses import ServerAddress

VARIABLE = "PLIMSOLL_TEAM_PASSWORD"
IN_KEYRING = "team"
"""Before the address, as the keyring has its password."""
_LONGEST_WAIT = 5.0
"""Seconds for the keyring, which may ask a person to unlock it."""


async def find_password(url: str, variables: Mapping[str, str], secrets: Secrets) -> str:
    """Return the password for an address; empty: the driver looks for one of its own.

    It does so in PGPASSWORD and in ~/.pgpass.
    """
    password = variables.get(VARIABLE) or await read_key(IN_KEYRING, url, _LONGEST_WAIT) or ""
    if password:
        secrets.add("team password", password)
    return password


async def refuse_unkept(address: ServerAddress) -> None:
    """Refuse a password that was written in an address and that no keyring can keep.

    Raises:
        InvalidInput: There is a password, and no keyring.
    """
    why = await asyncio.to_thread(why_no_keyring) if address.password else None
    if why is not None:
        raise InvalidInput(
            f"The password in the address cannot be kept in the system's keyring: {why}.",
            remedy=f"Take it out of the address, and set {VARIABLE} or write it into ~/.pgpass.",
        )


async def keep_password(address: ServerAddress, secrets: Secrets) -> None:
    """Keep the password that was written in an address in the system's keyring, if one was.

    Raises:
        InvalidInput: The keyring does not take it.
    """
    if address.password:
        secrets.add("team password", address.password)
        await asyncio.to_thread(keep_key, IN_KEYRING, address.url, address.password)

"""TLS of a connection: how certificates are checked, and what becomes of one that speaks none."""

import ssl
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import httpcore

Steps = dict[str, Mapping[str, object]]
"""The steps of a connection so far, and what httpx tells of each."""


def stuck_in_tls(steps: Steps) -> bool:
    """Tell whether a connection was made, but no TLS spoken over it."""
    step = "connection.start_tls"
    return f"{step}.started" in steps and f"{step}.complete" not in steps


async def hang_up(steps: Steps) -> None:
    """Close a connection of which TLS came to nothing.

    Where that was cut off, by a cancel or its deadline, httpcore leaves it open.
    """
    made = steps.get("connection.connect_tcp.complete")
    if made is not None and stuck_in_tls(steps):
        await cast("httpcore.AsyncNetworkStream", made["return_value"]).aclose()


def verification(base_url: str | None) -> ssl.SSLContext | bool:
    """Return how certificates are checked at an address: by the system's, or none is trusted."""
    # Loading the certificate store takes 50 ms, which plain HTTP on loopback does not need;
    # the empty context trusts nobody, should TLS be spoken after all.
    plain = base_url is not None and base_url.lower().startswith("http://")
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True

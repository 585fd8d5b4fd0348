"""Opens HTTP clients: the one place that decides about proxies and trusted certificates.

Imports httpx, which takes 110 ms, so it is imported late. Redirects are not followed, since they
lead to addresses that nobody configured; httpx itself reads no environment variables.
"""

from collections.abc import Mapping
from importlib.util import find_spec

import httpx

from plimsoll.errors import Fix, ProviderUnavailable
from plimsoll.network.proxies import Network, ProxyAddress
from plimsoll.network.trust import trusting, trusting_anybody, trusting_nobody
from plimsoll.text.wording import how_to_install


def http_client(
    base_url: str,
    network: Network,
    timeout: httpx.Timeout,
    headers: Mapping[str, str] | None = None,
) -> httpx.AsyncClient:
    """Open a client for one address.

    Raises:
        ProviderUnavailable: A file of certificates cannot be read, or a library is missing.
        SettingsInvalid: The proxy set for it is not a proxy's address.
    """
    plain = base_url.lower().startswith("http://")
    proxy = network.proxy_for(base_url)
    return httpx.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        # Loading the certificate store takes time, which plain HTTP does not need.
        verify=trusting_nobody() if plain else trusting(network),
        proxy=None if proxy is None else _httpx_proxy(proxy, network),
        timeout=timeout,
        headers=headers,
    )


def _httpx_proxy(proxy: ProxyAddress, network: Network) -> httpx.Proxy:
    if proxy.is_socks and find_spec("socksio") is None:
        raise _no_socks(proxy)
    trusted = None
    if proxy.scheme == "https":
        trusted = trusting(network) if network.verify_proxy else trusting_anybody()
    return httpx.Proxy(
        proxy.url,
        auth=(proxy.user, proxy.password) if proxy.user or proxy.password else None,
        ssl_context=trusted,
    )


def _no_socks(proxy: ProxyAddress) -> ProviderUnavailable:
    advice = f"Install the extra for it: {how_to_install('socks')}."
    return ProviderUnavailable(
        f"The proxy {proxy.url} ({proxy.source}) speaks SOCKS, and the library for that, socksio, "
        "is not installed.",
        remedy=f"{advice} Or name a proxy of http.",
        fix=Fix(kind="setting", setting="network.proxy", advice=advice),
    )

"""Tells the programs of a confined command where the proxy to the registries is."""

from collections.abc import Iterator

PORT = 31_128
"""Of the command's own loopback: below those that the kernel chooses, and taken before it runs."""
_PROXIES = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
    *("npm_config_proxy", "npm_config_https_proxy", "CARGO_HTTP_PROXY", "PIP_PROXY"),
    *("YARN_HTTP_PROXY", "YARN_HTTPS_PROXY"),
)
_DIRECT = ("NO_PROXY", "no_proxy", "npm_config_noproxy")
_OWN = "localhost,127.0.0.1,::1"


def proxy_variables() -> Iterator[tuple[str, str]]:
    """Yield the proxy variables and their values; local addresses need no proxy."""
    for name in _PROXIES:
        yield name, f"http://127.0.0.1:{PORT}"
    for name in _DIRECT:
        yield name, _OWN

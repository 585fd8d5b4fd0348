"""Errors for failures of a proxy, with what to do about them. Pure."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from plimsoll.errors import Fix, ProviderError, ProviderUnavailable
from plimsoll.network.proxies import SETTING, ProxyAddress
from plimsoll.providers.http.site import Site

NEEDED = 407
"""The status by which a proxy asks for credentials."""
NO_PROXY = "network.no_proxy"


def name_proxy(via: ProxyAddress) -> str:
    """Name a proxy and the setting that it comes from."""
    return f"the proxy {via.url} ({via.source})"


def proxy_unreachable(via: ProxyAddress, why: str, site: Site) -> ProviderUnavailable:
    """Build the error for a proxy that could not be reached."""
    return _fault(via, f"No connection to {name_proxy(via)}: {why}.", _check(via), site)


def proxy_silent(via: ProxyAddress, seconds: float, site: Site) -> ProviderUnavailable:
    """Build the error for a proxy that did not answer the request for a tunnel."""
    told = f"{_capital(via)} said nothing in {seconds:g} s to a request for {_host(site)}."
    return _fault(via, told, _check(via), site)


def proxy_cut(via: ProxyAddress, site: Site) -> ProviderUnavailable:
    """Build the error for a proxy that closed the connection before it answered."""
    told = f"{_capital(via)} cut the connection when it was asked for {_host(site)}."
    return _fault(via, told, _check(via), site)


def proxy_refused(
    via: ProxyAddress, status: int, site: Site, schemes: Iterable[str] = ()
) -> ProviderUnavailable:
    """Build the error for a proxy that answered with this status.

    ``schemes``: the schemes of authentication that it offers.
    """
    if status == NEEDED:
        return _unknown_user(via, site, list(schemes))
    host = _host(site)
    if status >= 500:
        told = f"{_capital(via)} could not reach {host} (status {status})."
        advice = f"Check that the proxy leads to {host}, or name the host in {NO_PROXY}."
    else:
        told = f"{_capital(via)} does not let requests through to {host} (status {status})."
        advice = (
            f"Ask whoever runs the proxy to allow {host}, or name the host in {NO_PROXY} if it is "
            "reached directly."
        )
    return _fault(via, told, advice, site, setting=NO_PROXY)


def socks_refused(via: ProxyAddress, told: str, site: Site) -> ProviderUnavailable:
    """Build the error for a SOCKS proxy; ``told``: the library's message."""
    if re.search(r"auth|password|username", told, re.IGNORECASE):
        return _unknown_user(via, site, [])
    message = f"{_capital(via)} could not reach {_host(site)}."
    return _fault(via, message, _check(via), site)


def add_proxy(error: ProviderError, site: Site) -> ProviderError:
    """Add to a server's error that a proxy is between, which may have answered."""
    if site.via is not None and isinstance(error, ProviderUnavailable):
        error.message = f"{error.message} It was asked through {name_proxy(site.via)}."
    return error


def _unknown_user(via: ProxyAddress, site: Site, schemes: list[str]) -> ProviderUnavailable:
    spoken = [scheme.split(" ", 1)[0] for scheme in schemes]
    if spoken and not any(one.lower() == "basic" for one in spoken):
        names = ", ".join(dict.fromkeys(re.sub(r"[^\w-]", "", one)[:20] for one in spoken))
        told = f"{_capital(via)} wants a login by {names} alone, which Plimsoll does not speak."
        advice = "Run a helper on this machine that logs in there, such as px or cntlm."
        return _fault(via, told, f"{advice} Set {SETTING} to its address.", site)
    if via.user or via.password:
        told = f"{_capital(via)} does not take the user and the password that it was given (407)."
        return _fault(via, told, _where_login(via), site)
    told = f"{_capital(via)} wants a user and a password (407)."
    return _fault(via, told, _where_login(via), site)


def _where_login(via: ProxyAddress) -> str:
    setting = (
        f"Write the user into {SETTING} (http://USER@host:port) and the name of the variable that "
        "holds the password into network.proxy_password_env."
    )
    if via.source == SETTING:
        return setting
    return f"Correct user and password in {via.source}. Or: {setting[0].lower()}{setting[1:]}"


def _check(via: ProxyAddress) -> str:
    direct = f"If the address is reached without it, name the host in {NO_PROXY}."
    return f"Check {via.source} and whether the proxy is running. {direct}"


def _fault(
    via: ProxyAddress, message: str, advice: str, site: Site, *, setting: str = SETTING
) -> ProviderUnavailable:
    return ProviderUnavailable(
        message,
        remedy=advice,
        data={"url": site.shown, "proxy": via.url},
        fix=Fix(kind="setting", setting=setting),
    )


def _capital(via: ProxyAddress) -> str:
    told = name_proxy(via)
    return told[0].upper() + told[1:]


def _host(site: Site) -> str:
    parts = urlsplit(site.shown)
    return parts.netloc if parts.port else parts.hostname or parts.netloc

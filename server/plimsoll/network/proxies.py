"""Chooses the proxy for an address: the person's setting, else the environment's. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import unquote, urlsplit

from plimsoll.errors import Fix, SettingsInvalid
from plimsoll.network.exemptions import is_exempt, is_this_machine

ProxyScheme = Literal["http", "https", "socks5", "socks5h"]
SCHEMES: tuple[ProxyScheme, ...] = ("http", "https", "socks5", "socks5h")
USUAL_PORTS: Mapping[ProxyScheme, int] = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
SETTING = "network.proxy"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyAddress:
    """The address of a proxy, with its credentials."""

    scheme: ProxyScheme
    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    source: str = SETTING
    """The setting or the variable that it comes from."""

    @property
    def url(self) -> str:
        """The address, without user and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def is_socks(self) -> bool:
        """Whether it speaks SOCKS, not HTTP."""
        return self.scheme.startswith("socks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The network settings: proxies and trusted certificates."""

    proxy: str | None = None
    """The address of the proxy that the person set, without a password."""
    password: str = field(default="", repr=False)
    """The password of ``proxy``."""
    exempt: tuple[str, ...] = ()
    """Hosts without a proxy, as the person set them."""
    proxy_loopback: bool = False
    """Whether ``proxy`` leads to addresses of this machine too."""
    verify_proxy: bool = True
    """Whether the certificate of the proxy itself is checked."""
    variables: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The environment variables of proxies and exemptions, if they are used."""
    ca_files: tuple[str, ...] = ()
    """Files of certificates that are trusted besides the others."""
    store: tuple[str | None, str | None] = (None, None)
    """File and folder of certificates that replace the system's."""

    def proxy_for(self, address: str) -> ProxyAddress | None:
        """Return the proxy for an http or https address.

        Raises:
            SettingsInvalid: The proxy setting is not the address of a proxy.
        """
        parts = urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return self.proxy_to(parts.scheme, parts.hostname or "", port)

    def proxy_to(self, scheme: str, host: str, port: int) -> ProxyAddress | None:
        """Return the proxy for a host; raises as ``proxy_for``."""
        named = dict(self.variables)
        exempt = (*self.exempt, *re.split(r"[\s,]+", named.get("NO_PROXY", "")))
        if is_exempt(host, port, filter(None, exempt)):
            return None
        local = is_this_machine(host)
        if self.proxy is not None:
            found = proxy_at(self.proxy, SETTING) if self.proxy_loopback or not local else None
            return found and replace(found, password=self.password or found.password)
        if local:
            return None
        for name in (f"{scheme.upper()}_PROXY", "ALL_PROXY"):
            if named.get(name):
                return proxy_at(named[name], name)
        return None


def proxy_at(address: str, source: str) -> ProxyAddress:
    """Parse the address of a proxy; without a scheme it is plain http.

    Raises:
        SettingsInvalid: It is not a proxy's address. The error does not quote it, as it may hold a
            password.
    """
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        port = parts.port
    except ValueError as error:
        raise _no_proxy(source) from error
    scheme = {"socks": "socks5h"}.get(parts.scheme, parts.scheme)
    if scheme not in SCHEMES or not parts.hostname or port == 0:
        raise _no_proxy(source)
    return ProxyAddress(
        scheme=scheme,
        host=parts.hostname,
        port=port or USUAL_PORTS[scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        source=source,
    )


def _no_proxy(source: str) -> SettingsInvalid:
    advice = "Write scheme, host and port, such as http://proxy.example.org:8080."
    return SettingsInvalid(
        f"{source} does not hold the address of a proxy.",
        remedy=f"{advice} Its scheme is one of {', '.join(SCHEMES)}.",
        data={"setting": source},
        fix=Fix(kind="setting", setting=SETTING, advice=advice),
    )

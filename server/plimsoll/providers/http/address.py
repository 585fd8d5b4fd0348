"""Addresses of servers: whether they are local, and corrections of wrong ones. Pure."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import inet_aton
from urllib.parse import SplitResult, urlsplit

API_PATHS = ("/chat/completions", "/completions", "/messages", "/responses", "/models")
"""Paths of the API that people often include in the address."""
ROOTS = {
    "api.groq.com": "/openai/v1",
    "generativelanguage.googleapis.com": "/v1beta/openai",
    "openrouter.ai": "/api/v1",
}
"""The path at which a host's API begins, if it is not ``/v1``."""


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_of_each_machine(host: str) -> bool:
    """Tell whether a host means another machine on each machine, in any spelling."""
    name = host.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        found = ip_address(name)
    except ValueError:
        found = _parse_short(name)
    inner = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return any(each.is_loopback or each.is_unspecified for each in (found, inner) if each)


def _parse_short(name: str) -> IPv4Address | None:
    """Parse an address as the system parses ``127.1`` and ``0x7f000001``; None for a name."""
    try:
        return IPv4Address(inet_aton(name))
    except (OSError, ValueError):
        return None


def is_near(host: str) -> bool:
    """Tell whether a host is this machine or in a private network."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith(".local") or "." not in host


def correct_address(base_url: str) -> str | None:
    """Return the base URL that was probably meant by one that serves nothing."""
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/")
    while ending := next((one for one in API_PATHS if path.endswith(one)), None):
        path = path.removesuffix(ending)
    while path.endswith("/v1/v1"):
        path = path.removesuffix("/v1")
    if path in {"", "/api"}:
        path = ROOTS.get(parts.hostname or "", "/v1")
    meant = _without_secrets(parts._replace(path=path))
    return None if meant == _without_secrets(parts) else meant


def with_scheme(base_url: str, scheme: str) -> str:
    """Return a base URL with another scheme."""
    return _without_secrets(urlsplit(base_url)._replace(scheme=scheme))


def _without_secrets(parts: SplitResult) -> str:
    """Format an address without user name, password and query."""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"


def origin(base_url: str) -> str:
    """Return scheme, host and port of an address; empty if it is not http or https."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port or _PORTS[parts.scheme]
    except (KeyError, ValueError):
        return ""
    shown = f"[{host}]" if host and ":" in host else host
    return f"{parts.scheme}://{shown}:{port}" if host else ""


def comparable(base_url: str) -> str:
    """Normalise an address, so that two spellings of one are equal.

    That is its origin, without the default port, and its path up to the version. Empty if it is not
    http or https.
    """
    found = origin(base_url)
    if not found:
        return ""
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/")
    while ending := next((one for one in (*API_PATHS, "/v1") if path.endswith(one)), None):
        path = path.removesuffix(ending).rstrip("/")
    return found.removesuffix(f":{_PORTS[parts.scheme]}") + path


_PORTS = {"http": 80, "https": 443}


def is_open_to_all(address: str) -> bool:
    """Tell whether an address is plain http to another machine, readable on the way."""
    host = urlsplit(address).hostname or ""
    return address.startswith("http:") and not is_loopback(host)

"""Addresses of servers: which are of this machine, and which one was probably meant. Pure."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import inet_aton
from urllib.parse import SplitResult, urlsplit

API_PATHS = ("/chat/completions", "/completions", "/messages", "/responses", "/models")
"""What is added to an address, and is often written into it."""
ROOTS = {
    "api.groq.com": "/openai/v1",
    "generativelanguage.googleapis.com": "/v1beta/openai",
    "openrouter.ai": "/api/v1",
}
"""Where the API of a host begins, if not at ``/v1``."""


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_of_each_machine(host: str) -> bool:
    """Tell whether a host is another one on each machine, however it is written."""
    name = host.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        found = ip_address(name)
    except ValueError:
        found = _shortened(name)
    inner = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return any(each.is_loopback or each.is_unspecified for each in (found, inner) if each)


def _shortened(name: str) -> IPv4Address | None:
    """Read an address as the system reads ``127.1`` and ``0x7f000001``; none of a name."""
    try:
        return IPv4Address(inet_aton(name))
    except (OSError, ValueError):
        return None


def is_near(host: str) -> bool:
    """Tell whether a host is this machine or of a private network."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith(".local") or "." not in host


def corrected(base_url: str) -> str | None:
    """Return the base URL that was probably meant by one under which nothing is served."""
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/")
    while ending := next((one for one in API_PATHS if path.endswith(one)), None):
        path = path.removesuffix(ending)
    while path.endswith("/v1/v1"):
        path = path.removesuffix("/v1")
    if path in {"", "/api"}:
        path = ROOTS.get(parts.hostname or "", "/v1")
    meant = _shown(parts._replace(path=path))
    return None if meant == _shown(parts) else meant


def with_scheme(base_url: str, scheme: str) -> str:
    """Return a base URL with another scheme."""
    return _shown(urlsplit(base_url)._replace(scheme=scheme))


def _shown(parts: SplitResult) -> str:
    """Write an address without user name, password and query."""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"


def origin(base_url: str) -> str:
    """Return scheme, host and port of an address; empty where it is no http or https address."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port or _PORTS[parts.scheme]
    except (KeyError, ValueError):
        return ""
    shown = f"[{host}]" if host and ":" in host else host
    return f"{parts.scheme}://{shown}:{port}" if host else ""


def comparable(base_url: str) -> str:
    """Write an address so that two ways to write the same one are equal.

    That is its origin, without the usual port, and its path up to the version. Empty where it is
    no http or https address.
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
    """Tell whether it is plain http to another machine."""
    host = urlsplit(address).hostname or ""
    return address.startswith("http:") and not is_loopback(host)

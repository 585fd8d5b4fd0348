"""Addresses of servers: which are of this machine, and which one was probably meant. Pure."""

from ipaddress import ip_address
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

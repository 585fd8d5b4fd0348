"""What a command asks of the proxy: one request, read strictly. Pure.

What two readers could understand in two ways is refused, and nothing of the command's own framing
is passed on, so that no second request can hide behind the first.
"""

import re
from dataclasses import dataclass

from plimsoll.tools.process.confinement.registries.hosts import (
    HTTP_PORT,
    HTTPS_PORT,
    host_name,
)

LONGEST_HEAD = 16_384
END_OF_HEAD = b"\r\n\r\n"
_MOST_HEADERS = 100
_LINE = re.compile(r"([A-Za-z]{1,20}) ([!-~]{1,8192}) (HTTP/1\.[01])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*([\t -~]*)")
_AUTHORITY = re.compile(r"([A-Za-z0-9._-]{1,254})(?::([0-9]{1,5}))?")
_ABSOLUTE = re.compile(r"(?i:http)://([^/?#]+)(/[^#]*)?")
_READING = frozenset({"GET", "HEAD"})
_FRAMING = frozenset({"transfer-encoding", "content-length", "upgrade"})
# Any other could name another host or method to some server, or is about the connection to us.
_PASSED_ON = frozenset(
    {
        *("user-agent", "accept", "accept-encoding", "accept-language", "authorization", "range"),
        *("if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"),
        *("cache-control", "pragma"),
    }
)


class MalformedRequest(Exception):
    """A request that the proxy does not understand, and so refuses; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryRequest:
    """The host and port that a command asks for, and the head to send on in plain http."""

    host: str
    """As ``host_name`` returns it."""
    port: int
    method: str | None = None
    """Of a plain request; none: the command wants a tunnel, through which it speaks TLS."""
    path: str = ""
    version: str = "HTTP/1.1"
    headers: tuple[tuple[str, str], ...] = ()

    def head(self, *, through: str | None = None, absolute: bool = False) -> bytes:
        """Return the head of the plain HTTP request to send on.

        ``through``: the credentials for a company's proxy. ``absolute``: write the whole URL.
        """
        target = f"http://{self.host}{self.path}" if absolute else self.path
        lines = [f"{self.method} {target} {self.version}", f"Host: {self.host}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        lines += [f"Proxy-Authorization: {through}"] if through else []
        return "\r\n".join([*lines, "Connection: close", "", ""]).encode("ascii")


def read_request(head: bytes) -> RegistryRequest:
    """Read the head of a request, with the empty line at its end.

    Raises:
        MalformedRequest: This proxy does not take such a request.
    """
    text = head.removesuffix(END_OF_HEAD).decode("latin-1")
    first, *rest = text.split("\r\n")
    line = _LINE.fullmatch(first)
    if line is None or len(rest) > _MOST_HEADERS:
        raise MalformedRequest("the request is not of HTTP 1")
    headers = [_header(one) for one in rest]
    method, target, version = line.groups()
    is_tunnel = method == "CONNECT"
    if not is_tunnel and method not in _READING:
        raise MalformedRequest("plain http can be read alone (GET, HEAD)")
    for name, value in headers:
        if name.lower() in _FRAMING and (name.lower(), value) != ("content-length", "0"):
            raise MalformedRequest(f"no request here has a body or {name}")
    host, port, path = _tunnel(target) if is_tunnel else _plain(target)
    _check_host([value for name, value in headers if name.lower() == "host"], host)
    if is_tunnel:
        return RegistryRequest(host=host, port=port)
    return RegistryRequest(
        host=host,
        port=port,
        method=method,
        path=path,
        version=version,
        headers=tuple(one for one in headers if one[0].lower() in _PASSED_ON),
    )


def _header(line: str) -> tuple[str, str]:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise MalformedRequest("a header is not as HTTP has it")
    return found[1], found[2].rstrip()


def _tunnel(target: str) -> tuple[str, int, str]:
    host, port = _authority(target)
    if port is None:
        raise MalformedRequest("CONNECT names no port")
    return host, port, ""


def _plain(target: str) -> tuple[str, int, str]:
    found = _ABSOLUTE.fullmatch(target)
    if found is None:
        raise MalformedRequest("the request names no address that begins with http://")
    host, port = _authority(found[1])
    return host, HTTP_PORT if port is None else port, found[2] or "/"


def _authority(text: str) -> tuple[str, int | None]:
    found = _AUTHORITY.fullmatch(text)
    host = host_name(found[1]) if found else None
    if found is None or host is None:
        raise MalformedRequest("it names no host by its name")
    return host, int(found[2]) if found[2] else None


def _check_host(values: list[str], host: str) -> None:
    """Refuse a request that names two hosts."""
    if len(values) > 1:
        raise MalformedRequest("it has more than one header Host")
    for value in values:
        named, port = _authority(value)
        if named != host or port not in (None, HTTP_PORT, HTTPS_PORT):
            raise MalformedRequest("its header Host names another host")

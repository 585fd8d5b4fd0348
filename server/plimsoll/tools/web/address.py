"""An address of the web, as it is shown to a person and as it is asked for: the same text."""

import re
from dataclasses import dataclass

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line

LONGEST = 2_000
USUAL_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|[0-9a-f:.]*:[0-9a-f:.]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAddress:
    """An http or https address without credentials, in ASCII letters alone."""

    scheme: str
    host: str
    """In small letters; a name of other letters as it is in the system of names (``xn--``)."""
    port: int
    target: str
    """Path and query."""

    @property
    def authority(self) -> str:
        """The host, with its port if that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == USUAL_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def site(self) -> str:
        """The address without path and query."""
        return f"{self.scheme}://{self.authority}"

    @property
    def shown(self) -> str:
        """The whole address."""
        return self.site + self.target


def web_address(text: str, base: WebAddress | None = None) -> WebAddress:
    """Read an address; the part behind ``#`` is left out, since it is never sent.

    ``base``: the address to which it is relative.

    Raises:
        ToolFailed: It is none, or one that is not fetched.
    """
    # Loaded late: the library takes 110 ms.
    import httpx

    shown = visible_line(text)
    if len(text) > LONGEST or re.search(r"[\s\x00-\x20\x7f\\]", text):
        raise ToolFailed(f"{shown} is not an address: blanks, backslashes or too many characters.")
    try:
        url = httpx.URL(text) if base is None else httpx.URL(base.shown).join(text)
        port = url.port
    except (httpx.InvalidURL, ValueError) as error:
        raise ToolFailed(f"{shown} is not an address: {error}.") from error
    if url.scheme not in USUAL_PORTS:
        raise ToolFailed(f"{shown} is not fetched: only http and https addresses are.")
    if url.userinfo:
        raise ToolFailed(f"{shown} is not fetched: it holds a user name or password.")
    host = url.raw_host.decode("ascii", "replace").lower().removesuffix(".")
    if len(host) > 253 or not _HOST.fullmatch(host) or not (port is None or 0 < port < 65_536):
        raise ToolFailed(f"{shown} is not fetched: it names no host, or no port.")
    return WebAddress(
        scheme=url.scheme,
        host=host,
        port=port or USUAL_PORTS[url.scheme],
        target=url.raw_path.decode("ascii"),
    )


def is_same_site(before: WebAddress, after: WebAddress) -> bool:
    """Tell whether a redirect stays at the site: there, or at its https instead of its http."""
    secured = before.site.replace("http://", "https://", 1)
    return after.site in (before.site, secured)

"""The hosts that a confined command reaches with ``network = "registries"``.

A host is compared by its whole name, never by its end: what is not listed is not reached.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

HTTPS_PORT, HTTP_PORT = 443, 80
BUILT_IN: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("pypi.org", "files.pythonhosted.org"), (HTTPS_PORT,)),
    "registry.npmjs.org": (HTTPS_PORT,),
    **dict.fromkeys(("crates.io", "index.crates.io", "static.crates.io"), (HTTPS_PORT,)),
    # Its packages are signed, and its tools fetch them by plain http.
    **dict.fromkeys(("deb.debian.org", "security.debian.org"), (HTTPS_PORT, HTTP_PORT)),
    **dict.fromkeys(("proxy.golang.org", "sum.golang.org"), (HTTPS_PORT,)),
}
"""The registries of PyPI, npm, crates, Debian and Go, each with its ports."""
_LABEL = r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LONGEST = 253


def host_name(text: str) -> str | None:
    """Return a host's name in the form for comparing: in small letters, without a last dot.

    None for any other text, such as an address: no registry is named by one.
    """
    # Not by the rules of Unicode: some letters of other scripts become ASCII ones in small.
    name = text.lower().removesuffix(".") if text.isascii() else ""
    is_name = len(name) <= _LONGEST and _HOST.fullmatch(name) is not None
    return name if is_name and not _NUMBER.fullmatch(name.rpartition(".")[2]) else None


@dataclass(frozen=True, slots=True)
class Registries:
    """The registries that a command reaches: the built-in ones, and those that a person lists."""

    listed: tuple[str, ...] = ()
    """Hosts as ``host_name`` returns them."""

    def ports(self, host: str) -> tuple[int, ...]:
        """Return the ports that may be reached on a host; empty if the host is no registry."""
        return (HTTPS_PORT, HTTP_PORT) if host in self.listed else BUILT_IN.get(host, ())

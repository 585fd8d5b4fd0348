"""Tells whether a command may have failed because of its sandbox.

By what it wrote, that is a guess: nothing tells why a program failed. So it is made only of
commands that were confined, and is told as a guess. What the proxy to package registries refused is
known.
"""

import re
from pathlib import Path

from plimsoll.text.lines import lines_of
from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.intent import HeldBack
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.places import TEMPORARY
from plimsoll.tools.process.confinement.registries.record import RefusalKind, RegistryRefusal

_NETWORK = re.compile(
    r"network is unreachable|ENETUNREACH|could not resolve|couldn.t resolve|unable to resolve"
    r"|temporary failure in name resolution|name or service not known|getaddrinfo"
    r"|EAI_AGAIN|ENOTFOUND|no route to host",
    re.IGNORECASE,
)
_FILES = re.compile(
    r"read-only file system|EROFS|permission denied|EACCES|operation not permitted|EPERM"
    r"|device or resource busy|EBUSY|cross-device link|EXDEV"
    r"|address family not supported|EAFNOSUPPORT",
    re.IGNORECASE,
)
_MISSING = re.compile(r"no such file or directory|ENOENT|not found", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w./~-])/[\w.+@-]+(?:/[\w.+@-]+)*")
# What is missing there is missing outside of the sandbox too.
_SHOWN = (*map(Path, ("/usr", "/bin", "/lib", "/proc", "/dev")), *TEMPORARY)
_TOLD: dict[HeldBack, str] = {
    "network": "It may have failed because it has no network in the sandbox. With network: true "
    "it has, which is asked about.",
    "files": "It may have failed because of the sandbox, where it can write only in this folder, "
    "what is protected stays as it is and there are no Unix sockets; of the disk it sees tools and "
    "what anybody may read of the system. With unconfined: true it runs outside, which is asked "
    "about; a folder that the person lists in the setting sandbox.readable is shown to it.",
}
_REGISTRIES_TOLD = (
    "It may have failed because its sandbox lets it reach package registries alone, by the proxy "
    "that HTTPS_PROXY names. With network: true it reaches the whole network, which is asked about."
)
_LONGEST_SUBJECT = 100
_REFUSALS: dict[RefusalKind, str] = {
    "unlisted": "its sandbox lets it reach package registries alone; {subject} is none of them; "
    "with network: true it reaches the whole network, which is asked about",
    "port": "its sandbox lets it reach {subject} by https on port 443 alone",
    "address": "{subject} was not reached: its name leads to an address that is not public; if "
    "that is meant, the person lists it in sandbox.registries",
    "server": "a connection to {subject} was cut: in it TLS named another server, or none",
    "malformed": "the proxy to the package registries refused a request: {subject}",
    "volume": "it sent or fetched more than a command with package registries may",
    "unheard": "it reached no package registry: the proxy could not listen in its sandbox",
}


def guess_text(held: HeldBack, access: Access | None) -> str:
    """Write a line on what the sandbox may have kept from a command that failed."""
    proxied = held == "network" and access is not None and access.registries is not None
    return _REGISTRIES_TOLD if proxied else _TOLD[held]


def refusal_text(refusal: RegistryRefusal) -> str:
    """Write a line on the hosts that a command with package registries could not reach."""
    subject = visible_line(refusal.subject, limit=_LONGEST_SUBJECT)
    return _REFUSALS[refusal.kind].format(subject=subject)


def is_kept_out(refusal: RegistryRefusal) -> bool:
    """Tell whether a refused host could be reached if the command had the network."""
    return refusal.kind in ("unlisted", "port", "address")


def held_back(output: str, code: int, access: Access | None) -> HeldBack | None:
    """Return what a sandbox probably kept from a failed command: network or files; else None.

    ``output``: the end of the command's output, which may hold a reason.
    """
    if code == 0 or access is None:
        return None
    if not access.network and _NETWORK.search(output):
        return "network"
    return "files" if _FILES.search(output) or _misses(output, access) else None


def _misses(output: str, access: Access) -> bool:
    """Tell whether a command missed a path that exists, but that its sandbox hides."""
    shown = (access.root, access.caches, *access.readable, *access.writable, *_SHOWN)
    lines = (line for line in lines_of(output) if _MISSING.search(line))
    paths = (Path(found[0]) for line in lines for found in _PATH.finditer(line))
    return any(not {path, *path.parents} & {*shown} for path in paths)

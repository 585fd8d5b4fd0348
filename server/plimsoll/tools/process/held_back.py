"""Tells whether a command may have failed because of its sandbox, by what it wrote.

A guess: nothing tells why a program failed. So it is made only of commands that were confined, and
is told as a guess.
"""

import re

from plimsoll.tools.base import HeldBack
from plimsoll.tools.process.confinement.base import Access

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
TOLD: dict[HeldBack, str] = {
    "network": "It may have failed because it has no network in the sandbox. With network: true "
    "it has, which is asked about.",
    "files": "It may have failed because of the sandbox, where it can write only in this folder, "
    "what is protected stays as it is and there are no Unix sockets. With unconfined: true it runs "
    "outside, which is asked about.",
}
"""What the model is told of each."""


def held_back(output: str, code: int, access: Access | None) -> HeldBack | None:
    """Return what a command could probably not reach; none if it was free or did not fail.

    ``output``: the end of what it wrote, where a reason stands.
    """
    if code == 0 or access is None:
        return None
    if not access.network and _NETWORK.search(output):
        return "network"
    return "files" if _FILES.search(output) else None

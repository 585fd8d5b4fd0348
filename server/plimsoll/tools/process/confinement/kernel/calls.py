"""The kernel's calls by name, for each machine whose numbers are known."""

import ctypes
import os
from collections.abc import Mapping
from typing import NamedTuple

from plimsoll.tools.process.confinement.kernel import linux

C = ctypes.CDLL(None, use_errno=True)
"""The C library of this process."""

# The two machines share the numbers of all calls since 424.
_SHARED: Mapping[str, int] = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "clone3": 435,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "memfd_secret": 447,
}
# Name: x86_64, aarch64.
_DIFFERENT: Mapping[str, tuple[int, int]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "clone": (56, 220),
    "fallocate": (285, 47),
    "fanotify_init": (300, 262),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "quotactl": (179, 60),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmat": (30, 196),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "syslog": (103, 116),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}


class Architecture(NamedTuple):
    """A processor architecture, by the numbers that filters of system calls need."""

    audit: int
    """Its number in the kernel's audits (``AUDIT_ARCH_*``)."""
    numbers: Mapping[str, int]
    """The number of each call by its name."""


ARCHITECTURES: Mapping[str, Architecture] = {
    name: Architecture(audit, {**{call: two[n] for call, two in _DIFFERENT.items()}, **_SHARED})
    for n, (name, audit) in enumerate(
        (("x86_64", linux.AUDIT_ARCH_X86_64), ("aarch64", linux.AUDIT_ARCH_AARCH64))
    )
}
"""Those whose numbers are known, by the names of ``os.uname``."""


def architecture() -> Architecture | None:
    """Return this machine's architecture; None if its system call numbers are not known here."""
    return ARCHITECTURES.get(os.uname().machine)


def check(result: int, what: str) -> int:
    """Return the result of a system call, or raise its error.

    Raises:
        OSError: The call failed; ``what`` names what it was for.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result

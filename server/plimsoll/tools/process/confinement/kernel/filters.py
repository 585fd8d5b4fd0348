"""Refuses system calls that neither name spaces nor rights on files cover, with reasons."""

import ctypes
from collections.abc import Iterator, Mapping
from errno import EAFNOSUPPORT, ENOSYS, EOPNOTSUPP, EPERM, EPROTONOSUPPORT, EPROTOTYPE

from plimsoll.tools.process.confinement.kernel import instructions as code
from plimsoll.tools.process.confinement.kernel import linux
from plimsoll.tools.process.confinement.kernel.calls import Architecture, C, architecture, check

_REFUSED: Mapping[str, tuple[str, ...]] = {
    "The keys of a session belong to the person, whatever the name space.": (
        *("add_key", "request_key", "keyctl"),
    ),
    "Work that the kernel does by itself passes by this filter.": (
        *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    ),
    "Code in the kernel, or a look at all of the machine.": (
        *("bpf", "perf_event_open", "syslog", "lookup_dcookie", "kcmp", "acct"),
    ),
    "It holds up the kernel in the middle of a call: a tool of exploits.": ("userfaultfd",),
    "Memory that nothing counts.": ("memfd_secret",),
    "Files by their number, past all folders; the use of a whole disk.": (
        *("open_by_handle_at", "fanotify_init", "quotactl"),
    ),
    "The terminal of somebody else.": ("vhangup",),
}
# What programs take for a call that an older kernel does not have: they do without.
_AS_MISSING = frozenset(
    {"io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_secret", "clone3"}
)
# Shared by the whole machine where no name space is of one's own.
_SHARED_MEMORY_AND_QUEUES = ("shmget", "shmat", "semget", "msgget", "mq_open")
_NEW_NAME_SPACES = (
    linux.CLONE_NEWTIME | linux.CLONE_NEWNS | linux.CLONE_NEWCGROUP | linux.CLONE_NEWUTS
    | linux.CLONE_NEWIPC | linux.CLONE_NEWUSER | linux.CLONE_NEWPID | linux.CLONE_NEWNET
)  # fmt: skip
# Types for a person.
_TERMINAL_INPUT = (linux.TIOCSTI, linux.TIOCLINUX)
# A new file of any length takes all of a disk at once, before anybody can look.
_NEW_SPACE = (0, linux.FALLOC_FL_KEEP_SIZE)
# What is said beside the kind of a socket, as that a new program does not get it, stands above.
_KIND_OF_SOCKET = 0xF


def refuse_calls(*, network: bool, unix_sockets: bool, alone: bool) -> None:
    """Install a filter that refuses system calls to this process and all that it starts.

    ``network``: allow Internet sockets. ``unix_sockets``: allow Unix sockets that have a name.
    ``alone``: the process has, or will make, name spaces of its own for all else. Nothing is
    refused on a machine whose call numbers are not known.

    Raises:
        OSError: The kernel does not filter calls.
    """
    known = architecture()
    if known is None:
        return
    held = filter_of(known, network=network, unix_sockets=unix_sockets, alone=alone)
    program = _Program(len(held), b"".join(held))
    check(
        C.prctl(linux.PR_SET_SECCOMP, linux.SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0),
        "seccomp",
    )


def filter_of(known: Architecture, *, network: bool, unix_sockets: bool, alone: bool) -> code.Code:
    """Return the instructions of a filter that refuses these calls on an architecture."""
    families = {
        linux.AF_UNIX: unix_sockets,
        linux.AF_INET: network,
        linux.AF_INET6: network,
        linux.AF_NETLINK: True,
    }
    return code.concatenate(
        (
            *_of_this_width(known),
            *_refuse_calls(known, alone=alone),
            *_sockets(known, tuple(family for family, given in families.items() if given)),
            code.allow(),
        )
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _of_this_width(known: Architecture) -> Iterator[code.Code]:
    """Refuse calls of another word width, whose numbers differ, so that no check would apply."""
    yield code.load(code.MACHINE)
    yield code.unless_equal(known.audit, code.fail(ENOSYS))
    yield code.load(code.NUMBER)
    yield code.when_at_least(linux.X32_SYSCALL_BIT, code.fail(ENOSYS))


def _refuse_calls(known: Architecture, *, alone: bool) -> Iterator[code.Code]:
    calls = [call for group in _REFUSED.values() for call in group]
    if not alone:
        # A filter cannot read what this one is given; programs take the older one then.
        calls += ["clone3", "setns", *_SHARED_MEMORY_AND_QUEUES]
    for call in calls:
        error = code.fail(ENOSYS if call in _AS_MISSING else EPERM)
        yield code.when_equal(known.numbers[call], error)
    if not alone:
        for call in ("clone", "unshare"):
            made = code.when_any_bit(_NEW_NAME_SPACES, code.fail(EPERM))
            yield _when_called(known, call, (code.load_argument(0), made))
    for request in _TERMINAL_INPUT:
        same = code.when_equal(request, code.fail(EPERM))
        yield _when_called(known, "ioctl", (code.load_argument(1), same))
    # Whoever opens a file outside would wait for the holder of a lease on it.
    same = code.when_equal(linux.F_SETLEASE, code.fail(EPERM))
    yield _when_called(known, "fcntl", (code.load_argument(1), same))
    for mode in _NEW_SPACE:
        same = code.when_equal(mode, code.fail(EOPNOTSUPP))
        yield _when_called(known, "fallocate", (code.load_argument(1), same))


def _sockets(known: Architecture, families: tuple[int, ...]) -> Iterator[code.Code]:
    """Allow sockets of these families alone, and pairs of sockets that cannot be named.

    Pairs of datagram sockets are refused, as they can send to any name.
    """
    other = code.unless_one_of(families, code.fail(EAFNOSUPPORT))
    routes = code.concatenate(
        (code.load_argument(2), code.unless_equal(linux.NETLINK_ROUTE, code.fail(EPROTONOSUPPORT)))
    )
    yield _when_called(
        known, "socket", (code.load_argument(0), other, code.when_equal(linux.AF_NETLINK, routes))
    )
    kinds = code.unless_one_of((linux.SOCK_STREAM, linux.SOCK_SEQPACKET), code.fail(EPROTOTYPE))
    named = (code.load_argument(1), code.only_bits(_KIND_OF_SOCKET), kinds)
    yield _when_called(
        known,
        "socketpair",
        (
            code.load_argument(0),
            code.unless_equal(linux.AF_UNIX, code.fail(EAFNOSUPPORT)),
            *(() if linux.AF_UNIX in families else named),
        ),
    )


def _when_called(known: Architecture, call: str, then: tuple[code.Code, ...]) -> code.Code:
    """Run instructions if this system call is made, then load the call's number again."""
    inside = code.concatenate((*then, code.load(code.NUMBER)))
    return code.when_equal(known.numbers[call], inside)

"""Takes rights on files, sockets and the machine away from a process, for good (Landlock)."""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from enum import IntFlag
from errno import ENOSYS
from typing import NamedTuple

from plimsoll.tools.process.confinement.kernel import linux
from plimsoll.tools.process.confinement.kernel.calls import C, architecture, check


class Right(IntFlag):
    """Rights on files, as Landlock knows them."""

    EXECUTE = linux.LANDLOCK_ACCESS_FS_EXECUTE
    WRITE = linux.LANDLOCK_ACCESS_FS_WRITE_FILE
    READ = linux.LANDLOCK_ACCESS_FS_READ_FILE
    LIST = linux.LANDLOCK_ACCESS_FS_READ_DIR
    MAKE_AND_REMOVE = (
        linux.LANDLOCK_ACCESS_FS_REMOVE_DIR | linux.LANDLOCK_ACCESS_FS_REMOVE_FILE
        | linux.LANDLOCK_ACCESS_FS_MAKE_CHAR | linux.LANDLOCK_ACCESS_FS_MAKE_DIR
        | linux.LANDLOCK_ACCESS_FS_MAKE_REG | linux.LANDLOCK_ACCESS_FS_MAKE_SOCK
        | linux.LANDLOCK_ACCESS_FS_MAKE_FIFO | linux.LANDLOCK_ACCESS_FS_MAKE_BLOCK
        | linux.LANDLOCK_ACCESS_FS_MAKE_SYM
    )  # fmt: skip
    MOVE = linux.LANDLOCK_ACCESS_FS_REFER
    TRUNCATE = linux.LANDLOCK_ACCESS_FS_TRUNCATE
    CONTROL = linux.LANDLOCK_ACCESS_FS_IOCTL_DEV


# By the version of the interface that brought them.
_RIGHTS = (
    (1, Right.EXECUTE | Right.WRITE | Right.READ | Right.LIST | Right.MAKE_AND_REMOVE),
    *((2, Right.MOVE), (3, Right.TRUNCATE), (5, Right.CONTROL)),
)
_READING = Right.EXECUTE | Right.READ | Right.LIST
_OF_FILES = Right.EXECUTE | Right.WRITE | Right.READ | Right.TRUNCATE | Right.CONTROL
_TCP_VERSION, _SCOPE_VERSION = 4, 6
_TCP_RIGHTS = linux.LANDLOCK_ACCESS_NET_BIND_TCP | linux.LANDLOCK_ACCESS_NET_CONNECT_TCP
# Of those outside.
_ABSTRACT_SOCKETS = linux.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
_SIGNALS = linux.LANDLOCK_SCOPE_SIGNAL


class LandlockRules(NamedTuple):
    """The rights that Landlock leaves to a process."""

    readable: tuple[str, ...]
    """Files and folders that it may read and run; what is not there needs no permission."""
    writable: tuple[str, ...]
    network: bool
    """Whether TCP is left to it."""


def landlock_version() -> int:
    """Return the version of the kernel's Landlock interface; 0 without Landlock."""
    known = architecture()
    if known is None:
        return 0
    create = known.numbers["landlock_create_ruleset"]
    return max(
        0, C.syscall(create, None, ctypes.c_size_t(0), linux.LANDLOCK_CREATE_RULESET_VERSION)
    )


def drop_capabilities() -> None:
    """Drop all of root's capabilities, also for programs started later.

    Raises:
        OSError: The kernel refuses.
    """
    number = 0
    while C.prctl(linux.PR_CAPBSET_DROP, number, 0, 0, 0) == 0:
        number += 1
    header = struct.pack("=Ii", linux.LINUX_CAPABILITY_VERSION_3, 0)
    check(C.capset(header, bytes(24)), "capabilities")


def restrict(rules: LandlockRules) -> None:
    """Restrict this process, and all programs that it starts, to the rights in these rules.

    Raises:
        OSError: This kernel has no Landlock.
    """
    version, known = landlock_version(), architecture()
    if not version or known is None:
        raise OSError(ENOSYS, "this kernel has no Landlock")
    rights = Right(0)
    for since, brought in _RIGHTS:
        rights |= brought if version >= since else 0
    tcp = _TCP_RIGHTS if version >= _TCP_VERSION and not rules.network else 0
    scopes = _ABSTRACT_SOCKETS | _SIGNALS if version >= _SCOPE_VERSION else 0
    made = _make(version, (rights, tcp, scopes))
    _allow(made, rules.readable, rights & _READING)
    _allow(made, rules.writable, rights)
    check(C.syscall(known.numbers["landlock_restrict_self"], made, 0), "Landlock")
    os.close(made)


def rules_on_writing() -> int:
    """Return Landlock rules that forbid all writing and moving, but are not in force yet.

    They also forbid, where the kernel can, abstract sockets of other programs.

    Raises:
        OSError: This kernel has no such rules.
    """
    version = landlock_version()
    scopes = _ABSTRACT_SOCKETS if version >= _SCOPE_VERSION else 0
    return _make(version, (Right.WRITE | Right.MOVE, 0, scopes))


def allow_writing(rules: int, folders: Iterable[str]) -> None:
    """Add to rules the right to write in folders, and to move files between them.

    Raises:
        OSError: The kernel refuses.
    """
    _allow(rules, folders, Right.WRITE | Right.MOVE)


def allow_moving(rules: int, folder: str) -> None:
    """Add to rules the right to move files below a folder.

    Raises:
        OSError: The kernel refuses.
    """
    _allow(rules, (folder,), Right.MOVE)


def _make(version: int, handled: tuple[int, int, int]) -> int:
    """Create a Landlock ruleset for rights on files, TCP ports and scopes (signals, sockets)."""
    length = 24 if version >= _SCOPE_VERSION else 16 if version >= _TCP_VERSION else 8
    attributes = struct.pack("=QQQ", *handled)[:length]
    known = architecture()
    assert known is not None
    create = known.numbers["landlock_create_ruleset"]
    return check(C.syscall(create, attributes, ctypes.c_size_t(length), 0), "Landlock")


def _allow(rules: int, paths: Iterable[str], rights: Right) -> None:
    known = architecture()
    assert known is not None
    add = known.numbers["landlock_add_rule"]
    # A home is shown by hundreds of paths.
    of_folders, of_files = int(rights), int(rights & _OF_FILES)
    for path in paths:
        try:
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            # What is not there needs no permission.
            continue
        try:
            held = of_folders if stat.S_ISDIR(os.fstat(opened).st_mode) else of_files
            rule = struct.pack("=Qi", held, opened)
            check(
                C.syscall(add, rules, *(linux.LANDLOCK_RULE_PATH_BENEATH, rule, 0)),
                f"Landlock, {path}",
            )
        finally:
            os.close(opened)

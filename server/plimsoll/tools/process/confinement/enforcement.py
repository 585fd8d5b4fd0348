"""Applies rules to the process itself, which the program that it becomes cannot take off again.

And bounds the name space that such a program makes.

Loaded by the supervisor alone, which runs without the package: the standard library only.
"""

import contextlib
import ctypes
import fcntl
import os
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_C = ctypes.CDLL(None, use_errno=True)
_SET_NO_NEW_PRIVILEGES = 38
_SET_SECCOMP = 22
_DROP_CAPABILITY = 24
_CAPABILITY_VERSION = 0x2008_0522
_SECCOMP_FILTER = 2

_NEW_USER, _NEW_PROCESSES = 0x1000_0000, 0x2000_0000
_GET_OWNER = 0xB701
_FIRST_PROCESS = re.compile(rb'"child-pid": *([0-9]+)')
_MOST_PROCESSES = Path("/proc/sys/kernel/pid_max")
_MOST_USERS = Path("/proc/sys/user/max_user_namespaces")
# Before, the number is one of the whole machine. Some are kept back from a name space that is full.
_BOUNDED_SINCE, _KEPT_BACK = (6, 14), 301

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_BENEATH = 1
# Rights on files by the version of the interface that brought them.
_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FIRST_RIGHTS = (1 << 13) - 1
_LATER_RIGHTS = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_TCP_VERSION, _TCP_RIGHTS = 4, 0b11
_SCOPE_VERSION, _SCOPES = 6, 0b11
_OF_FILES = _EXECUTE | _WRITE | _READ | (1 << 14) | (1 << 15)

_ERRNO_ACTION, _ALLOW = 0x0005_0000, 0x7FFF_0000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_X32 = 0x4000_0000
_TERMINAL_INPUT = (0x5412, 0x541C)
# Local sockets, the Internet and the kernel's own; not the host of a virtual machine.
_FAMILIES_ALONE, _FAMILIES = (1, 16), (1, 2, 10, 16)
# By machine: its number in audits; socket, socketpair, ioctl; what no command needs.
_SYSTEM_CALLS: Mapping[str, tuple[int, tuple[int, int, int], tuple[int, ...]]] = {
    "x86_64": (0xC000_003E, (41, 53, 16), (103, 248, 249, 250, 298, 321, 323, 425, 426, 427)),
    "aarch64": (0xC000_00B7, (198, 199, 29), (116, 217, 218, 219, 241, 280, 282, 425, 426, 427)),
}


def apply(rules: Mapping[str, Any]) -> None:
    """Apply all rules.

    Raises:
        OSError: One cannot be applied; nothing may be started then.
    """
    if rules.get("harden"):
        _harden()
    landlock: Mapping[str, Any] | None = rules.get("landlock")
    if landlock is not None:
        _drop_capabilities()
        _restrict(landlock)
    if rules.get("harden"):
        _filter(_FAMILIES if rules.get("network", True) else _FAMILIES_ALONE)


class NameSpace:
    """The name space that a program made for the command, seen from outside of it."""

    def __init__(self, most: int, *, alone: bool) -> None:
        """``most``: how many processes it may hold. ``alone``: none may be made in it."""
        self._most = most
        self._alone = alone
        self.told, counter = os.pipe()
        begin, self._starter = os.pipe()
        self.made, making = os.pipe()
        self.ends = (counter, begin, making)
        """Where its first process says that it began and how many are left, where it hears that it
        may run the command, and where it is said which process it is."""
        self.begun = False
        """Whether its first process began; what fails before that is not the command."""
        self._first: int | None = None

    def was_made(self) -> None:
        """Learn which process is the first; bound all, while what they will see is mounted."""
        told = _FIRST_PROCESS.search(os.read(self.made, 4096))
        self._first = int(told[1]) if told else None
        # The program that makes it needs one more for a moment.
        if not self._alone:
            _bound(self._first, self._most, alone=self._alone)

    def first_began(self) -> None:
        """Let its first process run the command, bounded."""
        self.begun = bool(os.read(self.told, 1))
        if not self.begun:
            return
        if self._alone:
            _bound(self._first, self._most, alone=self._alone)
        # Something may have ended it meanwhile.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._starter, b"g\n")

    def left(self) -> int:
        """Return how many processes its first one found left, if it came to that."""
        os.set_blocking(self.told, False)
        told = b""
        # Something that could not be ended may hold the other end.
        with contextlib.suppress(BlockingIOError):
            told = os.read(self.told, 20)
        return int(told) if told.strip().isdigit() else 0


def _bound(member: int | None, most: int, *, alone: bool) -> None:
    """Bound the name space of processes that a process is in, unless it is ours.

    Only where the kernel can. ``most``: of processes, where root runs it: to others the usual limit
    applies. ``alone``: no name space of users can be made in it.
    """
    if member is None:
        return
    release = tuple(int(part) for part in os.uname().release.split(".")[:2] if part.isdigit())
    written: dict[Path, str] = {}
    if os.geteuid() == 0 and release >= _BOUNDED_SINCE:
        written[_MOST_PROCESSES] = str(most + _KEPT_BACK)
    if alone:
        written[_MOST_USERS] = "0"
    own, space = (Path(f"/proc/{process}/ns/pid") for process in ("self", member))
    with contextlib.suppress(OSError):
        if written and space.stat().st_ino != own.stat().st_ino:
            _inside(os.open(space, os.O_RDONLY | os.O_CLOEXEC), written)


def _inside(space: int, written: Mapping[Path, str]) -> None:
    """Write these settings from inside, by the rights of the user who made the name space."""
    owner = fcntl.ioctl(space, _GET_OWNER)
    process = os.fork()
    if process:
        os.close(owner)
        os.close(space)
        os.waitpid(process, 0)
        return
    try:
        _check(_C.setns(owner, _NEW_USER), "name space of users")
        _check(_C.setns(space, _NEW_PROCESSES), "name space of processes")
        # Only what is started from here on is in it.
        inner = os.fork()
        if inner:
            os.waitpid(inner, 0)
        else:
            for setting, value in written.items():
                with contextlib.suppress(OSError):
                    setting.write_text(value, "ascii")
    finally:
        os._exit(0)


def landlock_version() -> int:
    """Return the version of Landlock's interface that the kernel has; 0: none."""
    return max(0, _C.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION))


def can_filter() -> bool:
    """Tell whether the system calls of this machine are known."""
    return os.uname().machine in _SYSTEM_CALLS


def _harden() -> None:
    # When memory runs out, the kernel ends the command first.
    Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    _check(_C.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")


def _drop_capabilities() -> None:
    """Give up what root may do beside its own files, also for programs started later."""
    number = 0
    while _C.prctl(_DROP_CAPABILITY, number, 0, 0, 0) == 0:
        number += 1
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    _check(_C.capset(header, bytes(24)), "capabilities")


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _restrict(rules: Mapping[str, Any]) -> None:
    version = landlock_version()
    if not version:
        raise OSError(_ENOSYS, "this kernel has no Landlock")
    rights = _FIRST_RIGHTS
    for since, right in _LATER_RIGHTS.items():
        rights |= right if version >= since else 0
    tcp = _TCP_RIGHTS if version >= _TCP_VERSION and not rules["network"] else 0
    scopes = _SCOPES if version >= _SCOPE_VERSION else 0
    files = rights if rules["files"] else 0
    attributes = struct.pack("=QQQ", files, tcp, scopes)
    length = 24 if version >= _SCOPE_VERSION else 16 if version >= _TCP_VERSION else 8
    ruleset = _check(
        _C.syscall(_LANDLOCK_CREATE, attributes[:length], ctypes.c_size_t(length), 0), "Landlock"
    )
    if files:
        for path in rules["readable"]:
            _allow(ruleset, path, rights & (_EXECUTE | _READ | _LIST))
        for path in rules["writable"]:
            _allow(ruleset, path, rights)
    _check(_C.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "Landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        # What is not there needs no permission.
        return
    try:
        held = rights if Path(path).is_dir() else rights & _OF_FILES
        rule = struct.pack("=Qi", held, descriptor)
        _check(_C.syscall(_LANDLOCK_ADD, ruleset, *(_BENEATH, rule, 0)), f"Landlock, {path}")
    finally:
        os.close(descriptor)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _filter(families: tuple[int, ...]) -> None:
    """Refuse what no name space covers.

    That is keys, the kernel's log, the sockets of virtual machines, typing for a person.
    """
    known = _SYSTEM_CALLS.get(os.uname().machine)
    if known is None:
        return
    code = b"".join(_instructions(known, families))
    program = _Program(len(code) // 8, code)
    _check(_C.prctl(_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(program), 0, 0), "seccomp")


def _instructions(
    known: tuple[int, tuple[int, int, int], tuple[int, ...]], families: tuple[int, ...]
) -> Iterator[bytes]:
    machine, (socket, pair, control), refused = known
    yield from (_load(4), _unless(machine, 1), _refuse(_ENOSYS), _load(0))
    # Calls of another width have other numbers: none of them is checked here.
    yield from (_if_at_least(_X32, 0, 1), _refuse(_ENOSYS))
    for number in refused:
        yield from (_if(number, 0, 1), _refuse(_ENOSYS if number >= 425 else _EPERM))
    for number, allowed in ((socket, families), (pair, (1,))):
        yield from (_if(number, 0, len(allowed) + 3), _load(16))
        yield from (_if(family, len(allowed) - n, 0) for n, family in enumerate(allowed))
        yield from (_refuse(_EAFNOSUPPORT), _pass())
    yield from (_if(control, 0, 4), _load(24))
    yield from (_if(_TERMINAL_INPUT[0], 1, 0), _if(_TERMINAL_INPUT[1], 0, 1), _refuse(_EPERM))
    yield _pass()


def _statement(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("=HBBI", *(code, true, false, value))


def _load(offset: int) -> bytes:
    return _statement(0x20, offset)


def _if(value: int, true: int, false: int) -> bytes:
    return _statement(0x15, value, true, false)


def _unless(value: int, skipped: int) -> bytes:
    return _statement(0x15, value, skipped, 0)


def _if_at_least(value: int, true: int, false: int) -> bytes:
    return _statement(0x35, value, true, false)


def _refuse(number: int) -> bytes:
    return _statement(0x06, _ERRNO_ACTION | number)


def _pass() -> bytes:
    return _statement(0x06, _ALLOW)

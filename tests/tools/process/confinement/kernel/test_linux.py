"""Numbers of the kernel's interface, beside the system's own headers as a compiler reads them."""

import re
import shutil
import struct
import subprocess
import sys

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.kernel import instructions, linux

pytestmark = pytest.mark.slow

HEADERS = (
    *("asm/ioctls.h", "asm/unistd.h", "stddef.h", "sys/socket.h"),
    *(f"linux/{name}.h" for name in ("audit", "capability", "falloc", "fcntl", "filter")),
    *(f"linux/{name}.h" for name in ("landlock", "netlink", "nsfs", "prctl", "sched", "seccomp")),
)
VALUES = {name: value for name, value in vars(linux).items() if name.isupper()}
OF_HEADERS = {
    "LINUX_CAPABILITY_VERSION_3": "_LINUX_CAPABILITY_VERSION_3",
    "X32_SYSCALL_BIT": "__X32_SYSCALL_BIT",
}
"""Names that begin otherwise in the headers."""
OF_AN_ENUM = "LANDLOCK_RULE_PATH_BENEATH"
NEWER = {
    *("LANDLOCK_ACCESS_FS_TRUNCATE", "LANDLOCK_ACCESS_FS_IOCTL_DEV"),
    *("LANDLOCK_ACCESS_NET_BIND_TCP", "LANDLOCK_ACCESS_NET_CONNECT_TCP"),
    *("LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET", "LANDLOCK_SCOPE_SIGNAL"),
}
"""Names that came after Linux 6.1."""
OF_X86 = "X32_SYSCALL_BIT"


def compiled(lines: list[str]) -> str:
    """Return what a compiler says of these lines behind the headers."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        not_on_this_machine("no compiler with the headers of Linux")
    source = "\n".join([*(f"#include <{name}>" for name in HEADERS), *lines, ""])
    command = [compiler, "-fsyntax-only", "-x", "c", "-"]
    told = subprocess.run(command, input=source, capture_output=True, text=True, check=False).stderr
    if "No such file" in told or "not found" in told:
        not_on_this_machine("no headers of the kernel")
    return told


def held(expression: str, value: int) -> str:
    return (
        f'_Static_assert((unsigned long long)({expression}) == {value}ULL, "wrong: {expression}");'
    )


@pytest.fixture(scope="module")
def missing() -> set[str]:
    """Return the names that these headers lack; all others have their numbers."""
    lines: list[str] = []
    for name, value in VALUES.items():
        real = OF_HEADERS.get(name, name)
        if name == OF_AN_ENUM:
            lines.append(held(real, value))
        else:
            absent = f'#pragma message("missing: {name}")'
            lines.extend((f"#ifdef {real}", held(real, value), "#else", absent, "#endif"))
    told = compiled(lines)
    assert "error:" not in told, told
    return set(re.findall(r"missing: (\w+)", told))


def test_numbers_are_those_of_the_headers(missing: set[str]):
    assert missing <= NEWER | {OF_X86}


def test_the_newest_numbers_are_those_of_the_headers(missing: set[str]):
    if missing & NEWER:
        not_on_this_machine("headers of an older kernel")
    assert not missing - {OF_X86}


def test_a_record_and_an_instruction_lie_as_in_the_headers():
    def place(code: instructions.Code) -> int:
        return struct.unpack("=HBBI", code[0])[3]

    told = compiled(
        [
            held("offsetof(struct seccomp_data, nr)", instructions.NUMBER),
            held("offsetof(struct seccomp_data, arch)", instructions.MACHINE),
            held("offsetof(struct seccomp_data, args[0])", place(instructions.load_argument(0))),
            held("offsetof(struct seccomp_data, args[2])", place(instructions.load_argument(2))),
            held("sizeof(struct sock_filter)", len(instructions.allow()[0])),
            held("sizeof(struct landlock_path_beneath_attr)", struct.calcsize("=Qi")),
        ]
    )
    assert "error:" not in told, told

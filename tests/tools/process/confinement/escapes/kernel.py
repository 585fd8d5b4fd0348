"""Reaches for the kernel, name spaces and privileges, and for a person's terminal."""

import fcntl
import os
import socket
import struct
import subprocess
from pathlib import Path

from ways import CONFIG, OUT, ROOT, C, done, way


@way()
def keep_a_key():
    return done(C.syscall(248, b"user", b"plimsoll-test", b"x", 1, -3))


@way(user=0x10000000, files=0x00020000, network=0x40000000, processes=0x20000000)
def name_space(flag):
    return done(C.unshare(flag))


@way()
def name_space_of_another():
    return done(C.setns(os.open(f"/proc/{CONFIG['victim']}/ns/mnt", os.O_RDONLY), 0))


@way()
def mount():
    (ROOT / "mount").mkdir()
    return done(C.mount(b"none", bytes(ROOT / "mount"), b"tmpfs", 0, None)) and done(
        C.umount2(bytes(ROOT / "mount"), 0)
    )


@way()
def remount_writable():
    return done(C.mount(bytes(OUT), bytes(OUT), None, 4096, None)) and done(
        C.umount2(bytes(OUT), 2)
    )


@way()
def change_root():
    os.chroot("/")
    return True


@way()
def device_node():
    os.mknod(ROOT / "node", 0o600 | 0o060000, os.makedev(7, 77))
    return True


@way(
    core="/proc/sys/kernel/core_pattern",
    request="/proc/sysrq-trigger",
    module="/proc/sys/kernel/modprobe",
    bus="/sys/kernel/uevent_seqnum",
    profile="/sys/kernel/profiling",
)
def kernel_file(path):
    return (
        os.open(path, os.O_RDWR if not path.endswith("seqnum") else os.O_RDONLY | os.O_DIRECTORY)
        >= 0
    )


@way()
def name_of_the_machine():
    socket.sethostname(socket.gethostname())
    return True


@way()
def control_group():
    made = next(Path("/sys/fs/cgroup").rglob("cgroup.procs")).parent / "plimsoll-test"
    made.mkdir()
    made.rmdir()
    return True


@way()
def performance_events():
    return done(C.syscall(298, struct.pack("=IIQ", 1, 112, 0) + bytes(96), 0, -1, -1, 0))


@way()
def kernel_programs():
    return done(C.syscall(321, 0, struct.pack("=IIII", 2, 4, 4, 1) + bytes(56), 72))


@way(user="user", group="group")
def raised(kind):
    told = subprocess.run(
        [CONFIG[f"set_{kind}"], "-c", "import os; print(os.geteuid(), os.getegid())"],
        capture_output=True,
        text=True,
    ).stdout
    return str(CONFIG["other"]) in told.split()


# A person's terminal.
@way()
def type_for_a_person():
    terminal = os.open(CONFIG["terminal"], os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(terminal, 0x5412, b"x")
    return True


@way()
def draw_for_a_person():
    with Path(CONFIG["terminal"]).open("w") as terminal:
        terminal.write("\033]0;x\007")
    return True


@way()
def own_terminal():
    return os.open("/dev/tty", os.O_RDWR) >= 0 and CONFIG["has_terminal"]

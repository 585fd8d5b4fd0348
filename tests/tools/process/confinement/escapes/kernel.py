"""Reaches for the kernel, name spaces and privileges, and for a person's terminal."""

import ctypes
import fcntl
import mmap
import os
import platform
import socket
import stat
import struct
import subprocess
from pathlib import Path

from ways import CONFIG, MOUNTS, OUT, ROOT, USERS, C, done, way

GROUPS, PROCESSES, NETWORK = 0x0200_0000, 0x2000_0000, 0x4000_0000


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


# A name space of users gives all rights in those below it: what was mounted over comes off there,
# and the kernel's own folders can be mounted anew.
@way(
    core=("proc", PROCESSES, "sys/kernel/core_pattern"),
    profile=("sysfs", NETWORK, "kernel/profiling"),
    groups=("cgroup2", GROUPS, "cgroup.subtree_control"),
)
def mounted_apart(what):
    kind, flag, file = what
    # Who maps no users keeps what the kernel gives to root: its files.
    if not done(C.unshare(USERS | MOUNTS | flag)):
        return False
    if flag == PROCESSES and os.fork():
        # It is the next process that is in the new name space; this one waits for its word.
        return os.waitstatus_to_exitcode(os.wait()[1]) == 0
    at = ROOT / f"mount_{kind}"
    at.mkdir()
    mounted = done(C.mount(b"none", bytes(at), kind.encode(), 0, None))
    opened = mounted and os.open(at / file, os.O_RDWR) >= 0
    if flag == PROCESSES:
        os._exit(0 if opened else 1)
    return opened


@way()
def calls_of_another_width():
    # mov eax, 20 (getpid); int 0x80; cdqe; ret: a filter of the usual calls does not see it.
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\0\0\0\xcd\x80\x48\x98\xc3")
    if platform.machine() != "x86_64":
        return False
    held = ctypes.c_char.from_buffer(page)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(held))() > 0


@way()
def kernel_log():
    return C.klogctl(3, ctypes.create_string_buffer(4096), 4096) > 0


@way()
def real_time():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


@way()
def first_descriptors():
    found, own = False, os.fstat(1)
    for process in (1, 2):
        holder = os.pidfd_open(process)
        for number in range(32):
            taken = C.syscall(438, holder, number, 0)
            held = os.fstat(taken) if taken >= 0 else own
            kept = stat.S_ISDIR(held.st_mode) or stat.S_ISREG(held.st_mode)
            found = found or (kept and not os.path.samestat(held, own))
    return found


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
    bound="/proc/sys/kernel/pid_max",
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
def type_with_high_bits():
    # The kernel looks at the lower half of the number alone, a filter perhaps at all of it.
    terminal = os.open(CONFIG["terminal"], os.O_RDWR | os.O_NOCTTY)
    return done(C.ioctl(terminal, ctypes.c_ulong(0x1_0000_5412), b"x"))


@way()
def draw_for_a_person():
    with Path(CONFIG["terminal"]).open("w") as terminal:
        terminal.write("\033]0;x\007")
    return True


@way()
def own_terminal():
    return os.open("/dev/tty", os.O_RDWR) >= 0 and CONFIG["has_terminal"]

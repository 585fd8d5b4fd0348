"""Reaches for what the machine shares beside files and sockets: queues, clocks, disks, modules."""

import ctypes
import fcntl
import os
import platform
import resource
import signal
import struct
import subprocess
import time
from pathlib import Path

from ways import CONFIG, OUT, C, done, way

NUMBERS = {
    "x86_64": {
        "mq_open": 240,
        "memfd_secret": 447,
        "userfaultfd": 323,
        "fanotify_init": 300,
        "open_by_handle_at": 304,
        "kcmp": 312,
        "quotactl": 179,
        "kexec_load": 246,
        "init_module": 175,
        "swapoff": 168,
        "acct": 163,
        "settimeofday": 164,
        "reboot": 169,
        "process_vm_writev": 311,
        "pidfd_open": 434,
        "pidfd_getfd": 438,
        "ioperm": 173,
        "iopl": 172,
        "fsopen": 430,
        "open_tree": 428,
        "move_mount": 429,
        "pivot_root": 155,
        "msgrcv": 70,
        "semctl": 66,
        "process_madvise": 440,
        "move_pages": 279,
        "keyctl": 250,
        "fsconfig": 431,
        "mount_setattr": 442,
        "syslog": 103,
        "vhangup": 153,
        "migrate_pages": 256,
        "io_uring_register": 427,
        "quotactl_fd": 443,
        "ioprio_set": 251,
        "sched_setattr": 314,
        "cachestat": 451,
        "listmount": 458,
        "setdomainname": 171,
    },
}.get(platform.machine(), {})


def call(name, *arguments):
    return C.syscall(NUMBERS[name], *arguments)


@way()
def queue_of_messages():
    queue = C.msgget(CONFIG["queue"], 0)
    held = ctypes.create_string_buffer(64)
    return done(queue) and done(C.msgrcv(queue, held, 32, 0, 0o4000))


@way()
def semaphore_of_another():
    known = C.semget(CONFIG["semaphore"], 1, 0)
    operation = struct.pack("=HhH", 0, 1, 0)
    return done(known) and done(C.semop(known, operation, 1))


@way()
def posix_queue():
    return done(call("mq_open", CONFIG["posix_queue"].encode(), os.O_RDWR, 0, None))


@way()
def new_key_of_a_session():
    return done(call("keyctl", 1, b"plimsoll"))


@way()
def secret_memory():
    return done(call("memfd_secret", 0))


@way()
def hold_up_the_kernel():
    return done(call("userfaultfd", 0))


@way()
def watch_all_files():
    return done(call("fanotify_init", 0, 0))


@way()
def watch_files_of_others():
    return done(call("fanotify_init", 0x200, 0))


@way()
def compare_processes():
    return done(call("kcmp", CONFIG["victim"], os.getpid(), 0, 0, 0))


@way()
def quota():
    return done(call("quotactl", 0x80000100, None, 0, None))


@way()
def account_for_all():
    return done(call("acct", None))


@way()
def clock():
    now = time.clock_gettime_ns(time.CLOCK_REALTIME)
    return done(call("settimeofday", struct.pack("=qq", now // 10**9, now // 1000 % 10**6), None))


@way()
def swap():
    return ctypes.get_errno() == 0 and call("swapoff", b"/nowhere") < 0 and ctypes.get_errno() == 2


@way()
def module():
    call("init_module", b"", 0, b"")
    # Only who may load one hears that this is none.
    return ctypes.get_errno() == 8


@way()
def another_kernel():
    return done(call("kexec_load", 0, 0, None, 0))


@way(all=3)
def ports_of_the_machine(level):
    return done(call("iopl", level))


@way(disk=b"ext4", memory=b"tmpfs", processes=b"proc")
def new_file_system(kind):
    return done(call("fsopen", kind, 0))


@way()
def copy_of_the_tree():
    return done(call("open_tree", -100, bytes(OUT), 1))


@way()
def mount_made_writable():
    attributes = struct.pack("=QQQQ", 0, 1, 0, 0)
    return done(call("mount_setattr", -100, bytes(OUT), 0x8000, attributes, 32))


@way()
def write_memory_call():
    held = ctypes.create_string_buffer(b"x")
    here = (ctypes.c_size_t * 2)(ctypes.addressof(held), 1)
    there = (ctypes.c_size_t * 2)(4096, 1)
    call("process_vm_writev", CONFIG["victim"], here, 1, there, 1, 0)
    return ctypes.get_errno() == 14


@way()
def pages_of_another():
    return done(call("move_pages", CONFIG["victim"], 0, None, None, None, 0))


@way()
def trace_seized():
    if not done(C.ptrace(0x4206, CONFIG["victims_to_look_at"][0], 0, 0)):
        return False
    return (C.ptrace(17, CONFIG["victims_to_look_at"][0], 0, 0), True)[1]


@way(
    maps="maps",
    environment="environ",
    memory="mem",
    links="fd/0",
    root="root",
    folder="cwd",
    stack="syscall",
    scheduling="autogroup",
    dump="coredump_filter",
    killing="oom_score_adj",
)
def process_file(name):
    path = Path("/proc", str(CONFIG["victim"]), name)
    if name in {"root", "cwd", "fd/0"}:
        return bool(path.readlink())
    with path.open("r+b" if name in {"mem", "oom_score_adj", "autogroup"} else "rb") as file:
        return name == "mem" or bool(file.read(1))


@way()
def list_processes_of_others():
    return str(CONFIG["victim"]) in {entry.name for entry in Path("/proc").iterdir()}


@way(
    pipe="fs/pipe-max-size",
    dumps="kernel/core_pattern",
    address="kernel/randomize_va_space",
    hidden="kernel/kptr_restrict",
    swap="vm/swappiness",
    caches="vm/drop_caches",
    binaries="fs/binfmt_misc/register",
    forward="net/ipv4/ip_forward",
    host="kernel/hostname",
    trace="kernel/yama/ptrace_scope",
    panic="kernel/panic",
    links="fs/protected_symlinks",
)
def kernel_setting(name):
    return os.open(f"/proc/sys/{name}", os.O_WRONLY) >= 0


@way(
    notify="uevent_helper",
    memory="mm/ksm/run",
    huge="mm/transparent_hugepage/enabled",
    frozen="../fs/cgroup/cgroup.procs",
)
def kernel_object(name):
    return os.open(f"/sys/kernel/{name}", os.O_WRONLY) >= 0


@way()
def agent_at_release():
    found = next(Path("/sys/fs/cgroup").rglob("release_agent"))
    return os.open(found, os.O_WRONLY) >= 0


@way()
def debug_files():
    return any(list(Path("/sys/kernel", name).iterdir()) for name in ("debug", "tracing"))


@way()
def hold_up_others():
    # Whoever opens a file on which there is a lease waits for its holder.
    leased = os.open(OUT / "leased", os.O_RDONLY)
    return fcntl.fcntl(leased, 1024, fcntl.F_WRLCK) == 0


@way()
def owner_of_signals():
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, CONFIG["victims_to_look_at"][1])
    fcntl.fcntl(reading, 10, signal.SIGUSR1)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")
    # Whoever started this looks at the one who gets the signal.
    time.sleep(0.2)


@way()
def descriptors_of_its_starter():
    targets = {entry.readlink() for entry in Path("/proc/self/fd").iterdir() if int(entry.name) > 2}
    return any(not str(target).startswith(("pipe:", "/proc/")) for target in targets)


@way()
def limit_raised():
    soft, hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (soft, hard + 4096 if hard > 0 else hard))
    return hard > 0


@way(nice=-5)
def before_all_others(value):
    os.setpriority(os.PRIO_PROCESS, 0, value)
    return True


@way()
def disk_before_all_others():
    return done(call("ioprio_set", 1, 0, 1 << 13))


@way()
def domain_of_the_machine():
    return done(call("setdomainname", b"(none)", 6))


@way()
def set_identifier_on_a_file():
    own = Path(CONFIG["root"], "mine")
    own.touch()
    os.chown(own, CONFIG["other"], -1)
    return True


@way()
def raised_by_su():
    command = ["su", "-s", "/bin/sh", "-c", "id", "nobody"]
    told = subprocess.run(command, capture_output=True, stdin=-3, text=True)
    return "nobody" in told.stdout


@way()
def network_of_another():
    return done(C.setns(os.open(f"/proc/{CONFIG['victim']}/ns/net", os.O_RDONLY), 0))


@way()
def space_by_descriptor_of_a_process():
    holder = call("pidfd_open", CONFIG["victim"], 0)
    return done(holder) and done(C.setns(holder, 0x0002_0000))


@way()
def new_space_of_clocks():
    return done(C.unshare(0x80))


@way()
def new_space_by_the_newer_call():
    arguments = struct.pack("=8Q", 0x1000_0000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    made = C.syscall(435, arguments, 64)
    if made == 0:
        os._exit(0)
    return made > 0

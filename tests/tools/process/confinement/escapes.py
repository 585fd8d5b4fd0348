"""Tries to get out of a sandbox, in every way of a list; a program by itself, never imported.

Started as ``escapes.py CONFIG``, a JSON file. Prints one JSON object: each way's name, and whether
it believes that it got out. Whoever starts it looks for the effects outside as well: a write that
landed in a private folder reached nothing. Each way runs in a process of its own.
"""

import ctypes
import errno
import fcntl
import json
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

C = ctypes.CDLL(None, use_errno=True)
CONFIG = json.loads(Path(sys.argv[1]).read_text())
ROOT, OUT, HOME = Path(CONFIG["root"]), Path(CONFIG["outside"]), Path(CONFIG["home"])
WAYS = {}
SECONDS = 5


def way(name=None, **many):
    """One way out by its function, or several by arguments; it got out if it returns truth."""

    def register(function):
        if many:
            for key, argument in many.items():
                WAYS[f"{name or function.__name__}_{key}"] = lambda argument=argument: function(
                    argument
                )
        else:
            WAYS[name or function.__name__] = function
        return function

    return register


def done(result):
    """Of a system call."""
    return result >= 0


# Files outside; each touches what bears its own name there.
@way()
def write_new():
    (OUT / "write_new").write_text("x")


@way()
def write_append():
    with (OUT / "write_append").open("a") as file:
        file.write("x")


@way()
def write_truncate():
    os.truncate(OUT / "write_truncate", 0)


@way()
def write_unlink():
    (OUT / "write_unlink").unlink()


@way()
def write_rename():
    (OUT / "write_rename").rename(OUT / "write_rename.2")


@way()
def write_mkdir():
    (OUT / "write_mkdir").mkdir()


@way()
def write_symlink():
    (OUT / "write_symlink.new").symlink_to("/")


@way()
def write_fifo():
    os.mkfifo(OUT / "write_fifo.new")


@way()
def write_hard_link():
    os.link(OUT / "write_hard_link", OUT / "write_hard_link.2")


@way()
def write_mode():
    (OUT / "write_mode").chmod(0o777)


@way()
def write_times():
    os.utime(OUT / "write_times", (1, 1))


@way()
def write_through_a_link():
    (ROOT / "through").symlink_to(OUT)
    (ROOT / "through" / "write_through_a_link").write_text("x")


@way()
def write_by_dots():
    up = "/".join([".."] * len(ROOT.parts))
    Path(f"{ROOT}/{up}{OUT}/write_by_dots").write_text("x")


@way()
def write_through_a_hard_link():
    os.link(OUT / "write_through_a_hard_link", ROOT / "hard")
    (ROOT / "hard").write_text("x")


@way()
def write_by_moving_out():
    (ROOT / "moved").write_text("x")
    (ROOT / "moved").rename(OUT / "write_by_moving_out.new")


@way()
def write_by_moving_in():
    (OUT / "write_by_moving_in").rename(ROOT / "moved-in")


@way(self="self", first="1", victim=str(CONFIG["victim"]))
def write_proc_root(process):
    target = f"/proc/{process}/root{OUT}/write_proc_root_" + {"self": "self", "1": "first"}.get(
        process, "victim"
    )
    Path(target).write_text("x")


@way()
def write_proc_cwd():
    Path(f"/proc/{CONFIG['victim']}/cwd/write_proc_cwd").write_text("x")


@way()
def write_in_home():
    (HOME / ".bashrc").write_text("x")


@way()
def write_in_shared_memory():
    Path("/dev/shm", CONFIG["shared"]).write_text("x")


@way()
def write_by_uring():
    # Work that the kernel does for a process passes by filters of its calls.
    return done(C.syscall(425, 4, ctypes.create_string_buffer(120)))


# Reading what is nobody's business.
@way(**{str(n): path for n, path in enumerate(CONFIG["secrets"])})
def read_secret(path):
    return "CANARY" in Path(path).read_text()


@way()
def read_server_environment():
    return b"CANARY" in Path(f"/proc/{CONFIG['victim']}/environ").read_bytes()


@way()
def list_home():
    return HOME / ".ssh" in HOME.iterdir()


@way()
def read_disk():
    # The root file system itself, below all mounts.
    device = next(
        line.split()[0]
        for line in Path("/proc/self/mounts").read_text().splitlines()
        if line.startswith("/dev/")
    )
    return len(os.read(os.open(device, os.O_RDONLY), 512)) == 512


# Other processes.
@way()
def trace():
    return (
        done(C.ptrace(16, CONFIG["victim"], 0, 0))
        and (C.ptrace(17, CONFIG["victim"], 0, 0), True)[1]
    )


@way()
def read_memory_file():
    return os.open(f"/proc/{CONFIG['victim']}/mem", os.O_RDWR) >= 0


@way()
def read_memory_call():
    # One byte of what every process maps at the same place where addresses are not shuffled; that
    # it is not mapped is told only to those who may look.
    taken = ctypes.create_string_buffer(1)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(taken), 1)
    there = (ctypes.c_size_t * 2)(4096, 1)
    C.syscall(310, CONFIG["victim"], here, 1, there, 1, 0)
    return ctypes.get_errno() == errno.EFAULT


@way()
def take_descriptor():
    holder = os.pidfd_open(CONFIG["victim"])
    return done(C.syscall(438, holder, 0, 0))


@way()
def signal_plain():
    os.kill(CONFIG["victims"][0], signal.SIGKILL)
    return True


@way()
def signal_by_descriptor():
    signal.pidfd_send_signal(os.pidfd_open(CONFIG["victims"][1]), signal.SIGKILL)
    return True


@way()
def signal_thread():
    victim = CONFIG["victims"][2]
    return done(C.syscall(234, victim, victim, 9))


@way()
def signal_group():
    os.killpg(CONFIG["victims"][3], signal.SIGKILL)
    return True


@way()
def renice():
    os.setpriority(os.PRIO_PROCESS, CONFIG["victim"], 7)
    return True


@way()
def limit_another():
    resource.prlimit(CONFIG["victim"], resource.RLIMIT_CORE, (0, 0))
    return True


@way()
def pin_another():
    os.sched_setaffinity(CONFIG["victim"], os.sched_getaffinity(CONFIG["victim"]))
    return True


@way()
def attach_shared_memory():
    C.shmat.restype = ctypes.c_ssize_t
    return C.shmat(CONFIG["segment"], None, 0) != -1


# Sockets; the other side says whether it was reached.
def said(family, kind, address):
    with socket.socket(family, kind) as end:
        end.settimeout(2)
        end.connect(address)
        end.send(b"hello")
        return end.recv(10) == b"CANARY"


@way(**CONFIG["unix"])
def unix_stream(path):
    return said(socket.AF_UNIX, socket.SOCK_STREAM, path)


@way(**CONFIG["unix_datagram"])
def unix_datagram(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        return end.sendto(b"hello", path) == 5


@way()
def abstract_stream():
    return said(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + CONFIG["abstract"])


@way()
def abstract_datagram():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        return end.sendto(b"hello", "\0" + CONFIG["abstract"] + "-datagram") == 5


@way(four=(socket.AF_INET, "127.0.0.1"), six=(socket.AF_INET6, "::1"))
def tcp(to):
    return said(to[0], socket.SOCK_STREAM, (to[1], CONFIG[f"tcp{to[0]}"]))


@way(four=(socket.AF_INET, "127.0.0.1"), six=(socket.AF_INET6, "::1"))
def udp(to):
    return said(to[0], socket.SOCK_DGRAM, (to[1], CONFIG[f"udp{to[0]}"]))


@way()
def udp_unconnected():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.settimeout(2)
        end.sendto(b"hello", ("127.0.0.1", CONFIG["udp2"]))
        return end.recv(10) == b"CANARY"


@way()
def dns():
    query = (
        struct.pack("!6H", 1, 256, 1, 0, 0, 0) + b"\x06CANARY\x04test\0" + struct.pack("!2H", 1, 1)
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.settimeout(2)
        end.sendto(query, ("127.0.0.1", CONFIG["udp2"]))
        return bool(end.recv(10))


@way()
def tcp_fast_open():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as end:
        end.settimeout(2)
        end.sendto(b"hello", 0x20000000, ("127.0.0.1", CONFIG["tcp2"]))
        return end.recv(10) == b"CANARY"


@way()
def tcp_multipath():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as end:
        end.settimeout(2)
        end.connect(("127.0.0.1", CONFIG["tcp2"]))
        return end.recv(10) == b"CANARY"


@way()
def host_of_the_machine():
    socket.socket(40, socket.SOCK_STREAM).close()
    return True


@way()
def raw_packets():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return True


@way()
def kernel_crypto():
    socket.socket(38, socket.SOCK_SEQPACKET).close()
    return True


# The kernel, name spaces and privileges.
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


# What outlives the command; the files must not be there later.
def later(name, *, prepare=lambda: None, forks=1):
    for _ in range(forks):
        if os.fork():
            os._exit(0)
        prepare()
    time.sleep(CONFIG["later"])
    (ROOT / name).write_text("x")
    os._exit(0)


@way(background=0, session=1, twice=2, deaf=3)
def outlive(kind):
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN if kind == 3 else signal.SIG_DFL)
        later(f"outlive_{kind}", prepare=os.setsid if kind else lambda: None, forks=max(1, kind))


# What is protected in the workspace: each way has a folder of its own with all of it.
def protected(function):
    def tried():
        function(ROOT / "p" / function.__name__)

    WAYS[function.__name__] = tried
    return function


@protected
def hook_new(at):
    (at / ".git/hooks/post-commit").write_text("x")


@protected
def hook_write(at):
    (at / ".git/hooks/pre-commit").write_text("x")


@protected
def hook_replace(at):
    (at / "plain").rename(at / ".git/hooks/pre-commit")


@protected
def hook_mode(at):
    (at / ".git/hooks/pre-commit").chmod(0o755)


@protected
def hook_delete(at):
    (at / ".git/hooks/pre-commit").unlink()


@protected
def hooks_rename(at):
    (at / ".git/hooks").rename(at / ".git/hooks2")
    (at / ".git/hooks").mkdir()


@protected
def config_append(at):
    with (at / ".git/config").open("a") as file:
        file.write("x")


@protected
def config_as_git_does(at):
    (at / ".git/config.lock").write_text("x")
    (at / ".git/config.lock").rename(at / ".git/config")


@protected
def repository_rename(at):
    (at / ".git").rename(at / "other")
    (at / ".git").mkdir()
    (at / ".git/config").write_text("x")


@protected
def repository_delete(at):
    shutil.rmtree(at / ".git", ignore_errors=True)
    (at / ".git").mkdir(exist_ok=True)
    (at / ".git/config").write_text("x")


@protected
def repository_exchange(at):
    (at / "new/hooks").mkdir(parents=True)
    C.renameat2(-100, bytes(at / "new"), -100, bytes(at / ".git"), 2)


@protected
def folder_rename(at):
    at.rename(f"{at}-2")
    (at / ".git").mkdir(parents=True)
    (at / ".git/config").write_text("x")


@protected
def editor_write(at):
    (at / ".vscode/settings.json").write_text("x")


@protected
def editor_new(at):
    (at / ".vscode/tasks.json").write_text("x")


@protected
def editor_rename(at):
    (at / ".vscode").rename(at / "other")
    (at / ".vscode").mkdir()


@protected
def editor_to_a_link(at):
    shutil.rmtree(at / ".vscode", ignore_errors=True)
    (at / ".vscode").symlink_to(at / "plain")


@protected
def orders_write(at):
    (at / "AGENTS.md").write_text("x")


@protected
def orders_unlink(at):
    (at / "AGENTS.md").unlink()
    (at / "AGENTS.md").write_text("x")


@protected
def orders_truncate(at):
    os.truncate(at / "AGENTS.md", 0)


@protected
def orders_by_hard_link(at):
    os.link(at / "AGENTS.md", at / "hard")
    (at / "hard").write_text("x")


@protected
def orders_by_link(at):
    (at / "soft").symlink_to("AGENTS.md")
    (at / "soft").write_text("x")


@protected
def orders_by_descriptor(at):
    opened = os.open(at / "AGENTS.md", os.O_RDONLY)
    Path(f"/proc/self/fd/{opened}").write_text("x")


@protected
def orders_by_folder(at):
    os.chdir(at)
    Path("/proc/self/cwd/AGENTS.md").write_text("x")


@protected
def orders_by_first_process(at):
    Path(f"/proc/1/root{at}/AGENTS.md").write_text("x")


@protected
def tools_replace(at):
    (at / "plain").rename(at / ".mcp.json")


@protected
def agent_settings(at):
    (at / ".claude/settings.json").write_text("x")


@protected
def orders_under_a_mount(at):
    (at / "lower").mkdir()
    (at / "lower/AGENTS.md").write_text("x")
    if C.mount(bytes(at / "lower"), bytes(at), None, 4096, None) == 0:
        C.umount2(bytes(at), 2)
        (at / "AGENTS.md").write_text("x")


# What was not there before.
@protected
def new_worktree_config(at):
    (at / ".git/config.worktree").write_text("x")


@protected
def new_common_folder(at):
    (at / ".git/commondir").write_text("../plain")


@protected
def new_submodule(at):
    (at / ".git/modules/m/hooks").mkdir(parents=True)


@protected
def new_editor(at):
    (at / ".idea").mkdir()


@protected
def new_case(at):
    (at / ".VSCode-2").mkdir()
    (at / ".Husky").mkdir()


@protected
def new_by_rename(at):
    (at / "built").mkdir()
    (at / "built/pre-commit").write_text("x")
    (at / "built").rename(at / ".husky")


@protected
def new_link(at):
    (at / ".husky").symlink_to(at / "plain")


@protected
def new_repository(at):
    (at / "deep/er/.git/hooks").mkdir(parents=True)


@protected
def new_repository_file(at):
    (at / "deep").mkdir()
    (at / "deep/.git").write_text("gitdir: ../plain")


@protected
def new_bare_repository(at):
    for name in ("objects", "refs"):
        (at / "bare" / name).mkdir(parents=True)
    (at / "bare/HEAD").write_text("ref: refs/heads/main")


@protected
def new_in_a_closed_folder(at):
    (at / "shut/.git").mkdir(parents=True)
    (at / "shut").chmod(0)


@protected
def new_among_packages(at):
    (at / "node_modules/p/.git").mkdir(parents=True)


def tried(name):
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        signal.alarm(SECONDS)
        os.setsid()
        try:
            os.write(writing, b"y" if WAYS[name]() else b"n")
        finally:
            # A way that fails is closed; nothing of it may go on in a copy of this program.
            os._exit(0)
    os.close(writing)
    os.waitpid(process, 0)
    result = os.read(reading, 1)
    os.close(reading)
    return result == b"y"


names = [name for name in WAYS if name not in CONFIG["without"]]
Path(CONFIG["result"]).write_text(json.dumps({name: tried(name) for name in names}))

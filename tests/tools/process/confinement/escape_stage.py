"""A machine in small, out of which a program tries to get: files, sockets, programs, a terminal."""

import ctypes
import hashlib
import json
import os
import pty
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from left_out import MACHINE
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.places import TEMPORARY
from plimsoll.tools.process.confinement.protection import Protection
from plimsoll.tools.process.confinement.seen.looks import within
from sandboxes import above_homes
from tools.process.confinement.secrets_stage import lay_out

ESCAPES = Path(__file__).with_name("escapes")
NOBODY = 65534
SECRETS = (
    *(".ssh/id_ed25519", ".aws/credentials", ".gnupg/private-keys-v1.d/a", ".config/gh/hosts.yml"),
    *(".kube/config", ".docker/config.json", ".netrc", ".git-credentials", ".npmrc"),
    *(".cargo/credentials.toml", ".mozilla/firefox/a/logins.json", ".local/share/keyrings/a"),
    *(".local/share/plimsoll/store.sqlite", ".pypirc", ".config/gcloud/credentials.db"),
)
# What names of the home lead to below the folders of these ways.
OF_HOME = {
    ".inputrc": "orders_at_home/plain",
    ".config/fish/functions": "orders_at_home_deep/fish",
    ".zshenv": "new_at_home/zshenv",
}
FILES = (
    *("append", "truncate", "unlink", "rename", "hard_link", "mode", "times", "attribute"),
    *("through_a_hard_link", "by_moving_in"),
)
# Without a sandbox these need root, or hardware that not every machine has.
FOR_ROOT = {
    *(
        "list_home",
        "read_disk",
        "name_space_of_another",
        "mount",
        "remount_writable",
        "change_root",
    ),
    *("device_node", "name_of_the_machine", "control_group", "raw_packets", "name_space_files"),
    *("name_space_network", "name_space_processes", "performance_events"),
    *("kernel_programs", "raised_user", "raised_group", "orders_under_a_mount"),
    *("kernel_file_bound", "mounted_apart_core", "mounted_apart_profile", "mounted_apart_groups"),
    *("real_time", "first_descriptors", "type_with_high_bits"),
    *("kernel_file_core", "kernel_file_request", "kernel_file_module", "kernel_file_bus"),
    *(
        "kernel_file_profile",
        "type_for_a_person",
        "orders_by_first_process",
        "write_proc_root_first",
    ),
}


@dataclass
class Stage:
    """A machine in small: a workspace, a home, files and programs outside of both."""

    folder: Path
    user: int
    ends: ExitStack = field(default_factory=ExitStack)
    config: dict[str, object] = field(default_factory=dict)
    victims: list[subprocess.Popen[bytes]] = field(default_factory=list)
    terminal: int = -1

    def __post_init__(self) -> None:
        self.root, self.home = self.folder / "work", self.folder / "home"
        self.outside = self.folder / "outside"
        for folder in (self.root, self.home, self.outside, self.folder / "result"):
            folder.mkdir()
        for name in FILES:
            (self.outside / f"write_{name}").write_text("whole")
        for name in SECRETS:
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text("//registry/:_authToken=CANARY-0123456789abcdef\n")
        self.access = Access(
            root=self.root,
            home=self.home,
            caches=self.home / ".local" / "share" / "plimsoll" / "caches",
            hidden=(self.home / ".local" / "share" / "plimsoll",),
        )
        self._protect()

    def _protect(self) -> None:
        sources = "".join(path.read_text("utf-8") for path in ESCAPES.glob("protected_*.py"))
        for name in (text.partition("(")[0] for text in sources.split("@protected\ndef ")[1:]):
            at = self.root / "p" / name
            for folder in (".git/hooks", ".git/refs", ".vscode", ".claude", "named", "fish"):
                (at / folder).mkdir(parents=True)
            for file in (".git/hooks/pre-commit", ".vscode/settings.json"):
                (at / file).write_text("whole")
            (at / ".git/config").write_text(
                "[core]\n\thooksPath = named\n[include]\n\tpath = ../included\n"
            )
            for file in ("AGENTS.md", ".mcp.json", ".claude/settings.json", "plain", "included"):
                (at / file).write_text(f"whole {file}")
            if name == "orders_by_older_hard_link":
                os.link(at / "AGENTS.md", at / "older")
        for name, end in OF_HOME.items():
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).symlink_to(self.root / "p" / end)

    def state(self) -> dict[str, str]:
        """What is outside, and what is protected: whoever changes it got out."""
        found = {str(path): _signature(path) for path in self.outside.iterdir()}
        shared = Path("/dev/shm", self.folder.name)
        found |= {str(path): _signature(path) for path in (self.home / ".bashrc", shared)}
        found["owner_of_signals"] = str(self.victims[-1].poll())
        found |= {str(path): _signature(path) for path in self.root.glob("outlive_*")}
        kept_at_home = (f"p/{end}" for end in OF_HOME.values())
        for name in (*Protection(self.root).look().protected, *kept_at_home):
            kept = self.root / name
            for path in (kept, *(kept.rglob("*") if kept.name != ".git" else ())):
                found[str(path)] = _signature(path)
        return found


def _signature(path: Path) -> str:
    try:
        status = path.lstat()
        text = path.read_bytes() if path.is_file() else b""
    except FileNotFoundError:
        return "none"
    when = status.st_mtime if path.name == "write_times" else 0
    folder = path.is_dir() and not path.is_symlink()
    links = 0 if folder else status.st_nlink
    return f"{status.st_mode:o} {links} {when} {hashlib.sha256(text).hexdigest()[:8]}"


def _answer(end: socket.socket) -> None:
    while True:
        try:
            if end.type == socket.SOCK_DGRAM:
                _, sender = end.recvfrom(200)
                if sender:
                    end.sendto(b"CANARY", sender)
            else:
                with end.accept()[0] as taken:
                    # Closed with something unread, it would be a reset for the other side.
                    taken.recv(10)
                    taken.sendall(b"CANARY")
        except OSError:
            if end.fileno() < 0:
                return


def _serve(stage: Stage, family: int, kind: int, address: object) -> socket.socket:
    end = stage.ends.enter_context(socket.socket(family, kind))
    end.bind(address)
    if kind != socket.SOCK_DGRAM:
        end.listen()
    if isinstance(address, str) and address.startswith("/"):
        Path(address).chmod(0o777)
    threading.Thread(target=_answer, args=(end,), daemon=True).start()
    return end


def _sockets(stage: Stage) -> dict[str, object]:
    told: dict[str, object] = {}
    temporary = Path(stage.ends.enter_context(tempfile.TemporaryDirectory(prefix="plimsoll-")))
    temporary.chmod(0o755)
    places = {"outside": stage.outside, "workspace": stage.root, "home": stage.home}
    places["temporary"] = temporary
    told["unix"] = {name: str(place / "s.sock") for name, place in places.items()}
    told["unix_datagram"] = {name: str(place / "d.sock") for name, place in places.items()}
    for kind, sockets in ((socket.SOCK_STREAM, "unix"), (socket.SOCK_DGRAM, "unix_datagram")):
        for path in told[sockets].values():
            _serve(stage, socket.AF_UNIX, kind, path)
    _serve_otherwise(stage, told)
    told["abstract"] = f"plimsoll-{os.getpid()}-{stage.folder.name}"
    _serve(stage, socket.AF_UNIX, socket.SOCK_STREAM, f"\0{told['abstract']}")
    _serve(stage, socket.AF_UNIX, socket.SOCK_DGRAM, f"\0{told['abstract']}-datagram")
    _serve(stage, socket.AF_UNIX, socket.SOCK_SEQPACKET, f"\0{told['abstract']}-whole")
    _hand_over(stage, f"\0{told['abstract']}-hands")
    threading.Thread(target=_serve_when_asked, args=(stage,), daemon=True).start()
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        for name, kind in (("tcp", socket.SOCK_STREAM), ("udp", socket.SOCK_DGRAM)):
            served = _serve(stage, family, kind, (host, 0))
            told[f"{name}{int(family)}"] = served.getsockname()[1]
    return told


def _serve_otherwise(stage: Stage, told: dict[str, object]) -> None:
    """Serve sockets whose name in the system's list is not where they are."""
    at = {name: stage.outside / f"{name}.sock" for name in ("relative", "renamed", "linked")}
    at["workspace"] = stage.root / "renamed.sock"
    bound = {name: path.with_suffix(".bound") for name, path in at.items()}
    before = Path.cwd()
    os.chdir(stage.outside)
    try:
        _serve(stage, socket.AF_UNIX, socket.SOCK_STREAM, at["relative"].name)
    finally:
        os.chdir(before)
    at["relative"].chmod(0o777)
    for name in ("renamed", "linked", "workspace"):
        _serve(stage, socket.AF_UNIX, socket.SOCK_STREAM, str(bound[name]))
    os.link(bound["linked"], at["linked"])
    for name in ("renamed", "workspace"):
        bound[name].rename(at[name])
    told["unix_named_otherwise"] = {name: str(path) for name, path in at.items()}


def _serve_when_asked(stage: Stage) -> None:
    until = time.monotonic() + 300
    while not (stage.root / "ask").exists():
        if time.monotonic() > until or not stage.root.exists():
            return
        time.sleep(0.02)
    _serve(stage, socket.AF_UNIX, socket.SOCK_STREAM, str(stage.root / "later.sock"))


def _hand_over(stage: Stage, address: str) -> None:
    """Give whoever connects a descriptor of a file that it cannot open."""
    end = stage.ends.enter_context(socket.socket(socket.AF_UNIX))
    end.bind(address)
    end.listen()
    secret = stage.ends.enter_context((stage.home / SECRETS[0]).open("rb"))
    os.lseek(secret.fileno(), secret.read().index(b"CANARY"), os.SEEK_SET)

    def give() -> None:
        while end.fileno() >= 0:
            try:
                with end.accept()[0] as taken:
                    socket.send_fds(taken, [b"x"], [secret.fileno()])
            except OSError:
                continue

    threading.Thread(target=give, daemon=True).start()


def python_of(user: int) -> str:
    """A Python that this user may run; the one of the tests may lie in a closed folder."""
    own = os.path.realpath(sys.executable)
    for candidate in (own, "/usr/bin/python3", "/usr/local/bin/python3"):
        path = Path(candidate)
        closed = within(path, (Path.home(), Path("/home"), Path("/root"), *TEMPORARY))
        if path.exists() and not closed and _runs(candidate, user):
            return candidate
    pytest.skip(f"{MACHINE}no Python outside of the homes that this user may run")


def _runs(program: str, user: int) -> bool:
    command = (program, "-I", "-c", "import ctypes")
    try:
        return subprocess.run(command, user=user, cwd="/", capture_output=True).returncode == 0
    except PermissionError:
        return False


def _queues(stage: Stage, library: ctypes.CDLL) -> dict[str, object]:
    """Queues and a semaphore of other programs, that everybody may use."""
    key = int.from_bytes(os.urandom(3), "big") | 1
    queue, semaphore = library.msgget(key, 0o1666), library.semget(key, 1, 0o1666)
    for remove in ((library.msgctl, queue, 0, None), (library.semctl, semaphore, 0, 0)):
        stage.ends.callback(*remove)
    library.msgsnd(queue, (ctypes.c_long * 2)(1, 0), 8, 0)
    name = f"/{stage.folder.name}".encode()
    opened = library.mq_open(name, os.O_RDWR | os.O_CREAT, 0o666, None)
    library.fchmod(opened, 0o666)
    stage.ends.callback(os.close, opened)
    stage.ends.callback(library.mq_unlink, name)
    return {"queue": key, "semaphore": key, "posix_queue": name.decode()[1:]}


def _special_files(stage: Stage) -> dict[str, object]:
    fifos = {
        "outside": stage.outside / "fifo",
        "workspace": stage.root / "a.fifo",
        "moving": stage.root / "b.fifo",
        "deep": stage.root / "deep" / "c.fifo",
    }
    (stage.root / "deep").mkdir()
    for path in fifos.values():
        os.mkfifo(path)
        path.chmod(0o666)
        # Somebody listens.
        stage.ends.callback(os.close, os.open(path, os.O_RDWR | os.O_NONBLOCK))
    for folder in (stage.root, stage.outside):
        if os.geteuid() == 0:
            os.mknod(folder / "device", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    (stage.outside / "leased").touch()
    return {"fifos": {name: str(path) for name, path in fifos.items()}}


def _copied(stage: Stage, path: Path, kind: str, other: int) -> str:
    target = stage.outside.parent / f"set_{kind}"
    shutil.copy(path, target)
    os.chown(target, other if kind == "user" else -1, other if kind == "group" else -1)
    target.chmod(0o4755 if kind == "user" else 0o2755)
    return str(target)


def _victim(stage: Stage, python: str) -> int:
    started = subprocess.Popen(
        [python, "-I", "-S", "-c", "import time; time.sleep(600)"],
        cwd=stage.outside,
        env={"CANARY": "CANARY"},
        start_new_session=True,
        user=stage.user,
        group=stage.user,
        extra_groups=[],
    )
    stage.victims.append(started)
    return started.pid


@contextmanager
def opened(user: int, later: float) -> Iterator[Stage]:
    """A stage of this user; what outlives the command writes so many seconds later."""
    with ExitStack() as ends:
        yield _open(user, later, ends)


def _open(user: int, later: float, ends: ExitStack) -> Stage:
    folder = Path(tempfile.mkdtemp(prefix="plimsoll-escapes-", dir=above_homes())).resolve()
    folder.chmod(0o755)
    stage = Stage(folder, user)
    ends.callback(_close, stage)
    python = python_of(user)
    library, shared = ctypes.CDLL(None), Path("/dev/shm", folder.name)
    shared.write_text("whole")
    stage.terminal, slave = pty.openpty()
    other = (0 if user else NOBODY) if os.geteuid() == 0 else os.getegid()
    stage.config = {
        **_sockets(stage),
        "root": str(stage.root),
        "outside": str(stage.outside),
        "home": str(stage.home),
        "victim": _victim(stage, python),
        "victims": [_victim(stage, python) for _ in range(4)],
        "victims_to_look_at": [_victim(stage, python) for _ in range(2)],
        "segment": library.shmget(0, 4096, 0o1666),
        **_queues(stage, library),
        **_special_files(stage),
        "shared": shared.name,
        "later": later,
        **{f"set_{kind}": _copied(stage, Path(python), kind, other) for kind in ("user", "group")},
        "other": other,
        "terminal": os.ttyname(slave),
        "has_terminal": False,
        "secrets": [*(str(stage.home / name) for name in SECRETS)],
        "laid_out": lay_out(stage.home, stage.outside, user, stage.ends),
        "server": os.getpid(),
        "server_says": f"PATH={os.environ['PATH']}",
        "without": sorted(FOR_ROOT) if user else [],
        "result": str(stage.root / "result.json"),
    }
    (stage.root / "config.json").write_text(json.dumps(stage.config))
    shutil.copytree(ESCAPES, stage.root / "escapes", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder, *folder.rglob("*"), shared, Path(os.ttyname(slave))):
        if not path.name.startswith("set_"):
            os.chown(path, user, user, follow_symlinks=False)
    stage.ends.callback(shared.unlink, missing_ok=True)
    stage.ends.callback(library.shmctl, stage.config["segment"], 0, None)
    stage.ends.callback(os.close, slave)
    stage.ends.callback(os.close, stage.terminal)
    return stage


def _close(stage: Stage) -> None:
    for victim in stage.victims:
        victim.kill()
        victim.wait()
    stage.ends.close()
    shutil.rmtree(stage.folder, ignore_errors=True)

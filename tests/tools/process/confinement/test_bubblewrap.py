"""The options that bubblewrap is started with, and what it does with what vanished meanwhile."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Confined
from plimsoll.tools.process.confinement.bubblewrap import (
    Bubblewrap,
    Seen,
    arguments,
)
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.confinement.places import Places
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Ended, Processes
from plimsoll.tools.process.supervision import program
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer
from plimsoll.tools.process.supervision.supervised import fork_supervisor

NAMESPACES = (
    "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try "
    "--die-with-parent --new-session --cap-drop ALL --info-fd 5"
)
SYSTEM = "--dev /dev --proc /proc --ro-bind /proc/sys /proc/sys"
UNSET = (
    "--unsetenv XDG_RUNTIME_DIR --unsetenv DBUS_SESSION_BUS_ADDRESS --unsetenv SSH_AUTH_SOCK "
    "--unsetenv SSH_AGENT_PID --unsetenv DISPLAY --unsetenv DOCKER_HOST --unsetenv GPG_AGENT_INFO "
    "--unsetenv WAYLAND_DISPLAY --unsetenv XAUTHORITY --unsetenv TMUX --unsetenv STY"
)


def folders(above: Path, *names: str) -> list[Path]:
    made = [above / name for name in names]
    for folder in made:
        folder.mkdir(parents=True)
    return made


def test_the_options_of_a_whole_machine(tmp_path: Path):
    above = Path(os.path.realpath(tmp_path))
    home, root, caches, tool, deep = folders(
        above, "home", "home/work", "home/data/caches", "home/.cargo", "home/work/sub"
    )
    folders(root, ".git/hooks", ".vscode")
    (root / ".git" / "config").write_text("")
    (root / "sub" / "AGENTS.md").write_text("")
    secret = tool / "credentials"
    secret.write_text("")
    seen = Seen(
        places=Places(
            hidden=(home,), shown=(tool,), links=((Path("/bin"), "usr/bin"),), masked=(secret,)
        ),
        protected=(".git", ".git/config", ".git/hooks", ".vscode", "sub/AGENTS.md"),
        pinned=frozenset({".git"}),
        variables=(("PIP_CACHE_DIR", f"{caches}/pip"),),
    )
    access = Access(root=root, home=home, caches=caches)
    limits = CommandLimits(memory_bytes=9, temporary_bytes=7, processes=3)
    expected = [
        *(NAMESPACES, "--unshare-net", SYSTEM, "--size 7 --tmpfs /dev/shm"),
        *(f"--perms 1777 --size 7 --tmpfs {home}", f"--ro-bind {tool} {tool}"),
        *(f"--bind {root} {root}", f"--bind {caches} {caches}"),
        *(f"--bind {root}/.git {root}/.git", f"--ro-bind {root}/.vscode {root}/.vscode"),
        f"--bind {deep} {deep}",
        *(f"--ro-bind {root}/.git/{name} {root}/.git/{name}" for name in ("config", "hooks")),
        f"--ro-bind {deep}/AGENTS.md {deep}/AGENTS.md",
        *(f"--ro-bind /dev/null {secret}", "--symlink usr/bin /bin", "--remount-ro /"),
        *(f"--setenv PIP_CACHE_DIR {caches}/pip --setenv TMPDIR /tmp", UNSET, f"--chdir {root}"),
    ]
    # What lies deeper comes later: else it would be hidden by what is above it.
    assert list(arguments(access, seen, limits)) == " ".join(expected).split()


def test_what_goes_meanwhile_is_hidden_as_what_it_was_when_it_was_looked_at(tmp_path: Path):
    """The supervisor leaves out what is gone: it finds it by the options that it was told."""
    root, folder, file = tmp_path / "work", tmp_path / "private", tmp_path / "key"
    places = Places(hidden=(), shown=(), masked=(folder, file))
    seen = Seen(places=places, protected=(), masked_folders=frozenset({folder}))
    access = Access(root=root, home=tmp_path, caches=tmp_path / "caches")
    given = " ".join(arguments(access, seen, None))
    assert f"--tmpfs {folder} --ro-bind /dev/null {file}" in given


@pytest.fixture
def sandbox(bubblewrap_program: Path) -> Bubblewrap:
    return Bubblewrap(program=bubblewrap_program, environment=child_environment(os.environ))


@pytest.mark.parametrize("registries", [None, Registries(("packages.example.org",))])
@pytest.mark.parametrize("network", [False, True])
def test_what_a_command_may_fetch_decides_on_its_caches_and_its_way_out(
    sandbox: Bubblewrap, tmp_path: Path, network: bool, registries: Registries | None
):
    above = Path(os.path.realpath(tmp_path))
    home, root, caches, _ = folders(above, "home", "work", "caches", "home/.cargo/registry")
    access = Access(root=root, home=home, caches=caches, network=network, registries=registries)
    confined = sandbox.confine(("true",), access)
    by_proxy = registries is not None and not network
    given, rules = confined.arguments, json.loads(confined.rules or "")
    # Where nothing can be fetched, what is in the home folder is all that there is.
    assert ("CARGO_HOME" in given) is (network or registries is not None)
    assert ("HTTPS_PROXY" in given, "listener" in rules) == (by_proxy, by_proxy)
    assert ("--unshare-net" in given) is not network
    assert confined.registries is (registries if by_proxy else None)
    assert given[-1] == "true"


LATE = """#!/bin/sh
echo started >> {log}
[ -e {log}.done ] || {{ touch {log}.done; {change}; }}
exec {program} "$@"
"""


@pytest.fixture
def late(sandbox: Bubblewrap, tmp_path: Path) -> Callable[[str], Bubblewrap]:
    """A bubblewrap before whose first start, after all was looked at, something is changed."""

    def made(change: str) -> Bubblewrap:
        program = tmp_path / "bwrap"
        text = LATE.format(log=tmp_path / "starts", change=change, program=sandbox.program)
        program.write_text(text)
        program.chmod(0o755)
        return replace(sandbox, program=program)

    return made


async def ended_and_said(
    sandbox: Bubblewrap, context: CallContext, processes: Processes, command: str
) -> tuple[Ended | None, str]:
    above = context.root.parent
    access = Access(
        root=context.root,
        home=Path.home(),
        caches=above / "c" / "own",
        readable=(above / "readable",),
    )
    confine = partial(sandbox.confine, access=access)
    running = await processes.start(command, context, confine)
    return await running.wait(120), await running.new_output()


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "rm {root}/AGENTS.md",
        "rm -r {root}/.vscode",
        "rm -r {readable}",
        "rm -r {tools}/shut {tools}/own",
    ],
)
async def test_what_is_gone_at_the_start_is_looked_at_again(
    late: Callable[[str], Bubblewrap],
    context: CallContext,
    processes: Processes,
    change: str,
):
    readable = context.root.parent / "readable"
    folders(context.root, ".vscode", str(readable))
    (context.root / "AGENTS.md").write_text("")
    (context.root / ".vscode" / "tasks.json").write_text("")
    tools = readable.parent / "tools"
    folders(tools, "shut")
    (tools / "shut").chmod(0o700)
    (tools / "own").touch(0o600)
    sandbox = late(change.format(root=context.root, readable=readable, tools=tools))
    sandbox = replace(
        sandbox, environment={**sandbox.environment, "PATH": f"/usr/bin:/bin:{tools}"}
    )
    command = "echo begun >> count; echo fine; exit 3"
    found = await ended_and_said(sandbox, context, processes, command)
    assert found == (Ended(code=3, left=0), "fine\n")
    # Once more, and again where another program removed something of the machine's meanwhile.
    assert (context.root.parent / "starts").read_text().count("started\n") >= 2
    assert (context.root / "count").read_text() == "begun\n"


@pytest.mark.slow
async def test_what_a_command_leaves_in_its_name_space_is_counted_and_ended(
    sandbox: Bubblewrap, context: CallContext, processes: Processes
):
    command = "sleep 100 & sleep 100 & echo fine"
    found = await ended_and_said(sandbox, context, processes, command)
    assert found == (Ended(code=0, left=2), "fine\n")


@pytest.mark.slow
async def test_what_is_closed_and_gone_by_then_does_no_harm(
    sandbox: Bubblewrap, context: CallContext, processes: Processes
):
    tools = context.root.parent / "tools"
    folders(tools, "shut")
    (tools / "shut").chmod(0o700)
    (tools / "own").touch(0o600)
    access = Access(root=context.root, home=Path.home(), caches=tools.parent / "c" / "own")
    with_tools = {**sandbox.environment, "PATH": f"/usr/bin:/bin:{tools}"}
    confines: list[bool] = []

    def confine(command: Sequence[str]) -> Confined:
        confined = replace(sandbox, environment=with_tools).confine(command, access)
        confines.append({str(tools / "shut"), str(tools / "own")} <= {*confined.arguments})
        (tools / "own").unlink(missing_ok=True)
        if (tools / "shut").exists():
            (tools / "shut").rmdir()
        return confined

    running = await processes.start("echo fine", context, confine)
    assert await running.wait(120) == Ended(code=0, left=0)
    assert await running.new_output() == "fine\n"
    assert confines[0]


@pytest.mark.slow
async def test_a_command_that_had_begun_is_not_run_again(
    late: Callable[[str], Bubblewrap], context: CallContext, processes: Processes
):
    # It looks like a failure of bubblewrap's own, and took its first process with it.
    command = "echo begun >> count; echo 'bwrap: no'; kill -9 $PPID; exit 1"
    ended, told = await ended_and_said(late(":"), context, processes, command)
    assert ended is not None
    assert (ended.begun, told) == (True, "bwrap: no\n")
    assert (context.root / "count").read_text() == "begun\n"


@pytest.mark.slow
async def test_one_that_never_starts_says_so(
    late: Callable[[str], Bubblewrap], context: CallContext, processes: Processes
):
    sandbox = late(f"rm {context.root.parent}/starts.done; exit 9")
    ended, _ = await ended_and_said(sandbox, context, processes, "echo begun > count")
    assert ended == Ended(code=9, left=0, begun=False)
    assert (context.root.parent / "starts").read_text() == "started\n" * 3
    assert not (context.root / "count").exists()


# The clock stands still: what is looked at from time to time, however long it takes, is no part.
COUNTED = f"""import os, runpy, sys, time
time.monotonic = lambda: 0.0
told = lambda _, given: print(*map(str, given[:1]), file=sys.stderr)
os.register_at_fork(after_in_child=lambda: sys.addaudithook(told))
runpy.run_path({program.__file__!r}, run_name="__main__")"""


@pytest.mark.slow
def test_for_a_short_command_the_processes_of_the_machine_are_not_listed(
    sandbox: Bubblewrap, context: CallContext
):
    access = Access(root=context.root, home=Path.home(), caches=context.root.parent / "c" / "own")
    confined = sandbox.confine(("/bin/true",), access)
    request = CommandRequest(confined.arguments, {}, str(context.root), confined.rules or "")
    with closing(ForkServer((sys.executable, "-I", "-S", "-c", COUNTED))) as fork_server:
        told = b'"begun": false'
        # What another program removes amid the start makes bubblewrap fail, before the command.
        while b'"begun": false' in told:
            ends = fork_supervisor(fork_server)
            os.write(ends.control, request.encode())
            with os.fdopen(os.dup(ends.status), "rb") as status:
                told = status.read()
            ends.close()
    assert b'"code": 0, "left": 0, "limit": null, "begun": true' in told
    # A machine has hundreds: that took longer than all that the sandbox itself does.
    assert b"\n/proc\n" not in told


APART = """exec /usr/bin/python3 -c '
import ctypes
print(ctypes.CDLL(None).unshare(0x10000000))'"""


@pytest.mark.slow
async def test_an_older_one_lets_no_name_space_be_made_either(
    sandbox: Bubblewrap, context: CallContext, processes: Processes
):
    assert "--disable-userns" not in sandbox.options
    assert await ended_and_said(sandbox, context, processes, APART) == (
        Ended(code=0, left=0),
        "-1\n",
    )


@pytest.mark.slow
async def test_half_of_the_watches_of_files_are_left_for_the_editor(
    sandbox: Bubblewrap, context: CallContext, processes: Processes
):
    settings = [f"/proc/sys/user/max_inotify_{what}" for what in ("instances", "watches")]
    assert "--disable-userns" not in sandbox.options
    assert await ended_and_said(sandbox, context, processes, f"cat {' '.join(settings)}") == (
        Ended(code=0, left=0),
        "".join(f"{int(Path(setting).read_text()) // 2}\n" for setting in settings),
    )

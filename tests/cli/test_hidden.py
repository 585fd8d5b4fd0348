"""The keys in the environment of the server are no business of what the agent runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from cli.shell import Shell
from left_out import MACHINE
from lsp.raw_client import RawClient

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason=f"{MACHINE}only Linux has /proc and prctl"),
]

KEY = "sk-test-0123456789abcdef"
# Root may look into every process: so that a run as root is one of a user, it gives up its rights.
AS_USER = """
import ctypes, os, sys
for right in range(64):
    ctypes.CDLL(None).prctl(24, right, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def as_user(*command: str) -> list[str]:
    return [sys.executable, "-c", AS_USER, *command]


def read_by_another(path: Path) -> subprocess.CompletedProcess[str]:
    read = "import sys; print(open(sys.argv[1], 'rb').read())"
    command = as_user(sys.executable, "-c", read, str(path))
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_another_process_of_the_user_cannot_read_the_environment_of_the_server(shell: Shell):
    command = as_user(*shell.command("serve", "--stdio"))
    with RawClient(command, cwd=shell.folder, env={"MY_KEY": KEY}) as server:
        server.initialize()
        process = Path(f"/proc/{server.process.pid}")

        assert KEY not in read_by_another(process / "environ").stdout
        assert "PermissionError" in read_by_another(process / "environ").stderr
        assert "PermissionError" in read_by_another(process / "maps").stderr
        # What a monitor needs stays readable for all.
        assert len((process / "statm").read_text().split()) == 7


def test_the_reader_can_read_what_is_not_hidden():
    command = as_user(sys.executable, "-c", "import sys; print(1, flush=True); sys.stdin.read()")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, env={"MY_KEY": KEY}) as child:
        assert child.stdout.readline() == b"1\n"
        assert KEY in read_by_another(Path(f"/proc/{child.pid}/environ")).stdout

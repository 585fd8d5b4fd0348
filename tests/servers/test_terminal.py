"""The terminal before llama.cpp."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from cli.shell import Shell
from servers.running import MODEL, SECONDS, Running

pytestmark = pytest.mark.slow


@pytest.fixture
def shell(small: Running, tmp_path: Path) -> Shell:
    """A shell whose settings name llama.cpp."""
    folder = tmp_path / "folder"
    folder.mkdir()
    own = {
        "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "HOME": str(tmp_path),
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": MODEL,
        "PLIMSOLL_MODEL__BASE_URL": small.url,
        "PLIMSOLL_BUDGET__RESERVE_OUTPUT_TOKENS": "1024",
        "PLIMSOLL_MEMORY__EXTRACTION": "off",
        "OPENAI_API_KEY": small.key,
    }
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return Shell(folder, {**kept, **own})


def test_ctrl_c_ends_the_run_with_130_and_the_server_stops(shell: Shell, small: Running):
    running = subprocess.Popen(
        shell.command("run", "Tell me a long story about a ship and all its ports."),
        cwd=shell.folder,
        env=shell.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        small.wait_busy()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=SECONDS)
        assert running.returncode == 130, told.decode()
        small.wait_busy(False)
    finally:
        running.kill()
        running.wait(SECONDS)

"""The terminal before llama.cpp."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from cli.shell import Shell, refused
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


MEANT = 'base_url = "http://127.0.0.1:{port}/v1"'
WRONG = {
    "path twice": ("http://127.0.0.1:{port}/v1/chat/completions", MEANT),
    "https": ("https://127.0.0.1:{port}/v1", MEANT),
    "no host": ("http://:{port}/v1", "Write scheme, host and port"),
    "no scheme": ("127.0.0.1:{port}/v1", "Write scheme, host and port"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_address_says_the_right_one(shell: Shell, small: Running, name: str):
    address, words = (form.format(port=small.port) for form in WRONG[name])
    refused(shell.run("run", "Say hello.", PLIMSOLL_MODEL__BASE_URL=address), words)


def test_doctor_asks_the_server_for_its_window_and_one_answer(shell: Shell):
    done = shell.run("doctor", "--ask")
    out = done.stdout.decode()
    for name in ("window", "first token", "streaming", "usage"):
        assert re.search(rf"^  model, {name} ", out, re.MULTILINE), (name, out, done.stderr)
    assert "4.1k tokens" in out


@pytest.mark.parametrize("key", ["", "sk-wrong-0123456789"])
def test_doctor_tells_a_key_that_is_missing_or_wrong(shell: Shell, key: str):
    done = shell.run("doctor", "--ask", OPENAI_API_KEY=key)
    (asked,) = re.findall(r"^  model, asked +(\w+) +(.*)", done.stdout.decode(), re.MULTILINE)
    assert asked[0] == "wrong", asked
    assert "OPENAI_API_KEY" in asked[1]
    assert done.returncode == 1

"""Each command from nothing: it loads what it needs, and nothing else has loaded it before."""

import json
import os
import pty
import subprocess
import sys

import pytest

from cli.shell import SECONDS, Shell, refused
from plimsoll.cli import COMMANDS, NEW_OBJECTS

SAID = {
    ("run", "Where is total_load defined?"): "`ledger.py:1`",
    ("chat",): "pin",
    ("connect", "--no-test"): "There is no terminal to ask on",
    ("replay", "none.jsonl"): "none.jsonl cannot be read",
    ("bench",): "There is nothing to compare",
    ("sessions",): "none",
    ("pins",): "no session in this folder",
    ("memories",): "none",
    ("report",): "no session in this folder",
    ("view",): "no session in this folder",
    ("link", "nowhere"): "No project",
    ("forget-everything",): "Nothing is kept",
    ("editor", "nvim"): "vim.cmd.source(",
    ("schema",): "plimsoll/session/prompt",
    ("mcp", "list"): "none",
    ("team", "status"): "takes part in none",
    ("doctor",): "vocabulary o200k_base",
}
"""What a command says in a folder that nobody has worked in."""


def test_all_commands_are_started_here():
    assert {name for name, *_ in SAID} == COMMANDS.keys() - {"serve", "acp"}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", SAID)
def test_a_command_answers(shell: Shell, arguments: tuple[str, ...]):
    done = shell.run_from_nothing(*arguments, typed="/pins\n")
    assert SAID[arguments] in (done.stdout + done.stderr).decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [(), ("serve",), ("--stdio", "--clientProcessId=1")])
def test_an_editor_gets_the_language_server(shell: Shell, arguments: tuple[str, ...]):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    bodies = (asked, {"jsonrpc": "2.0", "method": "exit"})
    sent = "".join(f"Content-Length: {len(json.dumps(b))}\r\n\r\n{json.dumps(b)}" for b in bodies)
    done = shell.run_from_nothing(*arguments, typed=sent)
    assert done.stdout.startswith(b"Content-Length: ")
    assert b'"plimsoll/session/prompt"' in done.stdout


@pytest.mark.slow
def test_nothing_chosen_at_a_terminal_is_help():
    master, slave = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "plimsoll"], stdin=slave, capture_output=True, timeout=SECONDS
    )
    os.close(master)
    os.close(slave)
    refused(done, "usage: plimsoll", "replay", code=2)


AT_ITS_END = """
import atexit, gc
from plimsoll.cli import main

atexit.register(lambda: print(gc.get_threshold()))
main(["schema"])
"""


@pytest.mark.slow
def test_no_command_looks_for_cycles_at_every_few_new_objects():
    done = subprocess.run(
        [sys.executable, "-c", AT_ITS_END], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f"({NEW_OBJECTS}, 10, 10)"

"""A real Neovim with the configuration of docs/editors.md, and the product over its own pipes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
DOCUMENTED = HERE.parents[1] / "docs" / "editors.md"
BIN = Path(sys.executable).parent
WRITE = {"name": "file_write", "arguments": {"path": "note.txt", "content": "noted\n"}}
SCRIPT = {
    "rules": [{"when": "write", "steps": [{"calls": [WRITE]}, {"text": ["Written ", "down."]}]}]
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / ".git").mkdir(parents=True)
    (folder / "load.py").write_text("load = 1\n")
    return folder


def neovim(folder: Path, method: str):
    home = folder.parent
    (home / "script.json").write_text(json.dumps(SCRIPT))
    (lua,) = re.findall(
        r"^```lua\n(.*?)^```$", DOCUMENTED.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (home / "plimsoll.lua").write_text(lua)
    variables = {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "PLIMSOLL_DATA_DIR": str(home / "data"),
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(home / "script.json"),
        "PLIMSOLL_CONFIG": str(home / "plimsoll.lua"),
        "PLIMSOLL_FILE": str(folder / "load.py"),
        "PLIMSOLL_METHOD": method,
    }
    return subprocess.run(
        [BIN / "nvim", "--clean", "--headless", "-c", f"luafile {HERE / 'client.lua'}"],
        capture_output=True,
        cwd=folder,
        env=variables,
        timeout=100,
    )


def test_neovim_asks_sees_the_answer_stream_and_allows_a_change(folder: Path):
    done = neovim(folder, "plimsoll/context/meter")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert found["chat"] == "\n> write it down\n\n\n* Write note.txt\nWritten down.\n"
    assert (folder / "note.txt").read_text() == "noted\n"
    (question,) = found["questions"]
    assert question.startswith("Write note.txt\n")
    assert "+noted" in question
    kinds = found["kinds"]
    told = ["turnStarted", "toolCall", "toolUpdate", "textDelta", "turnEnded"]
    assert sorted(told, key=kinds.index) == told
    meter = found["meter"]
    assert sum(part["tokens"] for part in meter["parts"]) == meter["used"] > 0
    assert found["pinned"].startswith("Pinned as number 1")
    assert re.fullmatch(r"\d+% ok", found["loadLine"])


def test_a_method_that_is_not_there_fails_the_run(folder: Path):
    """The negative control: a run that goes wrong does not end with 0."""
    done = neovim(folder, "plimsoll/context/nothing")
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"-32601" in done.stderr

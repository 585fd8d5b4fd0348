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
ROOT = HERE.parents[1]
LUA = re.compile(r"^```lua\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BIN = Path(sys.executable).parent
WRITE = {"name": "file_write", "arguments": {"path": "note.txt", "content": "noted\n"}}
READ = {"name": "file_read", "arguments": {"path": "lost.txt"}}
SCRIPT = {
    "rules": [
        {"when": "write", "steps": [{"calls": [WRITE]}, {"text": ["Written ", "down."]}]},
        {"when": "lost", "steps": [{"calls": [READ]}, {"text": ["It is", " not there."]}]},
    ]
}

PLACED = {"symbol": "load", "path": "load.py"}
CODE = [
    {"name": "symbols", "arguments": {"path": "load.py"}},
    {"name": "symbols", "arguments": {"query": "load"}},
    {"name": "definition", "arguments": {**PLACED, "line": 2}},
    {"name": "references", "arguments": {**PLACED, "line": 2}},
    {"name": "diagnostics", "arguments": {"path": "load.py"}},
    {"name": "rename", "arguments": {**PLACED, "new_name": "cargo"}},
]
SCRIPT["rules"].append({"when": "code", "steps": [{"calls": CODE}, {"text": ["Seen."]}]})

CHAT = """
> write it down


* Write note.txt
Written down.

> what is lost?


* Read lost.txt

! Read lost.txt, failed: lost.txt does not exist. Near it: note.txt.
It is not there.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / ".git").mkdir(parents=True)
    (folder / "load.py").write_text("load = 1\n")
    return folder


def neovim(folder: Path, page: str, client: str, **told: str):
    """What came of a client that runs with the lines of a page."""
    home = folder.parent
    (home / "script.json").write_text(json.dumps(SCRIPT))
    blocks = LUA.findall((ROOT / page).read_text("utf-8"))
    # Each is a file of its own to Neovim.
    (home / "plimsoll.lua").write_text("\n".join(f"do\n{block}end" for block in blocks))
    variables = {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "PLIMSOLL_DATA_DIR": str(home / "data"),
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(home / "script.json"),
        "PLIMSOLL_CONFIG": str(home / "plimsoll.lua"),
        "PLIMSOLL_FILE": str(folder / "load.py"),
        **told,
    }
    return subprocess.run(
        [BIN / "nvim", "--clean", "--headless", "-c", f"luafile {HERE / client}"],
        capture_output=True,
        cwd=folder,
        env=variables,
        timeout=100,
    )


def test_neovim_asks_sees_the_answer_stream_and_allows_a_change(folder: Path):
    done = neovim(folder, "docs/editors.md", "client.lua", PLIMSOLL_METHOD="plimsoll/context/meter")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert found["chat"] == CHAT
    assert (folder / "note.txt").read_text() == "noted\n"
    (question,) = found["questions"]
    assert question.startswith("Write note.txt\n")
    assert "+noted" in question
    kinds = found["kinds"]
    told = ["turnStarted", "toolCall", "toolUpdate", "textDelta", "turnEnded"]
    assert sorted(told, key=kinds.index) == told
    meter = found["meter"]
    assert sum(part["tokens"] for part in meter["parts"]) == meter["used"] > 0
    assert found["pinned"].startswith("Pinned. Always sent.")
    assert re.fullmatch(r"\d+% ok edit", found["loadLine"])


def test_a_method_that_is_not_there_fails_the_run(folder: Path):
    """The negative control: a run that goes wrong does not end with 0."""
    done = neovim(
        folder, "docs/editors.md", "client.lua", PLIMSOLL_METHOD="plimsoll/context/nothing"
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"-32601" in done.stderr


def test_the_lines_of_the_readme_show_the_answer(folder: Path):
    done = neovim(folder, "README.md", "readme.lua", PLIMSOLL_PROMPT="is it lost?")
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["shown"] == "load = 1\nIt is not there."


def test_the_agent_hears_what_the_other_language_servers_know(folder: Path):
    (folder / "load.py").write_text("load = 1\nprint('🚢', load)\n")
    done = neovim(folder, "docs/editors.md", "code.lua")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    problem = "load.py:1 error: it is too heavy [small]"
    assert found["texts"] == [
        "load.py:1 variable load\n[by the editor]",
        "load.py:1 variable load\n[by the editor]",
        "load.py:1: load = 1\n[by the editor]",
        "load.py:2: print('🚢', load)\n[by the editor]",
        f"{problem}\n[by the editor]",
        "Renamed load to cargo in 1 file:\nload.py (+2 -2 lines)",
    ]
    # The small server counts bytes, of which the ship has four.
    assert found["position"] == {"line": 1, "character": 14}
    assert found["lines"] == ["cargo = 1", "print('🚢', cargo)"]

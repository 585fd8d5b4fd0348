"""A real Emacs with eglot, the lines of docs/editors.md, and the product over its own pipes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ELISP = re.compile(r"^```elisp\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WRITE = {"name": "file_write", "arguments": {"path": "note.txt", "content": "noted\n"}}
USES = {"name": "references", "arguments": {"symbol": "cargo_load", "path": "load.el", "line": 1}}
SCRIPT = {
    "rules": [
        {"when": "lost", "steps": [{"text": ["It is not there."]}]},
        {"when": "write", "steps": [{"calls": [WRITE]}, {"text": ["Written down."]}]},
        {"when": "used", "steps": [{"calls": [USES]}, {"text": ["Seen."]}]},
    ]
}


def emacs() -> str:
    """The Emacs of this machine, if it has eglot."""
    program = shutil.which("emacs")
    if program is None:
        not_on_this_machine("no emacs")
    look = [program, "--batch", "-Q", "--eval", "(require 'eglot)"]
    if subprocess.run(look, capture_output=True).returncode != 0:
        not_on_this_machine("an emacs without eglot")
    return program


def test_emacs_asks_shows_the_answer_and_says_what_it_knows(tmp_path: Path):
    program = emacs()
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / ".emacs.d").mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "read.txt").write_text("load = 1\n")
    (folder / "load.el").write_text('(defun cargo_load () 1)\n(message "%s" (cargo_load))\n')
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    blocks = ELISP.findall((ROOT / "docs/editors.md").read_text("utf-8"))
    assert len(blocks) == 2
    for number, block in enumerate(blocks):
        (tmp_path / f"{number}.el").write_text(block)
    variables = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(tmp_path / "script.json"),
        "PLIMSOLL_CONFIG": f"{tmp_path}/0.el:{tmp_path}/1.el",
        "PLIMSOLL_FILE": str(folder / "read.txt"),
    }
    done = subprocess.run(
        [program, "--batch", "-Q", "-l", HERE / "driver.el"],
        capture_output=True,
        cwd=folder,
        env=variables,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert "> is it lost?\n\nIt is not there.\n" in found["shown"]
    assert len(found["asked"]) == 1
    assert "note.txt" in found["asked"][0]
    assert (folder / "note.txt").read_text() == "noted\n"
    (answer,) = found["answered"]
    places = {
        (Path(each["uri"]).name, each["range"]["start"]["line"]) for each in answer["locations"]
    }
    assert ("load.el", 1) in places

"""A real Emacs with the package: a person's first minutes, over the server's own pipes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plimsoll
from left_out import not_on_this_machine

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
PACKAGE = Path(plimsoll.__file__).parent / "editors" / "emacs"
WRITE = {"name": "file_write", "arguments": {"path": "note.txt", "content": "noted\n"}}
READ = {"name": "file_read", "arguments": {"path": "long.txt"}}
CHANGE = {"name": "file_write", "arguments": {"path": "note.txt", "content": "lost\n"}}
EDIT = {
    "name": "file_edit",
    "arguments": {"path": "grün.txt", "old_string": "load = 1", "new_string": "load = 🚢2"},
}
USES = {"name": "references", "arguments": {"symbol": "cargo_load", "path": "load.el", "line": 1}}
WRONG = {"name": "diagnostics", "arguments": {"path": "load.el"}}
PLAN = {"name": "plan", "arguments": {"steps": ["Look at it", "Change it"]}}
TWO = [
    {"name": "file_write", "arguments": {"path": path, "content": text}}
    for path, text in (("two.txt", "EINS\nzwei\ndrei\nvier\nNEUN\n"), ("new.txt", "fresh\n"))
]
CHANGES = """\
--- a/two.txt
+++ b/two.txt
@@ -1,4 +1,4 @@
-eins
+EINS
 zwei
 drei
 vier
@@ -2,3 +2,4 @@
 zwei
 drei
 vier
+NEUN
--- a/new.txt
+++ b/new.txt
@@ -1,0 +1,1 @@
+fresh
"""
SCRIPT = {
    "rules": [
        {"when": "lost", "steps": [{"calls": [READ]}, {"text": ["It is ", "not there."]}]},
        {"when": "two", "steps": [{"calls": TWO}, {"text": ["Changed."]}]},
        {"when": "plan", "steps": [{"calls": [PLAN]}, {"text": ["Planned."]}]},
        {"when": "write", "steps": [{"calls": [WRITE]}, {"text": ["Written down."]}]},
        {"when": "change", "steps": [{"calls": [CHANGE]}, {"text": ["So it stays."]}]},
        {"when": "used", "steps": [{"calls": [USES, WRONG]}, {"text": ["Seen."]}]},
        {"when": "edit", "steps": [{"calls": [EDIT]}, {"text": ["Edited."]}]},
    ]
}


@pytest.fixture(scope="module")
def emacs() -> str:
    """The Emacs of this machine, of a version that the package is for."""
    program = shutil.which("emacs")
    if program is None:
        not_on_this_machine("no emacs")
    return program


def test_the_package_compiles_without_a_warning(emacs: str, tmp_path: Path):
    files = [shutil.copy(path, tmp_path) for path in sorted(PACKAGE.glob("*.el"))]
    assert len(files) > 3
    strict = "(setq byte-compile-error-on-warn t)"
    compile_all = [emacs, "--batch", "-Q", "-L", tmp_path, "--eval", strict]
    done = subprocess.run(
        [*compile_all, "-f", "batch-byte-compile", *files], capture_output=True, timeout=100
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_a_person_asks_decides_removes_and_goes_on(emacs: str, tmp_path: Path):
    folder = tmp_path / "ein Ordner"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "grün.txt").write_text("load = 1\n")
    (folder / "two.txt").write_text("eins\nzwei\ndrei\nvier\n")
    subprocess.run(["git", "init", "-q", folder / "inner"], check=True)
    (folder / "inner" / "file.txt").write_text("inside\n")
    (folder / "long.txt").write_text("A line of the harbour's book.\n" * 200)
    (folder / "load.el").write_text('(defun cargo_load () 1)\n(message "%s" (cargo_load))\n)\n')
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    variables = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(tmp_path / "script.json"),
        "PLIMSOLL_PACKAGE": str(PACKAGE),
        "PLIMSOLL_FILE": str(folder / "grün.txt"),
    }
    done = subprocess.run(
        [emacs, "--batch", "-Q", "-l", HERE / "drive.el"],
        capture_output=True,
        cwd=folder,
        env=variables,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert "> is it lost?\n\n• ✔ Read long.txt\n\nIt is not there.\n" in found["before"]
    assert "textDelta" in found["seen"]
    assert "+noted" in found["allowed"]
    assert "y: Allow" in found["allowed"]
    assert "note.txt" in found["refused"]
    assert "• ✔ Write note.txt\n\nWritten down." in found["before"]
    assert "• ✘ refused (Not today.): Write note.txt\n\nSo it stays." in found["before"]
    assert (folder / "note.txt").read_text() == "noted\n"
    assert found["edited"] == "unsaved\nload = 🚢2\n"
    assert (folder / "grün.txt").read_text() == "load = 1\n"
    assert found["removed"] > 0
    assert found["undone"] == 0
    shown, kept, undone, left = found["changes"]
    assert shown.endswith(CHANGES)
    assert kept == "EINS\nzwei\ndrei\nvier\nNEUN\n"
    assert undone == "EINS\nzwei\ndrei\nvier\n"
    assert "two.txt" not in left
    assert not (folder / "new.txt").exists()
    assert found["plan"] == "Plan:\n1. Look at it\n2. Change it\n3. Look again"
    did = ("didChange", "didClose", "didSave")
    each = [f"{where} textDocument/{what}" for where in ("inner", "outer") for what in did]
    assert found["folders"] == each
    assert "%" in found["line"]
    assert "load.el:2" in found["uses"]
    assert "load.el:3" in found["wrong"]
    for text in ("> is it lost?", "It is not there.", "Written down.", "So it stays.", "Edited."):
        assert text in found["after"]

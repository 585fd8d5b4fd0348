"""`scripts/run --editor` uses a VS Code that is already here, with a profile of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs with a `code` that writes down how it is called."""
    programs = tmp_path / "bin"
    programs.mkdir()
    code = programs / "code"
    code.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>"{tmp_path}/called"\n')
    code.chmod(0o755)
    return programs


def at_hand(path: str) -> str:
    line = "source scripts/lib/editor.sh; trap - EXIT; editor_at_hand"
    done = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, env={"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_editor_on_the_path_is_found_and_none_is_nothing(programs: Path):
    system = f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
    assert at_hand(system) == str(programs / "code")
    (programs / "code").rename(programs / "code-server")
    assert at_hand(system) == str(programs / "code-server")


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_it_gets_the_extension_and_opens_the_folder(programs: Path, tmp_path: Path):
    command = ["node", ROOT / "tests/e2e/by-hand/open.mjs", tmp_path, programs / "code"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    profile = ROOT / "build" / "editor"
    own = f"--user-data-dir {profile}/data --extensions-dir {profile}/extensions"
    vsix = ROOT / "client-vscode" / "dist" / "plimsoll.vsix"
    assert (tmp_path / "called").read_text().splitlines() == [
        f"{own} --force --install-extension {vsix}",
        f"{own} --new-window {tmp_path}",
    ]


def test_a_folder_that_is_not_there_is_said_in_our_words_alone(tmp_path: Path):
    command = ["scripts/run", "What is here?", tmp_path / "gone"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"No such folder: {tmp_path}/gone. Name a folder that exists.\n"

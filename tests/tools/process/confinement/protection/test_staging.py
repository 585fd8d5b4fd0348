"""Folders that are missing are laid over while a command runs, and gone afterwards."""

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.protection import Protection
from plimsoll.tools.process.confinement.protection.staging import (
    STAGED,
    Staging,
    clear_leftovers,
    staged_variables,
)
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Processes


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "work"
    (root / ".idea").mkdir(parents=True)
    (root / ".idea" / "a.xml").write_text("whole")
    return root


def held(root: Path) -> list[str]:
    return sorted(path.name for path in root.iterdir())


def test_what_was_written_is_handed_over_and_nothing_stays(root: Path):
    place, aside = root.parent / "staged", root.parent / "aside"
    staging = Staging(root, place)
    assert held(root) == [".git", ".idea", ".vscode"]
    assert Protection(root).look().names.keys() == {".idea"}
    private = {path: own for own, path in staging.mounts}
    assert private.keys() == {root / ".git", root / ".vscode"}
    (private[root / ".git"] / "config").write_text("x")
    (moved,) = staging.close(aside)
    assert (moved.path, (moved.place / "config").read_text()) == (root / ".git", "x")
    assert moved.why == STAGED[".git"]
    assert held(root) == [".idea"]
    assert list(place.iterdir()) == []
    assert staging.close(aside) == ()


def test_two_commands_share_what_they_are_laid_over(root: Path):
    place, aside = root.parent / "staged", root.parent / "aside"
    first, second = Staging(root, place), Staging(root, place)
    first.close(aside)
    assert held(root) == [".git", ".idea", ".vscode"]
    second.close(aside)
    assert held(root) == [".idea"]


def test_an_empty_folder_of_a_person_stays(root: Path):
    (root / ".vscode").mkdir()
    staging = Staging(root, root.parent / "staged")
    assert len(list(staging.mounts)) == 2
    staging.close(root.parent / "aside")
    assert held(root) == [".idea", ".vscode"]


KILLED = """import os, signal, sys
from pathlib import Path
from plimsoll.tools.process.confinement.protection.staging import Staging
staging = Staging(Path(sys.argv[1]), Path(sys.argv[2]))
for private, path in staging.mounts:
    if path.name == ".vscode":
        (private / "tasks.json").write_text("x")
os.kill(os.getpid(), signal.SIGKILL)"""


@pytest.mark.slow
def test_what_a_killed_server_left_is_cleared(root: Path):
    place, aside = root.parent / "staged", root.parent / "aside"
    command = [sys.executable, "-c", KILLED, str(root), str(place)]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    assert held(root) == [".git", ".idea", ".vscode"]
    (root / ".git" / "config").write_text("a person's, since")
    running = Staging(root.parent, place)
    clear_leftovers(place, root, aside)
    # What is in use by now is no empty folder of ours.
    assert held(root) == [".git", ".idea"]
    assert len(list(place.iterdir())) == 1
    running.close(aside)
    (kept,) = aside.iterdir()
    assert (kept / "tasks.json").read_text() == "x"


@pytest.mark.slow
async def test_a_repository_that_a_command_makes_never_stands_in_the_folder(
    root: Path, bubblewrap_program: Path, context: CallContext, processes: Processes
):
    environment = child_environment(os.environ)
    sandbox = Bubblewrap(program=bubblewrap_program, environment=environment)
    access = Access(root=root, home=Path.home(), caches=root.parent / "data" / "caches")
    command = "git init -q . && git config a.b c && git add .idea && echo made && exec sleep 600"
    started = replace(context, root=root, environment=environment)
    running = await processes.start(command, started, partial(sandbox.confine, access=access))
    said = ""
    while "made" not in said:
        await asyncio.wait_for(running.news.wait(), 120)
        assert running.ended is None
        # Cleared first: what comes amid the reading is read at the next turn.
        running.news.clear()
        said += await running.new_output()
    assert list((root / ".git").iterdir()) == []
    await running.end()
    (moved,) = running.take_moved()
    assert (moved.path, (moved.place / "config").exists()) == (root / ".git", True)
    assert held(root) == [".idea"]


@pytest.mark.parametrize(
    ("covered", "environment", "given"),
    [
        ((".vscode",), {}, []),
        ((".git",), {}, [("GOFLAGS", "-buildvcs=false")]),
        ((".git", ".idea"), {"GOFLAGS": "-race"}, [("GOFLAGS", "-race -buildvcs=false")]),
    ],
)
def test_go_does_not_ask_git_about_an_empty_folder(covered, environment, given):
    paths = [Path("/work", name) for name in covered]
    assert list(staged_variables(paths, environment)) == given

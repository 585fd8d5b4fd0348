"""What people do every day works in the sandbox, without a question and without leaving it.

What needs package registries stands in `test_from_registries.py`.
"""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from tools.process.confinement.work.desk import PERSON, Desk, needs

pytestmark = pytest.mark.slow
MODULES = Path(__file__).parents[5] / "client-vscode" / "node_modules"
TOOLS = Path(sys.prefix)
GIT = f"git {PERSON}"
CHROMIUM = (
    "chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    '--user-data-dir="$TMPDIR/profile" --screenshot=shot.png page.html'
)
SERVER = """
const http = require('http');
const server = http.createServer((request, answer) => answer.end('served'));
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  console.log(await (await fetch(`http://127.0.0.1:${port}/`)).text());
  server.close();
});
"""
CARGO = '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n'
RUST = """pub fn one() -> u8 { 1 }
#[test]
fn is_one() { assert_eq!(one(), 1); }
"""
SQL = "create table t (n); insert into t values (1), (2); select sum(n) from t;"


@dataclass(frozen=True, kw_only=True)
class Task:
    """Something that people do."""

    command: str
    needs: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    says: str
    """The end of its output."""
    committed: bool = False
    """Whether the workspace is a repository with these files."""


TASKS = {
    "git: commit, branch, merge, rebase, stash": Task(
        needs=("git",),
        committed=True,
        files={"a.txt": "1\n"},
        command=f"set -e; {GIT} checkout -q -b side; echo 2 > b.txt; {GIT} add .; "
        f"{GIT} commit -q -m side; {GIT} checkout -q main; echo 3 > c.txt; {GIT} add .; "
        f"{GIT} commit -q -m main; {GIT} merge -q --no-edit side; "
        f"{GIT} checkout -q -b other HEAD~1; echo 4 > d.txt; {GIT} add .; "
        f"{GIT} commit -q -m other; {GIT} rebase -q main; "
        f"echo 5 >> a.txt; {GIT} stash -q; {GIT} stash pop -q; git status --short; "
        "git log --oneline | wc -l",
        says=" M a.txt\n5",
    ),
    "git: a worktree": Task(
        needs=("git",),
        committed=True,
        files={"a.txt": "1\n"},
        command=f"{GIT} worktree add -q -b side wt && cd wt && echo 2 > a.txt && "
        f"{GIT} commit -q -a -m second && git log --format=%s",
        says="second\nfirst",
    ),
    "git: a new repository": Task(
        needs=("git",),
        command=f"git init -q -b main new && cd new && echo 1 > a && {GIT} add a && "
        f"{GIT} commit -q -m first && git log --format=%s",
        says="first",
    ),
    "pytest": Task(
        files={"test_one.py": "def test_one(tmp_path):\n    assert tmp_path.is_dir()\n"},
        command="export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1; "
        f"{TOOLS}/bin/python -m pytest -q test_one.py | head -1",
        says="[100%]",
    ),
    "ruff": Task(
        files={"one.py": "import os\nONE=1\n"},
        command=f"PATH={TOOLS}/bin:$PATH; ruff format -q one.py; ruff check -q --fix one.py; "
        "cat one.py",
        says="ONE = 1",
    ),
    "pyright": Task(
        files={"one.py": 'ONE: int = "1"\n'},
        command=f"{TOOLS}/bin/basedpyright one.py | tail -1",
        says="1 error, 0 warnings, 0 notes",
    ),
    "npm test": Task(
        needs=("npm", "node"),
        files={
            "package.json": '{"name": "a", "scripts": {"test": "node test.js"}}',
            "test.js": "require('node:assert').equal(1, 1);\nconsole.log('passed');\n",
        },
        command="npm test",
        says="passed",
    ),
    "node: a server for testing": Task(
        needs=("node",), files={"s.cjs": SERVER}, command="node s.cjs", says="served"
    ),
    "vite build": Task(
        needs=("node",),
        files={
            "index.html": '<script type="module" src="/m.ts"></script>',
            "m.ts": "const one: number = 1;\ndocument.title = `${one}`;\n",
        },
        command=f"node {MODULES}/vite/bin/vite.js build >out 2>&1 || cat out; ls dist | tail -1",
        says="index.html",
    ),
    "tsc": Task(
        needs=("node",),
        files={
            "m.ts": "const one: number = 1;\nconsole.log(one);\n",
            "tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}}',
        },
        command=f"node {MODULES}/typescript/bin/tsc && node m.js",
        says="1",
    ),
    "make and gcc": Task(
        needs=("make", "gcc"),
        files={
            "hello.c": '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n',
            "Makefile": "hello: hello.c\n\tgcc -o $@ $<\n",
        },
        command="make -s && ./hello",
        says="hello",
    ),
    "cargo build and test": Task(
        needs=("cargo",),
        files={"Cargo.toml": CARGO, "src/lib.rs": RUST},
        command="cargo build -q --offline && cargo test -q --offline 2>&1 | "
        "grep -m1 -o '1 passed; 0 failed'",
        says="1 passed; 0 failed",
    ),
    "go build and test": Task(
        needs=("go",),
        files={
            "go.mod": "module one\n",
            "one.go": 'package main\n\nfunc main() { println("one") }\n',
            "one_test.go": 'package main\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n',
        },
        command="go build -o one . && ./one && go test . >out && cut -f1 out",
        says="one\nok  ",
    ),
    "sqlite": Task(
        needs=("sqlite3",),
        command=f"sqlite3 db.sqlite '{SQL}' && ls db.sqlite",
        says="3\ndb.sqlite",
    ),
    "a web server and its client in one command": Task(
        needs=("curl",),
        files={"a.txt": "served\n"},
        command="python3 -u -m http.server --bind 127.0.0.1 8765 >log 2>&1 & "
        "until curl -sf http://127.0.0.1:8765/a.txt; do sleep 0.05; done; kill %1",
        says="served",
    ),
    "tar and zip": Task(
        needs=("tar", "zip", "unzip"),
        files={"d/a.txt": "packed\n"},
        command="tar czf d.tgz d && zip -qr d.zip d && rm -r d && tar xzf d.tgz && unzip -qo d.zip "
        "&& cat d/a.txt",
        says="packed",
    ),
    "jq": Task(
        needs=("jq",), files={"a.json": '{"a": [1, 2]}'}, command="jq -c .a a.json", says="[1,2]"
    ),
    "patch": Task(
        needs=("patch",),
        files={"a.txt": "one\n", "p": "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\n"},
        command="patch -s < p && cat a.txt",
        says="two",
    ),
}


@pytest.mark.parametrize("name", TASKS)
async def test_it_works_without_leaving_the_sandbox(desk: Desk, name: str):
    task = TASKS[name]
    needs(*task.needs)
    if str(MODULES) in task.command and not MODULES.is_dir():
        not_on_this_machine("no modules of the client")
    for path, text in task.files.items():
        desk.write(path, text)
    if task.committed:
        desk.commit_all()
    code, told = await desk.run(task.command, readable=(TOOLS, Path(sys.base_prefix), MODULES))
    assert (code, told.rstrip("\n").endswith(task.says.rstrip("\n"))) == (0, True), told


async def test_a_browser_needs_unix_sockets(desk: Desk):
    """Chromium makes one for itself first; with them it works, and is asked about."""
    needs("chromium")
    desk.write("page.html", "<p>hello")
    await desk.run(CHROMIUM)
    assert not (desk.root / "shot.png").exists()
    _, told = await desk.run(CHROMIUM, unix_sockets=True)
    assert (desk.root / "shot.png").exists(), told


async def test_docker_works_outside_alone(desk: Desk):
    """Whoever reaches its socket can do all that root can, so no command in the sandbox does."""
    needs("docker")
    if subprocess.run(["docker", "version"], capture_output=True).returncode:
        not_on_this_machine("docker has no server")
    code, told = await desk.run("docker version 2>&1")
    assert code != 0, told

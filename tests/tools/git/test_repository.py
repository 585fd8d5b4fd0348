"""What git says of a folder, and that nothing of a hostile repository is run for it."""

import os
import subprocess
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.git.repository import GitRepository
from plimsoll.tools.ports.repository import DiffOfFiles

pytestmark = pytest.mark.slow
IDENTITY = {"NAME": "a", "EMAIL": "a@example.org"}
CLEAN = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **{f"GIT_{who}_{k}": v for who in ("AUTHOR", "COMMITTER") for k, v in IDENTITY.items()},
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, env=CLEAN, check=True, capture_output=True)


def repository(root: Path, **files: str) -> GitRepository:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    for name, text in files.items():
        (root / name).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "feat: begin")
    return GitRepository(root, {**os.environ, "HOME": str(root.parent)})


def test_what_is_staged_not_staged_and_untracked_with_secret_files_by_name_alone(tmp_path: Path):
    root = tmp_path / "work"
    found = repository(root, **{"a.py": "one\n", "b.py": "two\n", ".gitignore": "*.log\n"})
    (root / "a.py").write_text("ONE\n")
    (root / ".env").write_text("TOKEN=hush\n")
    git(root, "add", "a.py", ".env")
    (root / "b.py").write_text("TWO\n")
    (root / "new").mkdir()
    for name in ("new/c.py", "x.log", "möve [1].py"):
        (root / name).write_text("new\n")
    changes = found.changes()
    assert changes.staged.names == ("A .env", "M a.py")
    assert changes.staged.diff.endswith("@@ -1 +1 @@\n-one\n+ONE\n")
    assert changes.unstaged.names == ("M b.py",)
    assert changes.unstaged.diff.splitlines()[-2:] == ["-two", "+TWO"]
    assert changes.untracked == ("möve [1].py", "new/")
    assert changes.withheld == (".env",)
    assert "hush" not in repr(changes)
    assert found.subjects(10) == ("feat: begin",)
    # A folder below sees what is its own, by names of its own.
    (root / "new/d.py").write_text("d\n")
    git(root, "add", "new/d.py")
    below = GitRepository(root / "new", os.environ).changes()
    assert (below.staged.names, below.untracked) == (("A d.py",), ("c.py",))


def test_nothing_that_a_repository_names_is_run_and_nothing_is_written(tmp_path: Path):
    root, ran = tmp_path / "work", tmp_path / "ran"
    found = repository(root, **{"a.py": "one\n", ".gitattributes": "* filter=evil diff=evil\n"})
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\ncat\n")
    program.chmod(0o755)
    git(root, "init", "-q", "sub")
    git(root / "sub", "commit", "-q", "--allow-empty", "-m", "x")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "./sub", "sub")
    for where in (root, root / "sub"):
        values = {
            "core.fsmonitor": program,
            "core.hooksPath": tmp_path,
            "core.pager": program,
            "core.sshCommand": program,
            "diff.external": program,
            "diff.evil.command": program,
            "diff.evil.textconv": program,
            "filter.evil.clean": program,
            "filter.evil.smudge": program,
            "filter.a.b.process": program,
            "filter.evil.required": "true",
            "gpg.program": program,
            "log.showSignature": "true",
            "protocol.ext.allow": "always",
            "remote.origin.url": f"ext::{program}",
            "remote.origin.promisor": "true",
            "extensions.partialClone": "origin",
        }
        for name, value in values.items():
            git(where, "config", name, str(value))
    (tmp_path / "post-index-change").symlink_to(program)
    (root / "a.py").write_text("ONE\n")
    (root / "sub/f.py").write_text("new\n")
    # Of the same size and with another time: git must read it to know.
    os.utime(root / ".gitattributes", (1, 1))
    before = (root / ".git/index").read_bytes()
    ran.unlink(missing_ok=True)
    changes = found.changes()
    assert "M a.py" in changes.unstaged.names
    assert found.subjects(3) == ("feat: begin",)
    assert not ran.exists(), ran.read_text()
    assert (root / ".git/index").read_bytes() == before
    # What is asked so is run without these words: the traps are set.
    subprocess.run(["git", "diff"], cwd=root, env=CLEAN, capture_output=True, check=False)
    assert ran.exists()


@pytest.mark.parametrize("what", ["/dev/null", "other"])
def test_an_index_that_is_a_link_is_not_copied(tmp_path: Path, what: str):
    # It stands for one to /dev/zero, which has no end.
    found = repository(tmp_path / "work", **{"a.py": "one\n"})
    (tmp_path / "other").write_bytes((tmp_path / "work/.git/index").read_bytes())
    (tmp_path / "work/.git/index").unlink()
    (tmp_path / "work/.git/index").symlink_to(tmp_path / what)
    with pytest.raises(ToolFailed, match="index cannot be copied"):
        found.changes()


def test_what_cannot_be_said_is_said(tmp_path: Path):
    with pytest.raises(ToolFailed, match="in no git repository"):
        GitRepository(tmp_path, {**os.environ, "GIT_CEILING_DIRECTORIES": "/"}).changes()
    with pytest.raises(ToolFailed, match="not installed"):
        GitRepository(tmp_path, {"PATH": "/nowhere"}).changes()
    (tmp_path / "git").write_text("#!/bin/sh\n")
    (tmp_path / "git").chmod(0o755)
    with pytest.raises(ToolFailed, match="it is not run"):
        GitRepository(tmp_path, {"PATH": str(tmp_path)}).changes()
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    odd = GitRepository(empty, os.environ)
    assert odd.changes().staged == DiffOfFiles()
    assert odd.subjects(3) == ()
    git(empty, "config", "filter.a=b.clean", "cat")
    with pytest.raises(ToolFailed, match="cannot be switched off: a=b"):
        odd.changes()

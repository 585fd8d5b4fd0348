"""Lay the six projects: unpack a release, commit it, and make what its archive cannot bring.

A release has no submodule, no worktree and no carriage returns of a checkout under Windows, so
these are made here, with git's own commands.
"""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from days.packages import Package, committed, unpacked

FILE_PROTOCOL = ("-c", "protocol.file.allow=always")
"""A submodule from a folder needs it since git 2.38.1 (CVE-2022-39253)."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project that is walked through, and what is made in it after it was unpacked."""

    package: Package
    about: str
    finish: Callable[[Path], None]

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.package.name.rpartition("/")[2]


def lay(project: Project, folder: Path) -> Path:
    """Make the repository of a project below a folder, and return its root.

    Raises:
        UnavailableError: Its release cannot be had.
    """
    root = folder / project.name
    unpacked(project.package, root)
    project.finish(root)
    return root


def _leave(_root: Path) -> None:
    """Nothing is to be made: the release has it all."""


def _add_submodule_and_worktree(root: Path) -> None:
    """Give a repository a submodule, a linked worktree inside and one beside it, and excludes."""
    library = root.parent / "library"
    library.mkdir()
    (library / "shared_rules.py").write_text("LIMIT = 5  # the library's\n", "utf-8")
    _git(library, "init", "--quiet", "--initial-branch", "main")
    committed(library, "library")
    _git(root, *FILE_PROTOCOL, "submodule", "--quiet", "add", str(library), "vendor/library")
    committed(root, "a submodule")
    _git(root, "worktree", "add", "--quiet", "-b", "beside", str(root.parent / "beside"))
    _git(root, "worktree", "add", "--quiet", "-b", "inside", str(root / "trees" / "inside"))
    exclude = root / ".git" / "info" / "exclude"
    exclude.write_text("/trees/\nnotes-of-mine.txt\n", "utf-8")
    (root.parent / "beside" / "notes-of-mine.txt").write_text("LIMIT = 7\n", "utf-8")


def _write_carriage_returns(root: Path) -> None:
    """Write the texts of a repository as a checkout under Windows has them."""
    for path in root.rglob("*"):
        if ".git" in path.parts or not path.is_file() or path.is_symlink():
            continue
        content = path.read_bytes()
        if b"\0" not in content:
            path.write_bytes(content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    committed(root, "carriage returns")


def _add_encodings(root: Path) -> None:
    """Add a text in each encoding that people's older projects are written in."""
    folder = root / "old"
    folder.mkdir()
    for encoding, text in TEXTS.items():
        (folder / f"{encoding}.txt").write_bytes(text.encode(encoding))
    committed(root, "older texts")


TEXTS = {
    "latin-1": "Straße, Größe und Übermut\nLIMIT = 5\nÄrger über Öl\n" * 4,
    "cp1252": "“Quoted” — and a price of 5 €\nLIMIT = 5\nçà et là, déjà vu\n" * 4,
    "shift_jis": "日本語の文章です。\nLIMIT = 5\n設定を変更してください。\n" * 4,
    "gbk": "这是一个中文文件。\nLIMIT = 5\n请修改这里的设置。\n" * 4,
    "utf-16": "UTF-16 as Windows writes it: Größe\nLIMIT = 5\nlast line\n" * 4,
}


def _git(folder: Path, *command: str) -> None:
    subprocess.run(("git", *command), cwd=folder, check=True, capture_output=True)


PROJECTS = (
    Project(
        Package(
            "django",
            "5.2.19",
            "ad03d8abc51dbff95ebf34b27123cf0c26a3b62db7ba0cd520783686362533d1",
        ),
        "7,000 files, a submodule and two linked worktrees",
        _add_submodule_and_worktree,
    ),
    Project(
        Package(
            "nbconvert",
            "7.17.2",
            "344a218e8595117ce37396ed025d994f146d076226ebac59255a2fa085ab24d8",
        ),
        "notebooks",
        _leave,
    ),
    Project(
        Package(
            "docutils",
            "0.23",
            "746f5060322511280a1e50eb76846ed6bf2342984b2ac04dc42caa1a8d78799e",
        ),
        "form feeds, and texts in five encodings",
        _add_encodings,
    ),
    Project(
        Package(
            "chardet",
            "7.7.0",
            "0ba38a05201b0abf7570c12d8af45c30b2af835bd5cc52bfc7105082eda82c1e",
        ),
        "a small library with tests",
        _leave,
    ),
    Project(
        Package(
            "create-next-app",
            "16.4.3",
            "bc16f8e28352c6003def6e83dbe2e38c4f857b1cd27d7a88a5a557d5c3eedc28",
            npm=True,
        ),
        "carriage returns, and folders with brackets in their names",
        _write_carriage_returns,
    ),
    Project(
        Package(
            "@mui/icons-material",
            "9.5.0",
            "a6b1886d687c9ac1de05e22d3d67d2b23c16aaa551d52960ce9e641c0471d134",
            npm=True,
        ),
        "43,000 files in few folders",
        _leave,
    ),
)

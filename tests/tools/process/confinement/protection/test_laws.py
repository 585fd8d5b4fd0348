"""Whatever a command does in whatever tree: nothing protected is new, and what was there stays."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.process.confinement.protection import Protection, guard
from plimsoll.tools.process.confinement.protection.links import text_of_link
from plimsoll.tools.process.confinement.protection.protected_paths import ProtectedPaths

PATHS = (
    *("a", "b", "a/b", "b/a", "a/b/a", ".vscode", ".vscode/a", "a/.vscode", "AGENTS.md"),
    *("a/AGENTS.md", ".git", "a/.git", "a/b/.git", ".git/hooks", ".git/config", ".git/commondir"),
    *(".git/hooks/a", ".git/modules/a", ".git/worktrees/a", ".git/worktrees/a/commondir"),
    *("a/HEAD", "a/objects", "a/refs", "a/config", "a/hooks", "a/commondir", "HEAD", "objects"),
)
TEXTS = (
    *("", "gitdir: ../a\n", "gitdir: b\n", "gitdir: .git/worktrees/a\n", "../..\n"),
    "[core]\n\thooksPath = a\n[include]\n\tpath = ../b\n",
)
paths = st.sampled_from(PATHS)
kinds = ("folder", "file", "link", "rename", "remove", "shut")
steps = st.lists(
    st.tuples(st.sampled_from(kinds), paths, st.sampled_from((*PATHS, *TEXTS))), max_size=12
)


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(os.path.realpath(made))


def act(root: Path, step: tuple[str, str, str], may: Callable[[Path], bool]) -> None:
    """Do what a command can: what is covered it can't change, nor rename what holds it."""
    kind, name, other = step
    path, second = root / name, root / other
    if not may(path) or (kind in {"rename", "link"} and not may(second)):
        return
    with suppress(OSError):
        if kind == "folder":
            path.mkdir(parents=True)
        elif kind == "file":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(other if other in TEXTS else "x")
        elif kind == "link":
            path.symlink_to(other or "/", target_is_directory=False)
        elif kind == "rename":
            path.rename(second)
        elif kind == "remove":
            path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(path)
        else:
            path.chmod(0o700 if path.is_dir() else 0o600)


def covered(root: Path, found: ProtectedPaths) -> Callable[[Path], bool]:
    """Tell of a path whether a sandbox lets it be changed."""
    whole = {root / path for path in found.protected if path not in found.partial}
    whole = {path for path in whole if not path.is_symlink()}
    pinned = (root / path for path in found.pinned)
    held = {above for path in (*whole, *pinned) for above in (path, *path.parents)}

    def may(path: Path) -> bool:
        try:
            real = path.parent.resolve() / path.name
        except (OSError, RuntimeError):
            return False
        ends = path.resolve() if path.exists() else real
        return all(
            root in one.parents and one not in held and whole.isdisjoint((one, *one.parents))
            for one in (real, ends)
        )

    return may


def state(root: Path, found: ProtectedPaths) -> dict[str, str]:
    """What stands at protected paths, with all that lies in them."""
    seen: dict[str, str] = {}
    for path in found.protected.keys() | found.links.keys():
        at = root / path
        below = at.rglob("*") if path not in found.partial and not at.is_symlink() else ()
        for one in (at, *below):
            name = str(one.relative_to(root))
            if one.is_symlink():
                seen[name] = f"to {text_of_link(one)}"
            else:
                seen[name] = one.read_text() if one.is_file() else "a folder"
    return seen


@pytest.mark.parametrize("watch", [True, False])
@given(first=steps, commands=st.lists(steps, min_size=1, max_size=3))
def test_nothing_protected_is_new_and_nothing_is_gone(
    watch: bool, first: list[tuple[str, str, str]], commands: list[list[tuple[str, str, str]]]
):
    with folder() as made:
        root = made / "work"
        root.mkdir()
        (made / "home" / ".ssh").mkdir(parents=True)
        for name, end in ((".bashrc", "a"), (".config", "b"), (".ssh/config", "b/a/c")):
            (made / "home" / name).symlink_to(root / end)
        for step in first:
            act(root, step, covered(root, ProtectedPaths()))
        protection = Protection(root, made / "home", watch=watch)
        for command in commands:
            guarded = guard(protection, made / "aside")
            before, stood = guarded.found, state(root, guarded.found)
            may = covered(root, before)
            for step in command:
                act(root, step, may)
            guarded.settle()
            fresh = Protection(root, made / "home", watch=False).look()
            assert protection.look() == fresh
            assert fresh.names.keys() <= before.protected.keys()
            assert fresh.bare <= before.bare
            assert not {path for path in before.missing if os.path.lexists(root / path)}
            assert state(root, before) == stood

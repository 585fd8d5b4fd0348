"""The repositories of a workspace as git resolves them, and what of each is protected."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.protection.git.repositories import (
    NAMED_WHY,
    PARTS,
    Repositories,
)
from plimsoll.tools.process.confinement.protection.protected_paths import ProtectedPaths


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "work"
    root.mkdir()
    return root


def made(at: Path, files: Mapping[str, str | None]) -> None:
    """Make files, folders (None) and links (``-> text``)."""
    for name, text in files.items():
        path = at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.mkdir()
        elif text.startswith("-> "):
            path.symlink_to(text[3:])
        else:
            path.write_text(text)


def found(root: Path, *named: str, bare=(), kept=()) -> ProtectedPaths:
    paths = ProtectedPaths()
    Repositories(root, root.parent / "home").resolve(paths, named, bare, kept)
    return paths


def test_of_a_repository_the_parts_are_protected_by_which_git_runs_something(root: Path):
    parts = {name: "" for name in PARTS if name not in {"commondir", "gitdir", "hooks"}}
    made(root / ".git", {**parts, "hooks": None, "HEAD": "", "index": "", "objects/pack": None})
    paths = found(root, ".git")
    assert paths.protected == {f".git/{name}": PARTS[name] for name in (*parts, "hooks")}
    assert (paths.partial, paths.links, paths.missing) == ({".git"}, {}, {})
    assert paths.origins[".git/config"] == frozenset({".git"})


def test_a_file_leads_to_a_repository_and_so_does_a_link(root: Path):
    made(root, {"real/config": "", "a/.git": "gitdir: ../real\n", "b/.git": "-> ../real"})
    paths = found(root, "a/.git", "b/.git")
    assert paths.protected == {"real/config": PARTS["config"]}
    assert paths.links == {"b/.git": "../real"}
    assert paths.origins["real/config"] == frozenset({"a/.git", "b/.git"})


@pytest.mark.parametrize("text", ["gitdir:  ", "elsewhere: ../real", "", "gitdir: ../none"])
def test_a_file_that_leads_nowhere_names_no_repository(root: Path, text: str):
    made(root, {"real/config": "", "a/.git": text})
    paths = found(root, "a/.git", "gone/.git")
    missing = {"none"} if "none" in text else set()
    assert (paths.protected, paths.missing.keys() - {"gone/.git"}) == ({}, missing)


def test_a_link_to_such_a_file_is_protected_with_it(root: Path):
    made(root, {"real/config": "", "file": "gitdir: real", "a/.git": "-> ../file"})
    assert found(root, "a/.git").protected.keys() == {"file", "real/config"}


WORKTREE = {
    "main/.git/config": "",
    "main/.git/HEAD": "",
    "main/.git/worktrees/w/commondir": "../..\n",
    "main/.git/worktrees/w/gitdir": "x",
    "w/.git": "gitdir: ../main/.git/worktrees/w",
}


@pytest.mark.parametrize(
    ("more", "harmless"),
    [
        ({}, True),
        ({"main/.git/worktrees/w/config.worktree": ""}, False),
        ({"main/.git/worktrees/w/modules": None}, False),
        ({"main/.git/worktrees/w/rebase-merge/git-rebase-todo": "exec make"}, False),
        ({"main/.git/worktrees/w/rebase-merge/git-rebase-todo": "pick 1 one"}, True),
    ],
)
def test_a_worktree_that_can_run_nothing_may_be_removed_and_others_may_not(
    root: Path, more: Mapping[str, str | None], harmless: bool
):
    made(root, {**WORKTREE, **more})
    own = "main/.git/worktrees/w"
    paths = found(root, "main/.git", "w/.git", kept=[own])
    assert "main/.git/config" in paths.names
    assert (own in paths.names) is not harmless
    assert ("w/.git" in paths.ends) is harmless
    assert (f"{own}/commondir" in paths.ends) is harmless
    assert (f"{own}/commondir" in paths.names) is not harmless


def test_a_worktree_whose_common_folder_is_another_is_not_harmless(root: Path):
    made(root, {**WORKTREE, "other/config": ""})
    (root / "main/.git/worktrees/w/commondir").write_text("../../../../other")
    paths = found(root, "w/.git")
    assert paths.names.keys() >= {"main/.git/worktrees/w/commondir", "other/config"}
    assert paths.origins["other/config"] == frozenset({"main/.git/worktrees/w/commondir"})


def test_a_folder_that_git_takes_for_a_bare_repository_is_one(root: Path):
    made(root, {"bare/config": "", "bare/HEAD": "", "config": "", "HEAD": ""})
    paths = found(root, bare=["bare", ""])
    assert paths.protected.keys() >= {"bare/config"}
    assert paths.origins["bare/config"] == frozenset({"bare/HEAD"})


def test_the_repository_above_the_workspace_may_keep_parts_in_it(root: Path):
    made(root.parent, {".git": "gitdir: work/inner", "work/inner/config": ""})
    paths = found(root)
    assert paths.protected.keys() == {"inner/config"}
    assert paths.origins["inner/config"] == frozenset({""})


def test_what_a_link_of_a_part_leads_to_is_protected(root: Path):
    made(root, {"mine": None, ".git/hooks": "-> ../mine", ".git/config": "-> ../none"})
    paths = found(root, ".git")
    assert paths.ends == {"mine": NAMED_WHY}
    assert paths.missing == {"none": NAMED_WHY}
    assert paths.links == {".git/hooks": "../mine", ".git/config": "../none"}


@pytest.mark.parametrize(
    ("text", "ends", "missing"),
    [
        ("[core]\nhooksPath = mine", {"mine"}, set()),
        ("[core]\nhooksPath = none", set(), {"none"}),
        ("[include]\npath = ../none.config", set(), {"none.config"}),
        ("[core]\neditor = mine/run -w ./none", {"mine/run"}, {"none"}),
        ("[core]\neditor = run none mine", set(), set()),
        ("[core]\nhooksPath = .", {"pre-commit"}, {"post-commit", "pre-push", "update"}),
        ("[core]\nhooksPath = ..", set(), set()),
    ],
)
def test_what_a_configuration_names_is_protected(
    root: Path, text: str, ends: set[str], missing: set[str]
):
    made(root, {".git/config": text, "mine/run": "", "pre-commit": ""})
    paths = found(root, ".git")
    assert paths.ends.keys() == ends
    assert paths.missing.keys() >= missing
    assert bool(paths.missing) is bool(missing)


@pytest.mark.parametrize("chosen", [None, "", "settings"])
def test_what_the_person_s_own_configuration_names_is_protected_too(
    root: Path, chosen: str | None, monkeypatch: pytest.MonkeyPatch
):
    home = root.parent / "home"
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    if chosen is not None:
        monkeypatch.setenv("XDG_CONFIG_HOME", chosen and str(root.parent / chosen))
    made(root, {".git/HEAD": "", "one": "", "two": "", "three": ""})
    made(home, {".gitconfig": "[a]\nb = ./one", ".config/git/config": "[a]\nb = ./two"})
    made(root.parent, {"settings/git/config": "[a]\nb = ./three"})
    assert found(root, ".git").ends.keys() == {"one", "three" if chosen else "two"}

"""What is protected in a workspace, and what becomes of it when a command makes it."""

import os
import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from plimsoll.tools.files.protected import ENDINGS, NAMES, why_acted_on
from plimsoll.tools.process.confinement.protection import Protection, guard, tree
from plimsoll.tools.process.confinement.protection.staging import STAGED


@pytest.fixture
def work(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "work"
    for folder in (".git/hooks", ".git/refs", ".vscode", "sub/.claude", "build", "node_modules/a"):
        (root / folder).mkdir(parents=True)
    for file in ("AGENTS.md", "sub/deep.txt", "Makefile", "build/Makefile", ".git/config"):
        (root / file).write_text("x")
    (root / ".vscode" / "tasks.json").write_text("x")
    (root / "node_modules" / "a" / ".vscode").mkdir()
    (root / "node_modules" / "a" / ".git").write_text("gitdir: elsewhere")
    return root


def test_what_is_protected(work: Path):
    assert sorted(Protection(work).look().protected) == [
        *(".git", ".git/config", ".git/hooks", ".vscode", "AGENTS.md"),
        *("node_modules/a/.git", "sub/.claude"),
    ]


@pytest.mark.parametrize("is_link", [True, False])
def test_a_repository_that_the_folder_above_keeps_here_is_protected(work: Path, is_link: bool):
    above = work.parent / ".git"
    above.symlink_to(work / "build") if is_link else above.write_text("gitdir: work/build\n")
    (work / "build" / "config").write_text("")
    assert "build/config" in Protection(work).look().protected


def test_what_a_configuration_names_is_protected_too(work: Path):
    for folder in (".githooks", "sub/.git"):
        (work / folder).mkdir()
    (work / "shared").write_text("")
    text = (
        '[core]\n\thooksPath = ".githooks"\n[include] path = ../shared\n[include]\n\tpath = ~/x\n'
    )
    (work / ".git" / "config").write_text(text)
    (work / "sub" / ".git" / "config").write_text("[core]\nhookspath=/etc\n[a]\npath = /gone\n")
    found = Protection(work).look().protected
    assert found.keys() >= {".githooks", "shared"}
    assert not any(path.startswith(("..", "/")) for path in found)


@pytest.mark.parametrize(
    ("name", "text", "end"),
    [
        (".bashrc", "{work}/bashrc", "bashrc"),
        (".gitconfig", "work/sub/deep.txt", "sub/deep.txt"),
        (".bashrc", "{work}/gone/bashrc", "gone/bashrc"),
        (".zshrc", ".config/zshrc", "zshrc"),
        (".config", "{work}", "nvim/init.lua"),
        (".config/app/rc", "../../work/build", "build"),
        (".config/fish/conf.d/a.fish", "{work}/a.fish", "a.fish"),
        (".ssh", "{work}/sub", "sub"),
        (".ssh/config.d", "{work}/link", "Makefile"),
        (".unheard_of", "{work}/build/Makefile", "build/Makefile"),
        (".dotfiles", "{work}", None),
        (".bashrc", "dotfiles/bashrc", None),
        (".cache/x", "{work}/build", None),
        ("project", "{work}/build", None),
    ],
)
def test_where_a_name_of_the_home_ends_is_protected(
    work: Path, name: str, text: str, end: str | None
):
    def ends() -> set[str]:
        found = Protection(work, home).look()
        return {*found.ends, *found.missing}

    home = work.parent
    (work / "link").symlink_to("Makefile")
    before = ends()
    if name == ".zshrc":
        (home / ".config").symlink_to(work)
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).symlink_to(text.format(work=work))
    new = ends() - before
    assert new == set() if end is None else end in new


def make(work: Path, path: str) -> None:
    target = work / path
    if path.endswith("/"):
        target.mkdir(parents=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("made")


@pytest.mark.parametrize(
    ("made", "moved"),
    [
        ([".husky/pre-commit"], [".husky"]),
        ([".git/config.worktree", ".git/commondir"], [".git/commondir", ".git/config.worktree"]),
        (["new/deep/.git/config", "new/other"], ["new/deep/.git"]),
        (["sub/HEAD", "sub/config", "sub/objects/", "sub/refs/"], ["sub/HEAD"]),
        (["HEAD", "config", "objects/", "refs/"], ["HEAD"]),
        (["CLAUDE.md", ".mcp.json", ".envrc"], [".envrc", ".mcp.json", "CLAUDE.md"]),
        (["node_modules/b/.git/config", "node_modules/b/.vscode/x"], ["node_modules/b/.git"]),
        (["package.json", "sub/Makefile", "Cargo.toml", "vite.config.ts", "node_modules/x"], []),
        (["sub/eslint.config.mjs", "Sub/.PYLINTRC"], ["Sub/.PYLINTRC", "sub/eslint.config.mjs"]),
        (["a/b/plain.txt", ".git/refs/heads/main", ".git/index"], []),
    ],
)
def test_what_is_new_of_it_is_moved_aside(work: Path, made: list[str], moved: list[str]):
    aside = work.parent / "aside"
    watching = guard(Protection(work), aside)
    for path in made:
        make(work, path)
    told = watching.settle()
    assert [str(one.path.relative_to(work)) for one in told] == moved
    assert not any(os.path.lexists(one.path) for one in told)
    assert all(os.path.lexists(one.place) and aside in one.place.parents for one in told)
    assert watching.settle() == ()


def test_what_was_there_stays(work: Path):
    watching = guard(Protection(work), work.parent / "aside")
    (work / "AGENTS.md").write_text("changed by a person meanwhile")
    assert watching.settle() == ()


def test_a_folder_that_was_closed_is_looked_through(work: Path):
    watching = guard(Protection(work), work.parent / "aside")
    (work / "shut" / ".git").mkdir(parents=True)
    (work / "shut").chmod(0)
    try:
        assert [one.path.name for one in watching.settle()] == [".git"]
    finally:
        (work / "shut").chmod(0o700)


def test_a_link_in_place_of_a_folder_is_not_followed(work: Path):
    elsewhere = work.parent / "elsewhere"
    (elsewhere / ".git").mkdir(parents=True)
    watching = guard(Protection(work), work.parent / "aside")
    (work / "link").symlink_to(elsewhere)
    assert watching.settle() == ()
    (work / ".husky").symlink_to(elsewhere)
    assert [one.path for one in watching.settle()] == [work / ".husky"]
    assert (elsewhere / ".git").is_dir()


def test_a_protected_link_is_put_back(work: Path):
    (work / ".cursorrules").symlink_to("AGENTS.md")
    watching = guard(Protection(work), work.parent / "aside")
    (work / ".cursorrules").unlink()
    (work / ".cursorrules").write_text("other")
    assert [one.path.name for one in watching.settle()] == [".cursorrules"]
    assert (work / ".cursorrules").readlink() == Path("AGENTS.md")


@pytest.mark.parametrize("watch", [True, False])
def test_a_folder_is_listed_again_only_when_it_changed(
    work: Path, monkeypatch: pytest.MonkeyPatch, watch: bool
):
    protection = Protection(work, work.parent, watch=watch)
    listed: list[str] = []
    real = os.scandir

    def listing(path: str) -> Iterator[os.DirEntry[str]]:
        # Whether these are empty is looked at each time.
        if str(path).startswith(str(work)):
            listed.extend({str(path)} - {str(work / name) for name in STAGED})
        return real(path)

    # Change times would have to be old enough.
    monkeypatch.setattr(tree, "TICK_NANOSECONDS", -(10**18))
    monkeypatch.setattr(os, "scandir", listing)
    first = protection.look()
    assert len(listed) == 9
    listed.clear()
    assert protection.look() == first
    assert listed == []
    (work / "build" / "deep").mkdir()
    (work / ".git" / "refs" / "deep").mkdir()
    assert protection.look() == first
    changed = [path for at in (".git/refs", "build") for path in (work / at, work / at / "deep")]
    assert sorted(listed) == [str(path) for path in changed]


def test_what_a_person_accepted_stays_with_all_in_it_and_nothing_beside_it(work: Path):
    watching = guard(Protection(work), work.parent / "aside")
    for path in ("new/.git/config", "new/.git/hooks/", "other/.git/config", ".husky/pre-commit"):
        make(work, path)
    watching.accept([work / "new/.git", work / ".husky/pre-commit"])
    assert [str(one.path.relative_to(work)) for one in watching.settle()] == ["other/.git"]


def test_every_name_on_which_a_program_acts_is_moved_aside_and_no_build_file_is(work: Path):
    watching = guard(Protection(work), work.parent / "aside")
    names = {name.upper() if name.endswith(".md") else name for name in NAMES}
    names |= {f"x{ending}" for ending in ENDINGS}
    acting = {name for name in names if why_acted_on(name) is not None}
    for name in names:
        make(work, f"new/deep/{name}")
    assert {one.path.name for one in watching.settle()} == acting
    assert {path.name for path in (work / "new/deep").iterdir()} == names - acting


def test_a_folder_in_the_place_of_one_that_was_made_at_once_is_another(
    work: Path, monkeypatch: pytest.MonkeyPatch
):
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        # As of folders that were made within a tick of the kernel's clock.
        found = list(real(path))
        return os.stat_result(found, {"st_ctime_ns": 1})

    monkeypatch.setattr(os, "lstat", lstat)
    for name in ("venv/a/.vscode", "src/a/b"):
        (work / name).mkdir(parents=True)
    watching = guard(Protection(work, watch=False), work.parent / "aside")
    (work / "src").rename(work / "other")
    (work / "venv").rename(work / "src")
    (work / "src" / "a" / ".vscode" / "tasks.json").write_text("x")
    (work / "other").rename(work / "venv")
    assert [str(one.path.relative_to(work)) for one in watching.settle()] == ["src/a/.vscode"]


def test_a_program_that_path_would_find_first_is_moved_aside_or_said(work: Path):
    tools = work.parent / "tools"
    folders = ("bin", "link/../.venv/bin", "env/bin", "node_modules/.bin")
    for folder in (tools, *(work / name for name in ("bin", ".venv/bin", "env/bin"))):
        folder.mkdir(parents=True)
    for name in ("git", "python3"):
        (tools / name).symlink_to("/usr/bin/env")
    (tools / "pytest").write_text("#!/bin/sh")
    for path in (tools / "pytest", work / "bin" / "git", work / "env/bin/activate"):
        path.write_text("#!/bin/sh")
        path.chmod(0o755)
    (work / "link").symlink_to("bin")
    entries = (*(f"{work}/{folder}" for folder in folders), "", "late", str(tools), "bin")
    search_path = os.pathsep.join(entries)
    watching = guard(Protection(work, work.parent, search_path), work.parent / "aside")
    # What stands in front already stays as it is; a package may change what it brought.
    assert watching.before["bin/git"] == f"PATH finds it before {tools}/git"
    for folder in ("bin", ".venv/bin", "env/bin", "node_modules/.bin"):
        for name in ("git", "python3", "pytest", "other"):
            make(work, f"{folder}/{name}") if not (work / folder / name).exists() else None
    assert [str(one.path.relative_to(work)) for one in watching.finish()] == [
        *(".venv/bin/git", "bin/pytest", "bin/python3", "env/bin/git", "node_modules/.bin/git"),
    ]
    (line,) = watching.describe_left_behind()
    assert line.partition("names: ")[2] == (
        ".venv/bin/pytest, .venv/bin/python3, env/bin/pytest, env/bin/python3, "
        "node_modules/.bin/pytest and 1 more"
    )
    assert guard(Protection(work), work.parent).describe_left_behind() == ()


RACING = (".vscode", ".envrc", "sub/.husky", "sub/late/.git", "CLAUDE.md", "sub/HEAD")


def act_as(chosen: random.Random, work: Path) -> None:
    path, other = (work / name for name in chosen.choices((*RACING, ".cursorrules"), k=2))
    acts = {
        "folder": lambda: (path.mkdir(parents=True), (path / "objects").mkdir()),
        "file": lambda: path.write_text("x"),
        "link": lambda: path.symlink_to(work.parent / "out"),
        "remove": path.unlink,
        "rename": lambda: path.rename(other),
        "away": lambda: (work / "sub").rename(work / "bus"),
        "back": lambda: (work / "bus").rename(work / "sub"),
        "close": lambda: (work / "sub").chmod(chosen.choice((0o000, 0o700))),
    }
    with suppress(OSError):
        acts[chosen.choice(list(acts))]()


@pytest.mark.slow
def test_what_goes_on_writing_while_it_is_settled_gets_nothing_through(work: Path):
    out = work.parent / "out"
    out.mkdir()
    (work / ".cursorrules").symlink_to("AGENTS.md")
    over = threading.Event()

    def race(seed: int) -> None:
        chosen = random.Random(seed)
        while not over.is_set():
            act_as(chosen, work)

    watching = guard(Protection(work, work.parent), work.parent / "aside")
    racers = [threading.Thread(target=race, args=(seed,)) for seed in range(3)]
    for racer in racers:
        racer.start()
    try:
        moved = [one for _ in range(12) for one in watching.settle()]
    finally:
        over.set()
        for racer in racers:
            racer.join()
    watching.finish()
    if (work / "bus").exists():
        (work / "bus").chmod(0o700)
    assert moved
    assert Protection(work, work.parent, watch=False).look().names.keys() <= watching.before.keys()
    assert (work / ".cursorrules").readlink() == Path("AGENTS.md")
    # Nothing but what a racer itself made there, through a link that another one had put.
    assert {path.name for path in out.iterdir()} <= {"objects"}


def test_new_links_that_lead_out_are_said(work: Path):
    (work / "old").symlink_to("/etc/passwd")
    (work / "turned").symlink_to("sub")
    watching = guard(Protection(work), work.parent / "aside")
    made = {
        "out.js": "../.bashrc",
        "sub/round": "../sub/../../gone",
        "within": "sub/deep.txt",
        "turned/../chained": "old",
        "circle": "circle",
        "node_modules/a/b": "/etc",
        ".envrc": "/etc/hosts",
        "build/line\nbreak": "/etc",
    }
    for path, text in made.items():
        (work / path).symlink_to(text)
    (work / "turned").unlink()
    (work / "turned").symlink_to("/etc")
    assert [one.path.name for one in watching.finish()] == [".envrc"]
    (line,) = watching.describe_left_behind()
    told = line.partition(" writes there: ")[2].split(", ")
    out = work.parent
    assert sorted(told) == [
        "build/line\N{RETURN SYMBOL}break -> /etc",
        "chained -> /etc/passwd",
        f"out.js -> {out}/.bashrc",
        f"sub/round -> {out}/gone",
        "turned -> /etc",
    ]

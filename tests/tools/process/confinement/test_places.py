"""Which folders a confined command sees, whole, and which variables lead to its caches."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.caches import cache_variables
from plimsoll.tools.process.confinement.landlock import Landlock, readable, writable
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.confinement.places import LIBRARIES, places
from plimsoll.tools.process.confinement.seatbelt import PROGRAM, Seatbelt, profile
from plimsoll.tools.process.confinement.seen.closed import ClosedPaths
from plimsoll.tools.process.confinement.worktree import Worktree, worktree_of

SECRET = "//registry/:_authToken=0123456789abcdef0123456789abcdef\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = Path(os.path.realpath(tmp_path)) / "home"
    for folder in (".ssh", ".cargo/bin", "tool/bin", "own/bin", ".config/pip", "work", "data"):
        (home / folder).mkdir(parents=True)
    (home / "own" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    for name, text in (
        (".gitconfig", "[user]\nname = A\n"),
        (".npmrc", f"fund=false\n{SECRET}audit=false\n"),
        (".cargo/credentials.toml", SECRET),
        (".config/pip/pip.conf", "[global]\nindex-url = https://example.org/simple\n"),
    ):
        (home / name).write_text(text)
    return home


def test_a_home_shows_its_tools_alone(home: Path):
    access = Access(root=home / "work", home=home, caches=home / "data/c", hidden=(home / "data",))
    environment = {"PATH": f"{home}/tool/bin:{home}/work/bin:relative:/usr/bin"}
    found = places(access, environment, ClosedPaths())
    ours = [path for path in found.hidden if home in (path, *path.parents)]
    assert ours == [home, home / "data"]
    assert {Path("/tmp"), Path("/var/tmp")} <= set(found.hidden)
    assert {path for path in found.shown if home in path.parents} == {
        *(home / name for name in (".cargo", ".config/pip", ".gitconfig", "own", "tool")),
    }
    assert [path for path in found.masked if home in path.parents] == [
        home / ".cargo/credentials.toml"
    ]


@pytest.mark.parametrize(("folder", "hidden"), [("tool/run", True), ("work", False)])
def test_sockets_of_the_person_are_hidden_unless_the_work_is_there(home, folder, hidden):
    (home / folder).mkdir(exist_ok=True)
    access = Access(root=home / "work", home=home, caches=home / "data/c")
    environment = {"PATH": f"{home}/tool/bin", "XDG_RUNTIME_DIR": str(home / folder)}
    assert (home / folder in places(access, environment, ClosedPaths()).hidden) is hidden


def test_sockets_beside_the_work_stay_where_hiding_them_would_hide_the_work(home: Path):
    (home / "run/work").mkdir(parents=True)
    access = Access(root=home / "run/work", home=home, caches=home / "data/c")
    environment = {"PATH": "", "XDG_RUNTIME_DIR": str(home / "run")}
    assert home / "run" not in places(access, environment, ClosedPaths()).hidden


def test_a_closed_folder_that_holds_the_workspace_is_empty_but_for_it(home: Path):
    closed = home.parent / "jdk" / "closed"
    (closed / "work").mkdir(parents=True)
    closed.chmod(0o700)
    access = Access(root=closed / "work", home=home, caches=home / "data/c")
    found = places(access, {"JAVA_HOME": str(closed.parent)}, ClosedPaths())
    # What is hidden is laid over before the workspace is shown, what is masked after it.
    assert closed in found.hidden
    assert closed not in found.masked


def test_landlock_shows_a_tool_beside_its_credentials(home: Path):
    access = Access(root=home / "work", home=home, caches=home / "data/c")
    found = set(readable(access, places(access, {"PATH": f"{home}/tool/bin"}, ClosedPaths())))
    assert {path for path in found if home in path.parents} == {
        *(home / name for name in (".cargo/bin", ".config/pip", ".gitconfig", "own", "tool")),
    }
    assert not found & {home, *home.parents}


@pytest.mark.parametrize(("network", "sockets"), [(False, True), (True, False)])
def test_the_rules_of_landlock_are_those_of_the_access(home: Path, network: bool, sockets: bool):
    access = Access(
        root=home / "work",
        home=home,
        caches=home / "data/c",
        readable=(home / "own",),
        writable=(home / "tool",),
        network=network,
        unix_sockets=sockets,
    )
    environment = {"PATH": "/usr/bin"}
    limits = CommandLimits(memory_bytes=9, temporary_bytes=7, processes=3, disk_bytes=5)
    confined = Landlock(environment=environment, limits=limits).confine(("a", "b"), access)
    rules = json.loads(confined.rules or "")
    written = {*map(str, writable(access))}
    assert {str(path) for path in (access.root, access.caches, home / "tool")} <= written
    assert {"/tmp", "/dev/null"} <= written
    assert str(home / "own") not in written
    folders = sorted(path for path in written if Path(path).is_dir())
    seen = readable(access, places(access, environment, ClosedPaths()))
    assert confined.arguments == ("a", "b")
    assert rules == {
        "limits": {"memory": 9, "processes": 3, "disk": 5, "folders": folders},
        "harden": True,
        "network": network,
        "unix_sockets": sockets,
        "landlock": {
            "network": network,
            "readable": sorted(map(str, seen)),
            "writable": sorted(written),
        },
        "variables": dict(cache_variables(access.caches, home, network=network)),
    }
    assert str(home / "own") in rules["landlock"]["readable"]


def test_under_landlock_a_program_that_only_reads_writes_nothing(tmp_path: Path):
    found = Landlock(environment={}).read_only(("a",), (tmp_path,))
    paths = sorted(map(str, (*LIBRARIES, tmp_path)))
    assert found.arguments == ("a",)
    assert found.rules == {
        "harden": True,
        "network": False,
        "landlock": {"files": True, "network": False, "readable": paths, "writable": []},
    }


@pytest.fixture
def worktree(home: Path) -> Path:
    """A repository's linked worktree beside it."""
    own = home / "main/.git/worktrees/w"
    for folder in (own, home / "main/.git/objects", home / "main/.git/refs"):
        folder.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{home}/work/.git\n")
    (home / "work/.git").write_text(f"gitdir: {own}\n")
    return own


def test_a_commit_in_a_linked_worktree_writes_in_its_repository(home: Path, worktree: Path):
    (worktree / "modules").mkdir()
    common = home / "main/.git"
    (common / "logs").symlink_to("refs")
    found = worktree_of(home / "work")
    assert found == Worktree(worktree, common)
    assert found.written == (worktree, common / "objects", common / "refs")
    assert found.kept == (worktree / "commondir", worktree / "gitdir", worktree / "modules")
    assert found.forbidden == (worktree / "config.worktree",)
    committing = Access(root=home / "work", home=home, caches=home / "data/c", commits=True)
    assert {*found.written} <= {*writable(committing)}
    assert not {*found.written} & {*writable(replace(committing, commits=False))}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("work/.git", "gitdir: {home}/none"),
        ("work/.git", "\0"),
        ("main/.git/worktrees/w/gitdir", "{home}/tool/.git"),
        ("main/.git/worktrees/w/commondir", "."),
        ("main/.git/worktrees/w/commondir", "{home}/tool"),
    ],
)
def test_a_repository_that_does_not_list_the_folder_is_not_opened(
    home: Path, worktree: Path, name: str, text: str
):
    assert worktree_of(home / "work") is not None
    (home / name).write_text(text.format(home=home))
    assert worktree_of(home / "work") is None


def test_a_repository_that_lies_in_the_folder_is_not_opened_as_one_outside(home: Path):
    own = home / "work/main/worktrees/w"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..")
    (own / "gitdir").write_text(f"{home}/work/.git")
    (home / "work/.git").write_text(f"gitdir: {own}")
    assert worktree_of(home / "work") is None


def test_no_home_lies_in_a_workspace(home: Path):
    for root in (home, home.parent):
        with pytest.raises(ToolFailed, match="your home folder lies in it"):
            places(Access(root=root, home=home, caches=home / "data"), {}, ClosedPaths())


USUAL = {
    "XDG_CACHE_HOME": "xdg",
    "PIP_CACHE_DIR": "pip",
    "UV_CACHE_DIR": "uv",
    "npm_config_cache": "npm",
    "YARN_CACHE_FOLDER": "yarn",
    "GOCACHE": "go-build",
    "CCACHE_DIR": "ccache",
    "SCCACHE_DIR": "sccache",
    "NUGET_HTTP_CACHE_PATH": "nuget",
    "CARGO_HOME": "cargo",
    "GOMODCACHE": "go-mod",
    "GRADLE_USER_HOME": "gradle",
}


@pytest.mark.parametrize(
    ("there", "network", "without"),
    [
        ((), False, set()),
        # What was downloaded into the home folder is read there, as long as nothing else has any.
        ((".cargo/registry",), False, {"CARGO_HOME"}),
        ((".cargo/registry", "go/pkg/mod/cache"), False, {"CARGO_HOME", "GOMODCACHE"}),
        ((".cargo/registry",), True, set()),
        ((".cargo/registry", "data/c/cargo/registry"), False, set()),
    ],
)
def test_caches_of_its_own(home: Path, there: tuple[str, ...], network: bool, without: set[str]):
    for folder in there:
        (home / folder).mkdir(parents=True)
    caches = home / "data" / "c"
    assert dict(cache_variables(caches, home, network=network)) == {
        name: str(caches / folder) for name, folder in USUAL.items() if name not in without
    }


def test_the_profile_of_macos():
    access = Access(
        root=Path("/w"),
        home=Path("/h"),
        caches=Path("/h/c"),
        writable=(Path('/a "b\\'),),
        readable=(Path("/r"),),
        hidden=(Path("/h/data"),),
    )
    lines = list(profile(access, (".git", ".git/config"), {".git"}))
    unseen = [
        line for line in lines if line.startswith('(deny file-read* file-write* (subpath "/h')
    ]
    assert unseen[0] == '(deny file-read* file-write* (subpath "/h/.ssh"))'
    assert unseen[-1] == '(deny file-read* file-write* (subpath "/h/data"))'
    assert [line for line in lines if line not in unseen] == [
        *("(version 1)", "(allow default)", "(deny file-write*)"),
        *('(allow file-write* (subpath "/w"))', '(allow file-write* (subpath "/h/c"))'),
        '(allow file-write* (subpath "/a \\"b\\\\"))',
        '(allow file-write* (subpath "/private/tmp"))',
        '(allow file-write* (subpath "/private/var/tmp"))',
        '(allow file-write* (subpath "/private/var/folders"))',
        '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
        *('(allow file-read* (subpath "/h/c"))', '(allow file-read* (subpath "/r"))'),
        '(allow file-read* (subpath "/w"))',
        '(deny file-write* (literal "/w/.git"))',
        '(deny file-write* (subpath "/w/.git/config"))',
        *("(deny network*)", "(deny signal (target others))"),
    ]
    # Of rules that match, the last one counts: a cache in a hidden folder can be read.
    assert lines.index(unseen[-1]) < lines.index('(allow file-read* (subpath "/h/c"))')
    assert "(deny network*)" not in profile(
        Access(root=Path("/w"), home=Path("/h"), caches=Path("/h/c"), network=True), ()
    )


def test_on_macos_a_program_that_only_reads_has_a_profile_that_denies_the_rest():
    """What the profile does is not tried here."""
    asked = ("look", "here")
    program, option, text, *command = Seatbelt(environment={}).read_only(asked, ()).arguments

    assert (program, option, command) == (str(PROGRAM), "-p", [*asked])
    for denied in ("file-write*", "network*", "process-fork"):
        assert f"(deny {denied})" in text

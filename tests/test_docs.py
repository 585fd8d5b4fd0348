"""The map leads somewhere: every path, test, name and link of the documents is there."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from plimsoll.lsp.wire.methods import METHODS
from plimsoll.settings.kinds import FREE, KINDS, SECTIONS

ROOT = Path(__file__).parents[1]
ROOTS = (
    ROOT,
    ROOT / "server/plimsoll",
    ROOT / "client-vscode/src",
    ROOT / "client-vscode",
    ROOT / "tests",
)
"""Where a path of the documents may begin."""
MAPS = [
    "docs/architecture.md",
    "docs/where.md",
    "docs/glossary.md",
    "CONTRIBUTING.md",
]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))]
SOURCES = ("server", "tests", "scripts", "client-vscode/src", "client-vscode/test")
MADE = ("build/", "client-vscode/dist", "client-vscode/node_modules", ".venv")
"""What a command makes, and no checkout holds."""
ELSEWHERE = {"AGENTS.md", "SKILL.md", "config.toml", ".mcp.json"} | {
    *("pyrightconfig.json", "ruff.toml", "biome.json", "tasks.py"),
}
"""Files of other folders."""

SPAN = re.compile(r"```.*?```|`([^`\n]+)`", re.DOTALL)
FENCE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
FILE = re.compile(r"[\w./-]+\.(?:py|ts|mjs|md|json|toml|lock|sh|css)")
NAME = re.compile(r"(?:[A-Z][a-z]\w+|[a-z]+_\w+)(?:\.\w+)*(?:\(\))?")
PLACE = re.compile(
    r"`(?P<file>[^`\s]+\.(?:py|ts))` \(`(?P<name>\w+)`\)"
    r"|`(?P<inside>\w+)` (?:in |\()`(?P<of>[^`\s]+\.(?:py|ts))`"
)
"""A name and the file that has it: "`a.py` (`name`)", "`name` in `a.py`", "`name` (`a.py`)"."""
PUBLISHED = re.compile(r"""install\s+(?:-\S+\s+)*['"]?plimsoll|plimsoll-lsp\[""")
"""An advice that would have a package manager look for us by name."""
WRITTEN = {".py", ".ts", ".md", ".json", ".toml", ".sh", ".mjs"}
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)[^)\s]*\)")


ACTING = re.compile(r"<!-- acting names -->.*?<!-- end of acting names -->", re.DOTALL)
"""The names on which programs act: they too are files of other folders."""


def text(page: str) -> str:
    return ACTING.sub("", (ROOT / page).read_text("utf-8"))


def words(page: str) -> Iterator[str]:
    """Every word that stands as code."""
    found = [match[1] for match in SPAN.finditer(text(page)) if match[1]]
    for piece in [*found, *FENCE.findall(text(page))]:
        yield from (word.strip("'\",;()") for word in piece.split())


def is_path(word: str) -> bool:
    """Whether it names something of the repository; NAME and NNNN stand for what is yet to be."""
    if (
        word in ELSEWHERE
        or re.search(r"NAME|NNNN|[*<>{}$=…:]", word)
        or word.startswith(("/", "../", *MADE))
    ):
        return False
    first = word.split("/", maxsplit=1)[0]
    folder = "/" in word and any((root / first).is_dir() for root in ROOTS)
    return folder or FILE.fullmatch(word) is not None


@cache
def file_names() -> frozenset[str]:
    return frozenset(path.name for folder in ROOTS[1:3] for path in folder.rglob("*.*"))


def is_there(path: str) -> bool:
    return any((root / path).exists() for root in ROOTS) or path in file_names()


@cache
def known_words() -> frozenset[str]:
    """Every word of the sources."""
    paths = (path for folder in SOURCES for path in (ROOT / folder).rglob("*"))
    sources = (
        path for path in paths if path.suffix in {".py", ".ts", ".sh"} and "e2e" not in path.parts
    )
    return frozenset(
        word
        for path in sources
        if path != Path(__file__)
        for word in re.findall(r"\w+", path.read_text("utf-8"))
    )


def is_test(named: str) -> bool:
    """Whether there is a test of this path and name, below ``tests`` unless it is the client's."""
    path, _, name = named.partition("::")
    file = ROOT / path if path.startswith("client-vscode/") else ROOT / "tests" / path
    return file.is_file() and (not name or f"def {name}(" in file.read_text("utf-8"))


@pytest.mark.parametrize("page", [*MAPS, "docs/security.md"])
def test_every_path_is_there(page: str):
    paths = {word for word in words(page) if "::" not in word and is_path(word)}
    assert sorted(path for path in paths if not is_there(path)) == []
    assert len(paths) > 10


def test_a_row_is_one_behaviour():
    rows = [line for line in text("docs/where.md").splitlines() if line.startswith("| ")]
    assert [row for row in rows if "; " in row] == []
    assert len(rows) > 300


@pytest.mark.parametrize("page", MAPS)
def test_every_test_that_is_named_is_there(page: str):
    named = {tuple(word.split("::")) for word in words(page) if "::" in word}
    missing = [
        f"{path}::{name}"
        for path, name in sorted(named)
        if not (ROOT / path).is_file() or f"def {name}(" not in text(path)
    ]
    assert missing == []


REQUIREMENTS = "docs/requirements.md"
HEADS = {"| asked for", "| ---"}


def test_each_requirement_names_a_test_that_is_there():
    rows = [row.split(" | ") for row in text(REQUIREMENTS).splitlines() if row.startswith("| ")]
    told = {row[0]: re.findall(r"`([^`]+)`", row[-1]) for row in rows if row[0] not in HEADS}
    assert len(told) > 55
    assert [asked for asked, named in told.items() if not named] == []
    tests = {name for named in told.values() for name in named}
    assert sorted(name for name in tests if not is_test(name)) == []


def test_the_packages_and_the_top_level_are_those_that_were_asked_for():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    declared = {re.split(r"\W", each)[0] for each in project["dependencies"]}
    assert {"pygls", "lsprotocol", "tiktoken", "aiosqlite", "httpx", "pydantic"} <= declared
    top = {"pyproject.toml", "README.md", "server", "client-vscode", "tests", "docs", "scripts"}
    assert sorted(name for name in top if not (ROOT / name).exists()) == []


@pytest.mark.parametrize("page", MAPS)
def test_every_name_is_one_of_the_sources(page: str):
    names = {word for word in words(page) if NAME.fullmatch(word) and not FILE.fullmatch(word)}
    missing = [name for name in sorted(names) if not set(re.findall(r"\w+", name)) <= known_words()]
    assert missing == []


@pytest.mark.parametrize("page", MAPS)
def test_every_name_stands_in_the_file_that_is_told(page: str):
    told = [(m["file"] or m["of"], m["name"] or m["inside"]) for m in PLACE.finditer(text(page))]
    files = {path: root / path for path, _ in told for root in ROOTS if (root / path).is_file()}
    missing = [
        (path, name)
        for path, name in told
        if path not in files or not re.search(rf"\b{name}\b", files[path].read_text("utf-8"))
    ]
    assert missing == []
    assert told != []


@pytest.mark.parametrize("page", MAPS)
def test_every_method_and_setting_is_there(page: str):
    methods = {word for word in words(page) if re.fullmatch(r"plimsoll/[\w/]+", word)}
    dotted = {tuple(word.split(".")) for word in words(page) if re.fullmatch(r"\w+\.\w+", word)}
    settings = {path for path in dotted if path[0] in SECTIONS and path[1] != "py"}
    assert sorted(methods - METHODS.keys()) == []
    assert sorted(settings - KINDS.keys() - FREE.keys()) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file(page: str):
    links = LINK.findall(text(page))
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


CASES = 38


def test_every_case_of_a_model_names_a_test_or_is_open():
    rows = re.findall(r"^\| (\d+)\. .*\| (.+) \|$", text("docs/models.md"), re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, CASES + 1))
    held = [cell for _, cell in rows if cell != "open"]
    missing = [cell for cell in held if not names_a_test(cell)]
    assert missing == []
    assert held != []


def names_a_test(cell: str) -> bool:
    """Whether each `file::name` of a cell, below `tests/`, is a test that is there."""
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", cell)
    tests = ((ROOT / "tests" / file, name) for file, name in named)
    return bool(named) and all(
        file.is_file() and f"def {name}(" in file.read_text("utf-8") for file, name in tests
    )


def test_each_decision_has_a_number_of_its_own_which_its_title_begins_with():
    files = sorted((ROOT / "docs/decisions").glob("*.md"))
    assert [file.name[:4] for file in files] == [f"{n:04}" for n in range(1, len(files) + 1)]
    for file in files:
        assert file.read_text("utf-8").startswith(f"# {file.name[:4]}: "), file.name


def test_no_advice_installs_a_name_from_an_index_that_anybody_could_take():
    """Nothing of Plimsoll is published: what is installed comes from the checkout."""
    folders = ("server", "client-vscode/src", "docs", "scripts")
    pages = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    pages += [ROOT / "client-vscode/package.json", *ROOT.glob("*.md"), ROOT / "pyproject.toml"]
    written = [path for path in pages if path.suffix in WRITTEN]
    found = [str(path) for path in written if PUBLISHED.search(path.read_text("utf-8"))]
    assert found == []
    assert len(written) > 500

from pathlib import Path

import pytest

from plimsoll.tools.files.protected import (
    BUILD,
    ENDINGS,
    NAMES,
    TABLE,
    why_acted_on,
    why_protected,
)
from recordings.beside import OTHERS, of_others

ROOT = Path(__file__).parents[3]
ORDINARY = {
    *("tools/bazel", "pyrightconfig.json", ".dockerignore", "tasks.py", "WORKSPACE", ".hgrc"),
}
"""Names of the list that were looked at: nothing is run by them, or they are code like any."""

EXAMPLES = [
    (".envrc", "a shell runs it"),
    ("package.json", "building, testing or installing runs what it says"),
    ("sub/Package.JSON", "building, testing or installing runs what it says"),
    ("tests/conftest.py", "building, testing or installing"),
    ("sub/SiteCustomize.py", "an interpreter or debugger runs it unasked"),
    (".eslintrc.cjs", "checkers and language servers load code or programs by it"),
    ("node_modules/a/index.js", "building, testing or installing"),
    (".husky/pre-commit", "git runs hooks"),
    (".mcp.json", "agents take orders or tools from it"),
    (".github/workflows/ci.yml", "a service runs what it says"),
    ("docs/AGENTS.md", "agents take orders"),
    ("CLAUDE.md", "agents take orders"),
    ("Makefile", "building, testing or installing"),
    ("setup.py", "building, testing or installing"),
    ("pyproject.toml", "building, testing or installing"),
    (".vscode/tasks.json", "the editor runs tasks"),
    (".git/hooks/pre-commit", "git runs hooks"),
    ("GIT~1/config", "git runs hooks"),
    ("my.code-workspace", "the editor runs tasks"),
    ("vite.config.ts", "building, testing or installing"),
]


@pytest.mark.parametrize(("path", "why"), EXAMPLES)
def test_what_can_make_something_run_later_is_asked_about_each_time(path, why, root, prepare):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    asked = [prepare("file_write", path=path, content="x\n") for _ in range(2)]
    assert asked[0].approval != asked[1].approval
    assert all(intent.ask and why in intent.why_each_time for intent in asked)
    assert str(file.relative_to(root).parts[-1]) in asked[0].title


@pytest.mark.parametrize("path", ["src/main.py", "README.md", "package.json.md", "config.ts"])
def test_an_ordinary_file_may_be_allowed_for_the_session(path, root, prepare):
    asked = [prepare("file_write", path=path, content="x\n") for _ in range(2)]
    assert asked[0].approval == asked[1].approval
    assert asked[0].why_each_time is None


def test_a_link_to_a_protected_name_is_protected_too(root, prepare):
    (root / "real.txt").write_text("x\n")
    (root / ".envrc").symlink_to("real.txt")
    assert prepare("file_write", path="real.txt", content="y\n").why_each_time is not None


def test_names_are_lower_case():
    assert all(why_protected((name.upper(),)) for name in NAMES)
    assert all(why_protected((f"x{ending}".upper(),)) for ending in ENDINGS)


def test_each_row_says_who_acts_and_where_that_is_written():
    rows = [row for rows in TABLE.values() for row in rows]
    assert [row for row in rows if not (row.who and row.source and row.names)] == []
    names = [name for row in rows for name in row.names]
    assert [name for name in names if names.count(name) > 1] == []
    assert [name for name in names if name != name.casefold() or "/" in name[:-1]] == []


@pytest.mark.parametrize("page", ["security", "settings"])
def test_the_documentation_lists_every_name(page):
    told = (ROOT / f"docs/{page}.md").read_text("utf-8")
    assert [
        name for name in (*NAMES, *ENDINGS) if f"`{name}`" not in told and f"`{name}/`" not in told
    ] == []


@pytest.mark.parametrize(
    "name",
    [
        ".VSCODE",
        "Git~1",
        ".eslintrc.JS",
        ".vs\u200bcode",
        "\uff0eenvrc",
        ".git. .",
        ".Claude::$DATA",
    ],
)
def test_a_name_acts_in_each_form_that_a_file_system_takes_for_it(name):
    assert why_acted_on(name) is not None


@pytest.mark.parametrize(
    "name", ["package.json", "Makefile", "conftest.py", "go.mod", "x.config.ts"]
)
def test_a_build_file_is_asked_about_and_not_kept_from_commands(name):
    assert why_protected((name,)) == f"{name}: {BUILD}"
    assert why_acted_on(name) is None


def test_the_folders_that_act_at_once():
    rows = [row for rows in TABLE.values() for row in rows if row.when == "at once"]
    names = [name for row in rows for name in row.names]
    found = [name.removesuffix("/") for name in names if name.endswith("/")]
    assert {".git", ".vscode", ".idea", ".claude", ".cursor"} <= set(found)
    assert not {"node_modules", ".github", ".yarn"} & set(found)
    assert [name for name in found if why_acted_on(name) is None] == []


@of_others
def test_each_name_of_the_list_was_judged():
    lines = (OTHERS / "acting-names.txt").read_text("utf-8").splitlines()
    names = [line for line in lines if line and not line.startswith("#")]
    unknown = {name for name in names if why_protected(tuple(name.split("/"))) is None}
    assert unknown == ORDINARY

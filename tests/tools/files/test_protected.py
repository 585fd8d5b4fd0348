from pathlib import Path

import pytest

from plimsoll.tools.files.protected import ENDINGS, NAMES, why_protected

EXAMPLES = [
    (".envrc", "a shell runs it"),
    ("package.json", "building, testing or installing runs what it says"),
    ("sub/Package.JSON", "building, testing or installing runs what it says"),
    ("tests/conftest.py", "Python runs it unasked"),
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


def test_the_documentation_lists_every_name():
    told = (Path(__file__).parents[3] / "docs/settings.md").read_text("utf-8")
    assert [name for name in (*NAMES, *ENDINGS) if f"`{name}`" not in told] == []


def test_names_are_lower_case():
    assert all(why_protected((name.upper(),)) for name in NAMES)

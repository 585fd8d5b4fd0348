"""What the project does and where it starts, from what every project has at its top."""

from pathlib import Path

import pytest

from plimsoll.providers.embedded.overview import telling_files, telling_lines
from plimsoll.providers.embedded.places import SourceLine
from providers.embedded.workspace import Conversation, lay_out, searching_tools

QUESTION = "What does this project do, and where does it start?"
FILES = {
    "README.md": "[![badge](x)](y)\n\n# Ledger\n\nLedger sums what is **owed**.\n",
    "pyproject.toml": "[project]\nname = 'ledger'\ndescription = 'Sums'\n\n[project.scripts]\n"
    "ledger = 'ledger.cli:run'\n\n[[tool]]\nname = 'other'\n",
    "src/ledger/__main__.py": "from .cli import run\n\nrun()\n",
    "src/ledger/cli.py": "import sys\n\n\ndef helper():\n    return 1\n\n\ndef main():\n    pass\n",
    "tests/app.py": "def main():\n    pass\n",
    "examples/app.py": "def main():\n    pass\n",
}


@pytest.fixture
def talk(tmp_path: Path) -> Conversation:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Conversation(root=tmp_path)


@pytest.mark.parametrize(
    "question", [QUESTION, "What is this repository?", "Where does the program start?"]
)
async def test_readme_manifest_and_entry_points_answer(talk: Conversation, question: str):
    answer = await talk.ask(question)
    quoted = [line[2:] for line in answer.splitlines() if line.startswith("- ")]
    assert quoted == [
        "`README.md:3` `# Ledger`",
        "`README.md:5` `Ledger sums what is **owed**.`",
        "`pyproject.toml:2` `name = 'ledger'`",
        "`pyproject.toml:3` `description = 'Sums'`",
        "`pyproject.toml:6` `ledger = 'ledger.cli:run'`",
        "`src/ledger/__main__.py:1` `from .cli import run`",
        "`src/ledger/cli.py:8` `def main():`",
    ]


async def test_of_what_tells_of_a_project_the_first_160_lines_are_read(talk: Conversation):
    await talk.ask(QUESTION)
    read = [arguments for name, arguments in talk.called if name == "file_read"]
    files = ("README.md", "pyproject.toml", "src/ledger/__main__.py", "src/ledger/cli.py")
    assert read == [{"path": path, "offset": 1, "limit": 160} for path in files]


async def test_a_folder_without_any_of_them_says_what_to_try(tmp_path: Path):
    talk = Conversation(root=tmp_path)
    (tmp_path / "notes.txt").write_text("nothing\n")
    assert "Try a name" in await talk.ask(QUESTION)


async def test_what_names_something_is_a_search(tmp_path: Path):
    talk = Conversation(root=lay_out(tmp_path))
    answer = await talk.ask("Where does the project compute the budget?")
    assert answer.startswith("The best matches:\n\n- `src/budget.py:10`")


async def test_no_call_is_made_twice(tmp_path: Path):
    """A file that stands in view is given again as a pointer, of which nothing can be read."""
    talk = Conversation(root=lay_out(tmp_path))
    await talk.ask("Where is the budget computed?")
    talk.tools = {**talk.tools, "file_read": Unchanged()}
    talk.called = []
    answer = await talk.ask("Where is the budget computed?")
    calls = [(name, str(arguments)) for name, arguments in talk.called]
    assert len(calls) == len(set(calls))
    assert "def budget_for" in answer


class Unchanged:
    """The tool that reads files, where all was read already."""

    def __init__(self) -> None:
        self.real = lay_out_tools()["file_read"]
        self.schema = self.real.schema

    def prepare(self, arguments, context):
        return self.real.prepare(arguments, context)

    async def run(self, intent, context):
        found = await self.real.run(intent, context)
        return type(found)(text="[unchanged since turn 1]")


def lay_out_tools():
    return {tool.schema.name: tool for tool in searching_tools()}


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ([], []),
        (["README.rst", "readme", "docs/README.md", "README_old.md"], ["readme"]),
        (["setup.py", "package.json", "pyproject.toml"], ["pyproject.toml"]),
        (
            ["src/a/app.py", "src/a/main.go", "main.js", "src/cli.ts", "src/a/b/main.py"],
            ["main.js", "src/cli.ts", "src/a/main.go"],
        ),
        (["src/cli.py", "src/main.py", "lib/cli.py"], ["src/main.py", "lib/cli.py", "src/cli.py"]),
        (["main.md", "bench/main.py", ".ci/main.py", "mainly.py", "tools/cli.py"], []),
    ],
)
def test_one_readme_one_manifest_and_the_nearest_entry_points_tell_of_a_project(
    files: list[str], chosen: list[str]
):
    assert telling_files(files) == chosen


def quoted(path: str, *texts: str) -> tuple[str, list[int]]:
    lines = [SourceLine(path, number, text) for number, text in enumerate(texts, 1)]
    title, chosen = telling_lines(path, lines)
    return title, [line.number for line in chosen]


def test_a_readme_is_quoted_by_its_first_six_sentences():
    texts = ("<img>", "![a](b)", "| a |", "> b", "[![c](d)](e)", "```", "---", ".. e", "", "One")
    assert quoted("README.md", *texts) == ("`README.md` says:", [10])
    assert quoted("README.md", *["Word."] * 9)[1] == [1, 2, 3, 4, 5, 6]


def test_a_manifest_is_quoted_by_the_first_field_of_each_name():
    texts = ('"name": "a"', '"version": "1"', '"Name": "b"', 'main = "x"', "run = 'a.b:c'", "bin:")
    title, chosen = quoted("package.json", *texts)
    assert (title, chosen) == ("`package.json` names it so:", [1, 4, 5, 6])
    assert len(quoted("package.json", *(f"x{n} = 'a.b{n}:c'" for n in range(9)))[1]) == 6


@pytest.mark.parametrize(
    ("texts", "chosen"),
    [
        (("def main():", "    main()", "if __name__ == '__main__':"), [1, 2, 3]),
        (("def one():", "    def two():", "import os"), [1]),
        (("from .cli import run", "export * from './a'", "import os"), [1, 2]),
        (["app.listen(1)"] * 5, [1, 2, 3]),
        (("import os",), []),
    ],
)
def test_an_entry_point_is_quoted_where_it_starts_or_by_what_it_has(
    texts: tuple[str, ...], chosen: list[int]
):
    assert quoted("src/main.py", *texts) == ("It likely starts in `src/main.py`:", chosen)

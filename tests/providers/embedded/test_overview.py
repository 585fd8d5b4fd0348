"""What the project does and where it starts, from what every project has at its top."""

from pathlib import Path

import pytest

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

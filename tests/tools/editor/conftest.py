import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.editor.ctags import NAMES
from plimsoll.tools.editor.knowledge import Diagnostic, Place, Position, RenameEdits, Symbol
from plimsoll.tools.ports.context import CallContext

LEDGER = """\
class Ledger:
    \"\"\"count is what it is for.\"\"\"

    def __init__(self):
        self.rows = []

    def count(self):
        return len(self.rows)


def empty():
    return Ledger()
"""
USER = """\
from ledger import Ledger, empty

print(empty().count(), "count")
"""


@dataclass
class Editor:
    """An editor that knows what a test lays into it; what it was asked stands in ``asked``."""

    symbols_of: Mapping[Path, Sequence[Symbol]] = field(default_factory=dict)
    everywhere: Sequence[Symbol] | None = None
    places: Mapping[tuple[str, int, int], Sequence[Place]] = field(default_factory=dict)
    problems: list[Mapping[Path, Sequence[Diagnostic]] | None] = field(default_factory=list)
    renames: RenameEdits | None = None
    asked: list[object] = field(default_factory=list)

    async def outline(self, path: Path):
        return self.symbols_of.get(path)

    async def symbols(self, root: Path, query: str):
        self.asked.append(query)
        return self.everywhere

    async def definition(self, path: Path, position: Position):
        self.asked.append(position)
        return self.places.get((path.name, position.line, position.character))

    references = definition

    async def diagnostics(self, root: Path, paths: Sequence[Path], *, changed: bool = False):
        self.asked.append(changed)
        return self.problems.pop(0) if self.problems else None

    async def rename(self, path: Path, position: Position, new_name: str):
        self.asked.append((path.name, position, new_name))
        return self.renames


@pytest.fixture
def editor() -> Editor:
    return Editor()


@pytest.fixture
def context(context: CallContext, editor: Editor, root: Path) -> CallContext:
    """A trusted folder with two files, an editor, and no ctags."""
    (root / "ledger.py").write_text(LEDGER)
    (root / "user.py").write_text(USER)
    variables = {**context.environment, "PATH": ""}
    return replace(context, knowledge=editor, trusted=lambda: True, environment=variables)


@pytest.fixture
def ctags() -> str:
    """The folder of a real ctags."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return str(Path(found).parent) if found else not_on_this_machine("it has no ctags")

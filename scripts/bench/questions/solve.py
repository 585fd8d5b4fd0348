"""Twenty questions about a real package, answered by two scripted solvers: what their results cost.

    cd scripts/bench && ../../.venv/bin/python -m questions.solve

One solver has grep and file_read, the other the tools over the code as well. Both work as somebody
does who knows what to look for: the first greps for definitions and reads on in pieces of sixty
lines until it has seen the whole. A question counts only if the facts of its answer, which are
taken from the package's syntax tree, stand in what the solver has seen.
"""

import ast
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from common import table
from days.packages import CLICK, UnavailableError, fetched

from plimsoll.context.log.messages import canonical
from plimsoll.tokens.estimate import estimate
from plimsoll.tools import open_tools
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.ports.tool import AnyTool
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Processes
from plimsoll.tools.search.searching import Searches
from questions.language_server import LanguageServer

DEFINED = (
    *("Option", "make_pass_decorator", "echo_via_pager", "BadParameter", "ParamType"),
    "HelpFormatter",
)
READ = (
    *("Context.invoke", "Group.add_command", "Parameter.type_cast_value"),
    *("OptionParser.parse_args", "BaseCommand.main", "ProgressBar.render_progress"),
)
USED = ("make_str", "augment_usage_errors", "iter_params_for_processing", "strip_ansi")
LISTED = ("BaseCommand", "Context", "HelpFormatter", "CliRunner")
PIECE = 60
"""Lines that the first solver reads at once."""
EDITOR_TOOLS = ("symbols", "definition", "references", "diagnostics", "rename")


@dataclass(frozen=True, slots=True)
class Fact:
    """Where something is defined, and to which line it goes."""

    path: str
    first: int
    last: int
    names: tuple[str, ...]
    """Of a class, its methods."""


def facts_of(root: Path) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    for path in sorted(root.rglob("src/click/*.py")):
        name = path.relative_to(root).as_posix()
        for node in ast.parse(path.read_text("utf-8")).body:
            _add(found, node, name, "")
    return found


def _add(found: dict[str, Fact], node: ast.AST, path: str, around: str) -> None:
    if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return
    inner = node.body if isinstance(node, ast.ClassDef) else []
    names = tuple(each.name for each in inner if isinstance(each, ast.FunctionDef))
    found[around + node.name] = Fact(path, node.lineno, node.end_lineno or node.lineno, names)
    for each in inner:
        _add(found, each, path, f"{node.name}.")


class Calls:
    """Calls tools, and counts what the calls and their results take."""

    def __init__(self, tools: Mapping[str, AnyTool], context: CallContext) -> None:
        self._tools = tools
        self._context = context
        self.tokens = 0
        self.calls = 0
        self.seen = ""

    async def call(self, name: str, **arguments: object) -> str:
        prepared = self._tools[name].prepare(arguments, self._context)
        assert isinstance(prepared, Intent)
        result = (await self._tools[name].run(prepared, self._context)).text
        self.calls += 1
        self.tokens += estimate(canonical(arguments)) + estimate(name) + estimate(result)
        self.seen += result + "\n"
        return result


class Solver(Protocol):
    """Answers the four kinds of question by calls of tools; what they bring is seen."""

    tokens: int
    calls: int
    seen: str

    async def defined(self, name: str) -> None: ...

    async def read(self, name: str, fact: Fact) -> None: ...

    async def used(self, name: str) -> None: ...

    async def listed(self, name: str, fact: Fact) -> None: ...


class WithGrep(Calls):
    """Has grep and file_read."""

    async def defined(self, name: str) -> None:
        await self.call("grep", pattern=rf"^\s*(class|def) {name.rpartition('.')[2]}\b")

    async def read(self, name: str, fact: Fact) -> None:
        await self.defined(name)
        for offset in range(fact.first, fact.last + 1, PIECE):
            await self.call("file_read", path=fact.path, offset=offset, limit=PIECE)

    async def used(self, name: str) -> None:
        await self.call("grep", pattern=rf"\b{name}\b")

    async def listed(self, name: str, fact: Fact) -> None:
        await self.defined(name)
        await self.call("grep", pattern=r"^(class|    def) ", path=fact.path)


class WithKnowledge(Calls):
    """Has the tools over the code too."""

    async def defined(self, name: str) -> None:
        await self.call("definition", symbol=name)

    async def read(self, name: str, fact: Fact) -> None:
        await self.defined(name)
        await self.call("file_read", path=fact.path, symbol=name)

    async def used(self, name: str) -> None:
        await self.call("references", symbol=name)

    async def listed(self, name: str, fact: Fact) -> None:
        await self.defined(name)
        await self.call("symbols", path=fact.path, query=f"{name}.")


async def answered(
    solver: Solver, facts: Mapping[str, Fact], root: Path
) -> tuple[dict[str, int], list[str]]:
    """The tokens of each kind of question, and the questions whose answer was not seen."""
    spent: dict[str, int] = {}
    missed: list[str] = []
    kinds = {
        "where is it": DEFINED,
        "what does it do": READ,
        "who uses it": USED,
        "what has it": LISTED,
    }
    for kind, names in kinds.items():
        for name in names:
            before, solver.seen = solver.tokens, ""
            fact = facts[name]
            if kind == "where is it":
                await solver.defined(name)
            elif kind == "what does it do":
                await solver.read(name, fact)
            elif kind == "who uses it":
                await solver.used(name)
            else:
                await solver.listed(name, fact)
            spent[kind] = spent.get(kind, 0) + solver.tokens - before
            if not _knows(solver.seen, kind, fact, root):
                missed.append(f"{kind}: {name}")
    return spent, missed


def _knows(seen: str, kind: str, fact: Fact, root: Path) -> bool:
    if kind == "what does it do":
        lines = (root / fact.path).read_text("utf-8").split("\n")[fact.first - 1 : fact.last]
        return all(line.strip() in seen for line in lines)
    if kind == "what has it":
        return all(re.search(rf"\b{name}\b", seen) for name in fact.names)
    return f"{fact.path}:{fact.first}" in seen


class NoBuffers:
    """No file is open."""

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, _path: Path) -> None:
        """Know no buffer."""

    async def apply_edit(self, *_: object) -> bool:
        return False


async def measure(root: Path, spill: Path) -> None:
    facts, searches, processes = facts_of(root), Searches(), Processes()
    tools = open_tools(
        {"processes": processes, "searches": searches, "code_index": CodeIndex(searches)}
    )
    variables = child_environment(os.environ)
    base = CallContext(
        root=root,
        documents=NoBuffers(),
        spill_folder=spill,
        trusted=lambda: True,
        environment={**variables, "PATH": ""},
    )
    program = Path(sys.executable).parent / "basedpyright-langserver"
    async with LanguageServer(program, root) as server:
        rows: dict[str, Solver] = {
            "grep and file_read": WithGrep(tools, base),
            "tools, by text search": WithKnowledge(tools, base),
            "tools, by ctags": WithKnowledge(tools, replace(base, environment=variables)),
            "tools, by a language server": WithKnowledge(tools, replace(base, knowledge=server)),
        }
        figures = []
        for name, solver in rows.items():
            spent, missed = await answered(solver, facts, root)
            told = [f"{tokens:,}" for tokens in spent.values()]
            figures.append([name, *told, f"{solver.tokens:,}", str(solver.calls), str(len(missed))])
            for question in missed:
                print(f"not seen with {name}: {question}")
    table(["tokens", *spent, "all", "calls", "not seen"], figures)
    offered = [tools[name].schema for name in EDITOR_TOOLS]
    schemas = sum(estimate(canonical([s.name, s.description, s.parameters])) for s in offered)
    print(f"the schemas of the five tools, in each request: {schemas}")
    searches.close()
    await processes.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            archive = fetched(CLICK)
        except UnavailableError as error:
            sys.exit(str(error))
        home = Path(os.path.realpath(folder))
        unpacked(archive, home)
        (home / "spill").mkdir()
        asyncio.run(measure(home / archive.name.removesuffix(".tar.gz"), home / "spill"))


def unpacked(archive: Path, home: Path) -> None:
    import tarfile

    with tarfile.open(archive) as files:
        files.extractall(home, filter="data")


if __name__ == "__main__":
    main()

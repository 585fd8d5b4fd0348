"""Which tests reach a line, and which of them to ask first."""

import ast
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

WATCHED = "MUTATION_WATCHED"
"""Tells the plugin which files to watch, and where to write which test reached what (JSON)."""
CHOSEN = "MUTATION_CHOSEN"
"""Tells the plugin a file (JSON) with the tests to run, in their order."""

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Reach:
    """What a run of some tests reached, without a mutant."""

    seconds: Mapping[str, float]
    """How long each test took."""
    lines: Mapping[str, Mapping[int, Sequence[str]]]
    """The tests that came to a line, by file."""
    slow: Sequence[str] = ()
    """The tests marked slow."""
    failed: Sequence[str] = ()
    """The tests that fail without a mutant, so that nothing can be told by them; in no other."""

    def chosen(self, file: Path, line: int) -> list[str]:
        """Return the tests to ask about a line, those first that reach it, the quickest first.

        Those beside them in their files follow, as tests share what one of them has computed.
        None reach what is not run; what runs as a module is loaded may be told by any test.
        """
        reached = self.lines.get(str(file), {})
        statement = _statement(file.read_text("utf-8"), line)
        if statement is None:
            first = set().union(*reached.values())
            return self._ordered(first, self.seconds)
        first = set().union(*(reached.get(number, ()) for number in statement))
        files = {_file(test) for test in first}
        return self._ordered(first, (test for test in self.seconds if _file(test) in files))

    def slow_beside(self, asked: Collection[str], folder: str) -> list[str]:
        """Return the tests marked slow that were not asked, those of a folder first.

        No process that a test starts is watched, so that any of them may come to a line.
        """
        rest = (test for test in self.slow if test not in asked)
        return sorted(rest, key=lambda test: not test.startswith(f"{folder}/"))

    def took(self, tests: Iterable[str]) -> float:
        """Return how long some tests took without a mutant."""
        return sum(self.seconds[test] for test in tests)

    def _ordered(self, first: set[str], tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (test not in first, self.seconds[test]))


def read(written: Path) -> Reach:
    """Read what the plugin wrote."""
    told = json.loads(written.read_text("utf-8"))
    lines = {
        file: {int(line): tests for line, tests in by_line.items()}
        for file, by_line in told["lines"].items()
    }
    return Reach(told["seconds"], lines, told["slow"], told["failed"])


def files_of(tests: Iterable[str]) -> list[str]:
    """Return the files of some tests, each once."""
    return [*dict.fromkeys(map(_file, tests))]


def _file(test: str) -> str:
    return test.partition("::")[0]


def _statement(code: str, line: int) -> range | None:
    """Return the lines of the statement at a line; None where it runs as the module is loaded."""
    around = [*_around(ast.parse(code).body, line)]
    if not any(isinstance(statement, _FUNCTION) for statement in around[:-1]):
        return None
    innermost = around[-1]
    body = getattr(innermost, "body", None)
    end = body[0].lineno if body else (innermost.end_lineno or line) + 1
    # The lines of a handler or a case belong to no statement of their own.
    return range(innermost.lineno, end) if line < end else range(line, line + 1)


def _around(statements: Iterable[ast.AST], line: int) -> Iterator[ast.stmt]:
    """Yield the statements around a line, the outermost first."""
    for node in statements:
        begin, end = getattr(node, "lineno", line), getattr(node, "end_lineno", line)
        if begin <= line <= end:
            if isinstance(node, ast.stmt):
                yield node
            yield from _around(ast.iter_child_nodes(node), line)

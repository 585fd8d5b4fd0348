"""Finds the lines of files that match an expression: by ripgrep where there is one, else here."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.tools.base import CallContext
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.patterns import compiled
from plimsoll.tools.search.python_search import LARGEST_FILE, Findings, Search, searched_in_blocks
from plimsoll.tools.search.ripgrep import Ripgrep, UnsuitableError, usable_program

if TYPE_CHECKING:
    import regex


def found_lines(
    pattern: str,
    context: CallContext,
    files: Sequence[Path],
    halt: Halt,
    *,
    ignore_case: bool = False,
    largest: float = LARGEST_FILE,
    said: str | None = None,
) -> Findings:
    """Search the lines of files, of open buffers as they stand in the editor.

    ``largest``: the most bytes of a file that is searched. ``said``: what a model gave of the
    pattern; none: all of it.

    Raises:
        ToolFailed: The pattern is none, or takes too long.
    """

    def found(program: str | None) -> Findings:
        findings = Findings(largest=largest)
        search = Search(expression, halt, searched_in_blocks(pattern))
        # In order: open buffers in Python, other files by the engine.
        for buffer, paths in groupby(files, key=context.documents.open_text):
            if buffer is not None:
                for path in paths:
                    search.lines(path, lines_of(buffer), findings)
            elif program is None:
                search.files(list(paths), findings)
            else:
                engine = Ripgrep(
                    program=program,
                    pattern=pattern,
                    ignore_case=ignore_case,
                    context=context,
                    search_text=lambda path, into: search.files([path], into),
                )
                engine.search(list(paths), findings, halt)
        return findings

    expression = expression_of(pattern, ignore_case=ignore_case, said=said)
    try:
        return found(usable_program(context))
    except (UnsuitableError, OSError):
        # Also when its messages could not be kept: the other engine needs no disk.
        return found(None)


def expression_of(
    pattern: str, *, ignore_case: bool = False, said: str | None = None
) -> "regex.Pattern[str]":
    """Compile a pattern for lines.

    Raises:
        ToolFailed: It is none.
    """
    if "\n" in pattern:
        raise ToolFailed("The pattern holds a line break; grep looks at one line at a time.")
    return compiled(pattern, what="pattern", said=said or pattern, ignore_case=ignore_case)

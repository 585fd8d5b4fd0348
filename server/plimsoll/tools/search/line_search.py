"""Finds the lines of files that match an expression: ripgrep says where to look, if there is one.

What matches is decided here in both cases, so both give the same lines in the same order.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.documents import known_buffers
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.patterns import compile_pattern
from plimsoll.tools.search.python_search import (
    LARGEST_FILE,
    MOST_MATCHES,
    Findings,
    Search,
    searched_in_blocks,
)
from plimsoll.tools.search.ripgrep import UnsuitableError
from plimsoll.tools.search.walk import Walk

if TYPE_CHECKING:
    import regex


@dataclass(frozen=True, slots=True)
class FileTree:
    """The files in which a search looks for lines."""

    walk: Walk
    may_hold: Callable[[str, bool], set[str]] | None = None
    """Names those that may hold an expression, in any case if so asked; none: nobody knows.

    Raises:
        UnsuitableError: It cannot.
    """


def found_lines(
    pattern: str,
    context: CallContext,
    tree: FileTree,
    halt: Halt,
    *,
    wanted: Callable[[str], bool] = lambda _name: True,
    ignore_case: bool = False,
    largest: float = LARGEST_FILE,
    said: str | None = None,
) -> Findings:
    """Find the lines that match in files, with the editor's text for open ones.

    ``wanted``: which files are searched, by name. ``largest``: the most bytes of a file that is
    searched. ``said``: the part of the pattern that a model gave; None: all of it.

    Raises:
        ToolFailed: The pattern cannot be read, or takes too long.
    """
    expression = expression_of(pattern, ignore_case=ignore_case, said=said)
    findings = Findings(largest=largest)
    search = Search(expression, halt, searched_in_blocks(pattern))
    start, buffers = tree.walk.start, known_buffers(context.documents)
    for name in filter(wanted, _names(pattern, context, tree, ignore_case=ignore_case)):
        if halt:
            findings.whole = False
        if halt or findings.count > MOST_MATCHES:
            break
        path = start / name
        buffer = buffers(path)
        if buffer is None:
            search.file(path, findings)
        else:
            search.lines(path, lines_of(buffer), findings)
    return findings


def _names(
    pattern: str, context: CallContext, tree: FileTree, *, ignore_case: bool
) -> Sequence[str] | Iterator[str]:
    """Return the files in which lines may match, in order."""
    if tree.may_hold is None:
        return tree.walk.names
    try:
        held = tree.may_hold(pattern, ignore_case)
    except (UnsuitableError, OSError):
        # It cannot read the expression, or has no disk for what it says.
        return tree.walk.names
    start = tree.walk.start
    buffers = (path for path in context.documents.open_files() if path.is_relative_to(start))
    held.update(path.relative_to(start).as_posix() for path in buffers)
    # One that is too large was not read, and is named.
    return (name for name in tree.walk.names if name in held or _is_large(start / name))


def _is_large(path: Path) -> bool:
    try:
        return path.lstat().st_size > LARGEST_FILE
    except OSError:
        # Whoever opens it says why it cannot be read.
        return True


def expression_of(
    pattern: str, *, ignore_case: bool = False, said: str | None = None
) -> "regex.Pattern[str]":
    """Compile a pattern to search lines with.

    Raises:
        ToolFailed: The pattern cannot be read.
    """
    if "\n" in pattern:
        raise ToolFailed("The pattern holds a line break; grep looks at one line at a time.")
    return compile_pattern(pattern, what="pattern", said=said or pattern, ignore_case=ignore_case)

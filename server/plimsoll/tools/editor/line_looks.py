"""Symbols by the look of lines, for languages that nothing here knows better.

A line defines what follows a word such as ``def`` or ``class``, a name before a parameter list that
ends the line with a brace, or a name at the margin that is assigned to. The symbol goes on while
the lines are indented deeper.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from plimsoll.tools.editor.knowledge import Symbol

NAME = r"[A-Za-z_$][\w$]*"
_LONGEST_LINE = 400
_BEFORE = (
    r"(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|pub"
    r"|pub\([^)]*\)|unsafe|extern|inline|virtual|override|open|sealed|data|declare|partial)\s+)*"
)
_WORDS = (
    r"(?:def|class|function|func|fn|fun|struct|interface|type|enum|trait|impl|module|namespace"
    r"|object|protocol|macro_rules!|sub|const|let|var|val|local function)"
)
_NOT_NAMES = frozenset({"if", "for", "while", "switch", "catch", "return", "else", "with", "new"})
_CLOSING = re.compile(r"[\]})][\]});,]*\s*(?:end)?;?\s*$|end\b")


def pattern_of(name: str) -> str:
    """Return a regular expression for lines that may define a symbol of this name.

    The name is itself an expression. Both search engines can read the result.
    """
    return (
        rf"^\s*{_BEFORE}{_WORDS}\*?\s+(?:\([^)]*\)\s*)?(?:mut\s+)?({name})\b"
        rf"|^\s+{_BEFORE}(?:[\w<>\[\],.:&*?]+\s+)?({name})\s*\([^;]*\{{\s*$"
        rf"|^\w[\w\s*&:<>,]*\s[*&]*({name})\s*\([^;]*$"
        rf"|^({name})\s*(?::[^=]+)?=[^=]"
    )


_ANY = re.compile(pattern_of(NAME))
_KIND = re.compile(rf"^\s*{_BEFORE}({_WORDS})\b")


def outline_of(path: Path, lines: Sequence[str]) -> Iterator[Symbol]:
    """Yield the symbols that the lines of a file seem to define, in their order."""
    open_ones: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        name = defined_in(line)
        if name is None:
            continue
        depth = _depth(line)
        while open_ones and open_ones[-1][0] >= depth:
            open_ones.pop()
        container = tuple(each for _, each in open_ones)
        yield symbol_at(path, lines, number, name=name, container=container)
        open_ones.append((depth, name))


def symbol_at(
    path: Path,
    lines: Sequence[str],
    number: int,
    *,
    name: str,
    container: tuple[str, ...] = (),
) -> Symbol:
    """Return the symbol that the line with this number, from 1, seems to define."""
    kind = _KIND.match(lines[number - 1][:_LONGEST_LINE])
    return Symbol(
        name=name,
        kind=kind[1] if kind else "",
        path=path,
        line=number,
        first=number,
        last=last_line(lines, number),
        container=container,
    )


def defined_in(line: str) -> str | None:
    """Return the name of the symbol that a line seems to define."""
    found = _ANY.match(line[:_LONGEST_LINE])
    name = next(filter(None, found.groups()), None) if found else None
    return None if name in _NOT_NAMES else name


def last_line(lines: Sequence[str], first: int) -> int:
    """Return the last line, from 1, of a definition, judged by its indentation."""
    depth, last = _depth(lines[first - 1]), first
    for number, line in enumerate(lines[first:], first + 1):
        if not line.strip():
            continue
        if _depth(line) > depth:
            last = number
            continue
        if _depth(line) == depth and line.lstrip()[0] in ")]":
            # The end of a list of parameters; what was begun goes on.
            last = number
            continue
        if _depth(line) == depth and (line.lstrip()[0] == "{" or _CLOSING.match(line.lstrip())):
            last = number
            if line.lstrip()[0] == "{":
                continue
        break
    return last


def _depth(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())

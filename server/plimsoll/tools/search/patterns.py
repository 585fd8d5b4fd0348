"""Compiles globs and regular expressions that a model gives, so that none can run for ever.

Law: a pattern is text of a stranger, and backtracking can turn thirty characters into years. So
wildcards become expressions that never go back, and every other match has a time limit.

Wildcards of globs and ignore files become regular expressions over paths with ``/``: ``*``, ``?``
and ``[…]`` stay in one name; ``**`` between slashes crosses folders.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\ \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\ \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_CLASS = re.compile(r"\[:([^\]]*):\]")
_FOLDER_STARS = re.compile(r"(?:\*{2,}/)+")
_SLASH = r"\/"
STAR = r"[^/\0]*"
FOLDERS = r"(?:[^/\0]+/)*"
BELOW = r"[^\0]+"
FOLDER_MARK = "\0"
"""Marks the path of a folder, put behind it; no wildcard matches it."""


MOST_CHOICES = 200
"""Patterns that the braces of one may stand for."""
_UNIT = re.compile(r"\\.|\[[!^]?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*+\]|[{},]", re.DOTALL)
"""What is read as a whole: an escaped character, a bracket, a sign of braces."""


def choices(pattern: str) -> list[str]:
    """Return the patterns that the braces of a pattern stand for: ``a{b,c}`` is ``ab`` and ``ac``.

    Raises:
        ValueError: A brace is not closed, or the patterns are too many.
    """
    found: list[str] = []
    pending = [pattern]
    while pending:
        one = pending.pop()
        cuts = _braces(one)
        if not cuts:
            found.append(one)
            continue
        before, after = one[: cuts[0]], one[cuts[-1] + 1 :]
        inner = [one[start + 1 : end] for start, end in pairwise(cuts)]
        if len(found) + len(pending) + len(inner) > MOST_CHOICES:
            raise ValueError(f"its braces stand for more than {MOST_CHOICES} patterns")
        pending += [before + each + after for each in reversed(inner)]
    return found


def _braces(pattern: str) -> list[int]:
    """Return the offsets of the first pair of braces and its commas; empty without braces."""
    cuts: list[int] = []
    depth = 0
    for unit in _UNIT.finditer(pattern):
        sign = unit.group()
        depth += {"{": 1, "}": -bool(depth)}.get(sign, 0)
        if (sign, depth) in {("{", 1), (",", 1)} or (sign == "}" and cuts and not depth):
            cuts.append(unit.start())
        if sign == "}" and cuts and not depth:
            return cuts
    if depth:
        raise ValueError("a { is not closed")
    return []


def translate_glob(pattern: str, *, strict: bool) -> str:
    """Translate a glob without braces to an expression that matches a path from its start.

    The caller adds the end of the expression. Matching takes at most the length of the path
    times that of the pattern. ``strict``: refuse an empty range, which git accepts.

    Raises:
        ValueError: A bracket is not closed, or nothing follows a backslash.
    """
    return _Translation(pattern, strict=strict).expression()


def pieces_of(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield each element of a git glob as written, with the expression that it stands for.

    Raises:
        ValueError: A bracket is not closed, or nothing follows a backslash.
    """
    return _Translation(pattern, strict=False).pieces()


class _Translation:
    """Translates a glob in one pass; each method reads the element in its name."""

    def __init__(self, pattern: str, *, strict: bool) -> None:
        self._pattern = pattern
        self._at = 0
        self._strict = strict

    def expression(self) -> str:
        return "".join(_without_return([piece for _, piece in self.pieces()]))

    def pieces(self) -> Iterator[tuple[str, str]]:
        while self._at < len(self._pattern):
            start = self._at
            piece = self._next()
            yield self._pattern[start : self._at], piece

    def _next(self) -> str:
        character = self._pattern[self._at]
        reader = _READERS.get(character)
        if reader is not None:
            return reader(self)
        self._at += 1
        return _literal(character)

    def stars(self) -> str:
        start = self._at
        opens_name = start == 0 or self._pattern[start - 1] == "/"
        folders = _FOLDER_STARS.match(self._pattern, start) if opens_name else None
        if folders is not None:
            self._at = folders.end()
            return FOLDERS
        while self._pattern.startswith("*", self._at):
            self._at += 1
        crosses = opens_name and self._at == len(self._pattern) > start + 1
        return BELOW if crosses else STAR

    def question(self) -> str:
        self._at += 1
        return r"[^/\0]"

    def choice(self) -> str:
        self._at += 1
        negated = self._peek() in "!^"
        self._at += negated
        members: list[str] = []
        # What a dash makes a range of: not the end of another range, and not a class.
        lowest = ""
        while not members or self._peek() != "]":
            named = _CLASS.match(self._pattern, self._at)
            if lowest and self._peek() == "-" and not self._pattern.startswith("-]", self._at):
                self._at += 1
                members.append(self._range(lowest, self._member()))
                lowest = ""
            elif named is not None:
                self._at = named.end()
                members.append(_class(named[1]))
                lowest = ""
            else:
                lowest = self._member()
                members.append(_literal(lowest))
        self._at += 1
        return f"(?![/\\0])[{'^' if negated else ''}{''.join(members)}]"

    def _range(self, lowest: str, highest: str) -> str:
        if lowest <= highest:
            return f"{_literal(lowest)}-{_literal(highest)}"
        if self._strict:
            raise ValueError(f"the range {lowest}-{highest} is empty")
        return ""

    def _member(self) -> str:
        self._at += self._peek() == "\\"
        character = self._peek()
        self._at += 1
        return character

    def _peek(self) -> str:
        if self._at >= len(self._pattern):
            raise ValueError("a [ is not closed")
        return self._pattern[self._at]

    def escape(self) -> str:
        self._at += 2
        if self._at > len(self._pattern):
            raise ValueError("nothing follows the last backslash")
        return _literal(self._pattern[self._at - 1])


_Reader = Callable[[_Translation], str]
_READERS: dict[str, _Reader] = {
    "*": _Translation.stars,
    "?": _Translation.question,
    "[": _Translation.choice,
    "\\": _Translation.escape,
}


def _class(name: str) -> str:
    if name not in _CLASSES:
        raise ValueError(f"there are no characters [:{name}:]")
    return _CLASSES[name]


def _literal(character: str) -> str:
    return character if character.isalnum() or ord(character) > 127 else f"\\{character}"


def _without_return(pieces: Sequence[str]) -> Iterator[str]:
    """Join the pieces of an expression so that it never backtracks into an earlier star.

    The shortest text that lets the next literal match is as good as any: what follows the literal
    is another star. The same holds for folders. So each is an atomic group (``(?>…)``).
    """
    *leading, last = _split(pieces, FOLDERS)
    for number, part in enumerate(leading):
        run = "".join(map(_name, _names(part)))
        yield run if number == 0 else f"(?>(?:[^/\\0]++/)*?{run})"
    run = "".join(map(_name, _names(last)))
    yield f"(?:[^/\\0]++/)*?{run}" if leading else run


def _names(pieces: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the pieces of an expression name by name, a slash with the name before it."""
    start = 0
    for number, piece in enumerate(pieces, 1):
        if piece == _SLASH:
            yield pieces[start:number]
            start = number
    yield pieces[start:]


def _name(pieces: Sequence[str]) -> str:
    first, *rest = ("".join(run) for run in _split(pieces, STAR))
    if not rest:
        return first
    *middle, last = (run for number, run in enumerate(rest, 1) if run or number == len(rest))
    found = "".join([first, *(f"(?>[^/\\0]*?{run})" for run in middle), STAR, last])
    return f"(?>{found})" if last.endswith(_SLASH) else found


def _split(pieces: Sequence[str], separator: str) -> list[list[str]]:
    runs: list[list[str]] = [[]]
    for piece in pieces:
        if piece == separator:
            runs.append([])
        else:
            runs[-1].append(piece)
    return runs


if TYPE_CHECKING:
    import regex

LONGEST_PATTERN = 1000


def compile_pattern(
    expression: str, *, what: str, said: str, ignore_case: bool = False
) -> "regex.Pattern[str]":
    """Compile an expression whose matches take a time limit; ``^`` and ``$`` mean lines.

    Raises:
        ToolFailed: It is too long or cannot be read; the message says where.
    """
    # Loaded late: only searching needs it, and start-up is a promise.
    import regex

    check_length(said, what)
    try:
        case = regex.IGNORECASE if ignore_case else 0
        return regex.compile(expression, regex.MULTILINE | case)
    except regex.error as error:
        raise ToolFailed(
            f"The {what} {visible_line(said)} cannot be read: {error}. "
            "To find ( ) [ ] { } . * + ? | ^ $ \\ as they are, put a backslash before them."
        ) from error


def check_length(said: str, what: str) -> None:
    """Raise ToolFailed where a pattern is too long."""
    if len(said) > LONGEST_PATTERN:
        raise ToolFailed(
            f"The {what} has {len(said)} characters; at most {LONGEST_PATTERN} are taken."
        )

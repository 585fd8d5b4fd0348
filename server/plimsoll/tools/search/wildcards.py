"""Wildcards of globs and ignore files as regular expressions over paths with ``/``.

``*``, ``?`` and ``[…]`` stay in one name; ``**`` between slashes crosses folders.
"""

from collections.abc import Callable

_CLASSES = (
    *("alnum", "alpha", "blank", "cntrl", "digit", "graph"),
    *("lower", "print", "punct", "space", "upper", "xdigit"),
)


def translated(pattern: str, *, braces: bool) -> str:
    """The expression, to be matched from the start to the end of a path.

    Raises:
        ValueError: A bracket or brace is not closed, or nothing follows a backslash.
    """
    return _Translation(pattern, braces=braces).expression()


class _Translation:
    """One pass over a pattern; each method reads what it is named for."""

    def __init__(self, pattern: str, *, braces: bool) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0
        self._readers = _READERS | _BRACES if braces else _READERS

    def expression(self) -> str:
        pieces: list[str] = []
        while self._at < len(self._pattern):
            pieces.append(self._next())
        if self._depth:
            raise ValueError("a { is not closed")
        return f"(?s){''.join(pieces)}\\Z"

    def _next(self) -> str:
        character = self._pattern[self._at]
        reader = self._readers.get(character)
        if reader is not None:
            return reader(self)
        self._at += 1
        return _literal(character)

    def stars(self) -> str:
        opens_name = self._at == 0 or self._pattern[self._at - 1] in "/{,"
        if opens_name and self._pattern.startswith("**/", self._at):
            while self._pattern.startswith("**/", self._at):
                self._at += 3
            return "(?:[^/]+/)*"
        crosses = opens_name and self._pattern[self._at :] == "**"
        while self._pattern.startswith("*", self._at):
            self._at += 1
        return ".+" if crosses else "[^/]*"

    def question(self) -> str:
        self._at += 1
        return "[^/]"

    def choice(self) -> str:
        self._at += 1
        negated = self._pattern[self._at : self._at + 1] in ("!", "^")
        self._at += negated
        members = [self._member()]
        while self._peek() != "]":
            members.append(self._member())
        self._at += 1
        return f"(?!/)[{'^' if negated else ''}{''.join(members)}]"

    def _member(self) -> str:
        name = self._pattern[self._at + 2 : self._pattern.find(":]", self._at + 2)]
        if self._pattern.startswith("[:", self._at) and name in _CLASSES:
            self._at += len(name) + 4
            return f"[:{name}:]"
        character = self._peek()
        self._at += 1
        if character == "-":
            return (
                "-" if self._pattern[self._at - 2] not in "[!^" and self._peek() != "]" else r"\-"
            )
        if character == "\\":
            character = self._peek()
            self._at += 1
        return _literal(character)

    def _peek(self) -> str:
        if self._at >= len(self._pattern):
            raise ValueError("a [ is not closed")
        return self._pattern[self._at]

    def opening(self) -> str:
        self._at += 1
        self._depth += 1
        return "(?:"

    def comma(self) -> str:
        self._at += 1
        return "|" if self._depth else ","

    def closing(self) -> str:
        self._at += 1
        if not self._depth:
            return r"\}"
        self._depth -= 1
        return ")"

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
_BRACES: dict[str, _Reader] = {
    "{": _Translation.opening,
    ",": _Translation.comma,
    "}": _Translation.closing,
}


def _literal(character: str) -> str:
    return character if character.isalnum() or ord(character) > 127 else f"\\{character}"

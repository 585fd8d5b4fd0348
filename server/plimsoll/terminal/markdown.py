"""Markdown that arrives in pieces, cut into blocks: each is shown once it is whole."""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LIST = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])\s")
_LINES_BEGUN = 3
_INDENTED = re.compile(r" {2,}\S|\t")


class Blocks:
    """Collects a text and gives back its blocks: paragraphs, lists, tables, fenced code.

    A list goes on behind a blank line while what follows is one of its items or is indented.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        """The whole lines of the block that has begun."""
        self._rest = ""
        """The line that has begun."""
        self._fence = ""
        """What closes the code that has begun."""
        self._ended = False
        """Whether a blank line stands behind a list, which may go on."""

    @property
    def begun(self) -> str:
        """The end of the block that is not whole yet."""
        return "\n".join((*self._lines[-_LINES_BEGUN:], self._rest))

    def feed(self, piece: str) -> list[str]:
        """Take a piece and return the blocks that it completes."""
        *lines, self._rest = (self._rest + piece).split("\n")
        return [block for line in lines for block in self._line(line)]

    def end(self) -> str:
        """Return the unfinished block, as the text has ended."""
        block = "\n".join((*self._lines, self._rest))
        self._lines, self._rest, self._fence, self._ended = [], "", "", False
        return block if block.strip() else ""

    def _line(self, line: str) -> list[str]:
        if self._fence:
            self._lines.append(line)
            if _closes(line, self._fence):
                self._fence = ""
                return [] if self._in_list() else self._take()
            return []
        if not line.strip():
            return self._blank(line)
        before = self._take() if self._ended and not _goes_on(line) else []
        self._ended = False
        opening = _FENCE.match(line if not self._in_list() else line.lstrip())
        if opening:
            before += [] if self._in_list() else self._take()
            self._fence = opening[1]
        self._lines.append(line)
        return before

    def _blank(self, line: str) -> list[str]:
        if not self._in_list():
            return self._take()
        self._lines.append(line)
        self._ended = True
        return []

    def _in_list(self) -> bool:
        return bool(self._lines) and _LIST.match(self._lines[0]) is not None

    def _take(self) -> list[str]:
        block = "\n".join(self._lines)
        self._lines, self._ended = [], False
        return [block] if block.strip() else []


def _goes_on(line: str) -> bool:
    return _LIST.match(line) is not None or _INDENTED.match(line) is not None


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}

"""Splits a message into pieces, sentences or lines, with what is around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
QUOTED_LINE = re.compile(
    r"^[^\S\n]*(?:>|\||\$ |% |diff --git|@@|[+-]{3} |\d+[^\S\n]*[|:]).*$", re.MULTILINE
)
"""A line, by itself: empty lines before it, as code that was blanked out leaves, are none of it."""
_END = re.compile(
    r"(?<!^\d\.)(?<!^\d\d\.)(?<=[.!?\u3002\uff01\uff1f])(?:\s+|(?=[\u3000-\u9fff\uac00-\ud7af]))"
    r"|\n(?=\n)|(?<![^\n]{50})\n|\n(?![^\W\d_A-Z])",
    re.MULTILINE,
)
"""The end of a sentence; a long line that continues in lower case was only wrapped."""
_BULLET = re.compile(r"^\s*(?:[-*\u2022\u30fb]|\(?(?:\d+|[a-z])[.)]|[\u2460-\u2473])\s+")
_QUESTION = ("?", "\uff1f")
_BEHIND_A_LINE = re.compile(r"[ \t]*\n[ \t]*\r?(\n)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A sentence of a message, or a line of it."""

    text: str
    """On one line."""
    raw: str
    """The original text."""
    start: int
    end: int
    """Its end in the message."""
    bulleted: bool
    ends_line: bool
    """A new line follows."""
    ends_paragraph: bool
    """An empty line follows."""

    @property
    def question(self) -> bool:
        """Whether the piece is a question."""
        return self.text.rstrip("\"'\u201d\u00bb\u300d)").endswith(_QUESTION)


def blank_out(message: str) -> str:
    """Replace code and quoted lines by line feeds, so that offsets stay the same."""
    for form in (CODE, QUOTED_LINE):
        message = form.sub(lambda found: "\n" * len(found[0]), message)
    return message


def pieces_of(own: str) -> Iterator[Piece]:
    """Yield the pieces of a text in order."""
    start = 0
    borders = [*((each.start(), each.end()) for each in _END.finditer(own)), (len(own), len(own))]
    for end, following in borders:
        piece = own[start:end]
        raw = _BULLET.sub("", piece).strip()
        if raw:
            stripped = piece.rstrip()
            stop = start + len(stripped)
            behind = _BEHIND_A_LINE.match(own, stop)
            yield Piece(
                text=" ".join(raw.split()),
                raw=raw,
                start=stop - len(raw),
                end=stop,
                bulleted=_BULLET.match(piece) is not None,
                ends_line=behind is not None,
                ends_paragraph=behind is not None and behind[1] is not None,
            )
        start = following

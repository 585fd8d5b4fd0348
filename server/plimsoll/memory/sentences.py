"""What a person says in plain words: sentences, without code, quotations and questions."""

import re
from dataclasses import dataclass

PLAIN_CHARACTERS = 1_500
PLAIN_LINES = 20
"""A longer message holds something that was pasted, and whose words that are is not known."""

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^\s*(?:>|\||\$ |% |diff --git|@@|[+-]{3} |\d+\s*[|:]).*$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])(?:\s+|(?=[\u3000-\u9fff]))|\n+")
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")
_REPORT = re.compile(
    r"\b(?:says?|said|reads?|states?|claims?|writes?|wrote|quotes?|according to|it was told)\b"
    r"[^.!?]{0,30}[:,\"'\u201c]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message."""

    text: str
    plain: bool
    """It is the person's own, as far as that can be seen."""


def sentences(message: str) -> list[Sentence]:
    """The sentences of a message, in their order; questions are left out."""
    own = _QUOTED_LINE.sub("", _CODE.sub("\n", message))
    short = len(message) <= PLAIN_CHARACTERS and message.count("\n") < PLAIN_LINES
    reported = False
    found: list[Sentence] = []
    for piece in _END.split(own):
        text = " ".join(_BULLET.sub("", piece).split())
        if not text or text.endswith(("?", "\uff1f")):
            continue
        # Behind "the README says:" whatever follows may be quoted.
        reported = reported or bool(_REPORT.search(text)) or _opens_quote(text)
        found.append(Sentence(text, short and not reported))
    return found


def _opens_quote(text: str) -> bool:
    """A quotation that does not end in the sentence in which it begins, or is all of it."""
    marks = text.count('"') + text.count("\u201c") + text.count("\u201d")
    return marks % 2 == 1 or text[0] in "\"'\u201c\u201e\u00ab"

"""The sentences of a message, and which of them are a person's own words.

What was pasted is not: a page, a mail, a log or another agent's answer may say "always", and whose
words those are nobody knows.
"""

import re
from dataclasses import dataclass

from plimsoll.text.instruction_words import HEADING

PLAIN_CHARACTERS = 1_500
PLAIN_LINES = 20
"""A longer message holds something that was pasted, and whose words that are is not known."""

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^\s*(?:>|\||\$ |% |diff --git|@@|[+-]{3} |\d+\s*[|:]).*$", re.MULTILINE)
_END = re.compile(
    r"(?<=[.!?\u3002\uff01\uff1f])(?:\s+|(?=[\u3000-\u9fff]))"
    r"|\n(?=\n)|(?<![^\n]{50})\n|\n(?![^\W\d_A-Z])"
)
"""The end of a sentence; a long line that goes on in small letters was only wrapped."""
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")
_REPORT = re.compile(
    r"\b(?:says?|said|reads?|states?|claims?|writes|wrote|quotes?|according to|it was told"
    # "When you write tests, …" is about what is done, and no report.
    r"|(?<!\byou )(?<!\bwe )write)\b"
    r"[^.!?]{0,30}[:,\"'\u201c]",
    re.IGNORECASE,
)
_PASTE = re.compile(
    r""":[ \t]*\r?\n[ \t]*\r?\n           # "Summarise this mail for me:" and an empty line
    | ^[ \t]*(?:>|```|~~~)               # a quotation, a block of code
    | ^[ \t]*(?:from|to|cc|subject|date|sent|reply-to)[ \t]*:[ \t]+\S  # the header of a mail
    | ^[ \t]*-{2,}[ ]*(?:original|forwarded)\b
    | ^[ \t]*on[ ].{6,80}[ ]wrote:
    | ^[ \t]*\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[ap]m)?\]?[ \t,-]+\S  # a chat
    | ^[ \t]*<[\w.@ -]{1,40}>[ \t]+\S
    | ^[ \t]*[\w.@-]{1,40}[ \t]+[\[(]?\d{1,2}:\d\d(?:[ ]?[ap]m)?[\])]?[ \t]*(?::|$)
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""Where something begins that was pasted: whose words follow is not known."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message."""

    text: str
    """On one line."""
    plain: bool
    """Whether it is the person's own, as far as that can be seen."""
    raw: str
    """Word for word, as it stands in the message."""
    listed: bool = False
    """Whether it stands in a list under a heading that says these are rules."""


def sentences(message: str) -> list[Sentence]:
    """Split a message into its sentences, in their order; questions are left out.

    Pasted text is not the person's word: what follows the first mark of a paste is not plain.
    """
    return _judged(message, short=_is_short(message))


def sentences_around_code(message: str) -> list[Sentence]:
    """Split a message likewise, but for its one block of code, which ends where its fence does.

    What stands around it is judged as a message without it would be. Two fences or more may be
    those of a page that was pasted, and whose words then stand between them is not known.
    """
    fences = [*_FENCE.finditer(message)]
    if len(fences) != 2 or fences[1]["info"] or fences[0]["marks"] != fences[1]["marks"]:
        return sentences(message)
    before, after = message[: fences[0].start()].rstrip(), message[fences[1].end() :]
    short = _is_short(before + after)
    first = _judged(before, short=short)
    return [*first, *_judged(after, short=short and all(each.plain for each in first))]


def _is_short(message: str) -> bool:
    return len(message) <= PLAIN_CHARACTERS and message.count("\n") < PLAIN_LINES


def _judged(message: str, *, short: bool) -> list[Sentence]:
    begins = _pasted_from(message)
    if begins is None:
        return _sentences_of(message, plain=short)
    return [
        *_sentences_of(message[:begins], plain=short),
        *_sentences_of(message[begins:], plain=False),
    ]


def _pasted_from(message: str) -> int | None:
    """Find where something begins that was pasted; a list of a person's own rules is not."""
    for found in _PASTE.finditer(message):
        line = message[message.rfind("\n", 0, found.start()) + 1 : found.start() + 1]
        if not (line.endswith(":") and HEADING.match(line)):
            return found.start()
    return None


def _sentences_of(said: str, *, plain: bool) -> list[Sentence]:
    own = _QUOTED_LINE.sub("", _CODE.sub("\n\n", said))
    reported = listed = False
    found: list[Sentence] = []
    for piece in _END.split(own):
        raw = _BULLET.sub("", piece).strip()
        text = " ".join(raw.split())
        if text:
            listed = HEADING.match(text) is not None or (listed and bool(_BULLET.match(piece)))
        if not text or text.endswith(("?", "\uff1f")):
            continue
        # Behind "the README says:" whatever follows may be quoted.
        reported = reported or bool(_REPORT.search(text)) or _opens_quote(text)
        found.append(Sentence(text, plain and not reported, raw, listed))
    return found


def _opens_quote(text: str) -> bool:
    """Tell whether a quotation begins that does not end in the sentence, or is all of it."""
    marks = text.count('"') + text.count("\u201c") + text.count("\u201d")
    return marks % 2 == 1 or text[0] in "\"'\u201c\u201e\u00ab"

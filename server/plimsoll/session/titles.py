"""What people call a session: the first line that a person said, without its markup."""

import re

TITLE_LENGTH = 60
PREVIEW_LENGTH = 160
"""Characters of a session's title and preview."""
_LOOKED_AT = 8_000
_LINE_LENGTH = 400
"""Characters in which a title is looked for; markup that never ends costs time."""

_CODE_BLOCK = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINE_MARKS = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(\*{1,3}|(?<!\w)_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"(`+)(.+?)\1")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


def title_of(text: str) -> str:
    """The first line that says something; of a text that is nothing but code, its first line."""
    text = text[:_LOOKED_AT]
    prose = _CODE_BLOCK.sub("", text)
    lines = (_plain(line) for line in prose.splitlines())
    found = next((line for line in lines if line), None)
    return shortened(found or _first_code_line(text), TITLE_LENGTH)


def preview_of(text: str) -> str:
    """The beginning of a message on one line."""
    return shortened(" ".join(text[:_LOOKED_AT].split()), PREVIEW_LENGTH)


def shortened(text: str, most: int) -> str:
    """The text, or as many whole words of it as fit, with an ellipsis."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    if not text[most - 1].isspace():
        start = cut.rfind(" ")
        # A long word, or a script without spaces, is cut where it stands.
        cut = cut[:start] if start > most // 2 else cut
    return f"{cut.rstrip(' ,;:-')}…"


def _plain(line: str) -> str:
    line = line[:_LINE_LENGTH]
    line = _TAG.sub("", _LINK.sub(r"\1", _LINE_MARKS.sub("", line)))
    line = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", _CODE.sub(r"\2", line)))
    plain = " ".join(line.split())
    return plain if any(character.isalnum() for character in plain) else ""


def _first_code_line(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    said = (line for line in lines if line and not line.startswith(("```", "~~~")))
    return " ".join(next(said, "").split())

"""The front matter of a ``SKILL.md``: the few texts of it that are used.

It is YAML, of which plain, quoted, folded and literal texts of the top level are read. Whatever
else stands there is passed over; nothing in it is ever built or run.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from plimsoll.text.lines import lines_of

_KEY = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?$")
_BLOCK = re.compile(r"([|>])[+-]?\d?[+-]?\s*(?:#.*)?$")
_COMMENT = re.compile(r"\s+#.*$")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a front matter, and the text behind it."""

    name: str
    description: str
    allowed_tools: bool
    """Whether it names tools that shall be allowed."""
    body: str


def front_matter(text: str) -> FrontMatter:
    """Split a text into front matter and body; without front matter all of it is the body."""
    lines = list(lines_of(text))
    if not lines or lines[0].rstrip() != "---":
        return FrontMatter("", "", allowed_tools=False, body=text)
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        return FrontMatter("", "", allowed_tools=False, body=text)
    found = dict(_fields(lines[1:end]))
    return FrontMatter(
        name=found.get("name", ""),
        description=found.get("description", ""),
        allowed_tools="allowed-tools" in found,
        body="\n".join(lines[end + 1 :]),
    )


def _fields(lines: list[str]) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(lines):
        key = _KEY.match(lines[at])
        at += 1
        if key is None:
            continue
        begin = at
        while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t"):
            at += 1
        yield key[1], _value((key[2] or "").strip(), lines[begin:at])


def _value(first: str, more: list[str]) -> str:
    """Return the text of a field, which may continue on the lines below its key."""
    rest = [line.strip() for line in more]
    block = _BLOCK.match(first)
    if block is not None:
        return ("\n" if block[1] == "|" else " ").join(rest).strip()
    whole = " ".join([first, *rest]).strip()
    if len(whole) > 1 and whole[0] == whole[-1] == "'":
        return whole[1:-1].replace("''", "'")
    if len(whole) > 1 and whole[0] == whole[-1] == '"':
        return _unquote(whole)
    return _COMMENT.sub("", whole)


def _unquote(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        # An escape that JSON does not know.
        return text[1:-1]

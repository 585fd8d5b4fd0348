"""The front matter of a Markdown file: the texts and lists of its top level.

It is YAML, of which plain, quoted, folded and literal texts are read, and lists of texts. Whatever
else stands there is passed over; nothing in it is ever built or run.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from plimsoll.text.lines import lines_of

_KEY = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?$")
_BLOCK = re.compile(r"([|>])[+-]?\d?[+-]?\s*(?:#.*)?$")
_COMMENT = re.compile(r"\s+#.*$")
_ITEM = re.compile(r"-(?:[ \t]+|$)")
# A name may have a part in brackets that holds commas: `Bash(git add, git commit)`.
_LISTED = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^,(]|\([^)]*\)?)+)""")
_QUOTED_ITEM = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s+#.*$""")
_NOTHING = frozenset({"", "~", "null"})

Raw = tuple[str, tuple[str, ...]]
"""What stands behind the key, and the lines that belong to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """The fields of a front matter, and the text behind it."""

    body: str
    fields: Mapping[str, Raw] = field(default_factory=dict[str, Raw])
    problem: str | None = None
    """Why it cannot be read for sure, in words that follow the file's name."""

    @property
    def name(self) -> str:
        """The field ``name``; empty if it is missing."""
        return self.text("name")

    @property
    def description(self) -> str:
        """The field ``description``; empty if it is missing."""
        return self.text("description")

    @property
    def allowed_tools(self) -> bool:
        """Whether it names tools that shall be allowed."""
        return "allowed-tools" in self.fields

    def text(self, name: str) -> str:
        """Return the text of a field; empty if there is none."""
        first, more = self.fields.get(name, ("", ()))
        return _value(first, more)

    def words(self, name: str) -> tuple[str, ...] | None:
        """Return the texts of a list, in any of its spellings; None if nothing stands there."""
        first, more = self.fields.get(name, ("", ()))
        rest = [line.strip() for line in more if line.strip() and line.strip()[0] != "#"]
        if not rest and (first.startswith("#") or _COMMENT.sub("", first) in _NOTHING):
            return None
        if rest and not first and all(_ITEM.match(line) for line in rest):
            return tuple(filter(None, (_item(_ITEM.sub("", line, count=1)) for line in rest)))
        whole = _COMMENT.sub("", " ".join([first, *rest])).strip()
        inner = whole[1:-1] if whole[:1] == "[" and whole[-1:] == "]" else whole
        return tuple(filter(None, (_plain(each[1]) for each in _LISTED.finditer(inner))))


def front_matter(text: str) -> FrontMatter:
    """Split a text into front matter and body; without front matter all of it is the body."""
    lines = list(lines_of(text))
    if not lines or lines[0].rstrip() != "---":
        return FrontMatter(body=text)
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        return FrontMatter(body=text, problem="has a front matter without an end")
    head = lines[1:end]
    wrong = next((at for at, line in enumerate(head, 2) if not _belongs(line)), None)
    return FrontMatter(
        fields=dict(_fields(head)),
        body="\n".join(lines[end + 1 :]),
        problem=None if wrong is None else f"has no `name: value` in line {wrong}",
    )


def _belongs(line: str) -> bool:
    """Tell whether a line is a field, or may continue one."""
    return not line.strip() or line[0] in " \t#" or bool(_KEY.match(line) or _ITEM.match(line))


def _fields(lines: list[str]) -> Iterator[tuple[str, Raw]]:
    at = 0
    while at < len(lines):
        key = _KEY.match(lines[at])
        at += 1
        if key is None:
            continue
        begin = at
        while at < len(lines) and _continues(lines[at], listed=not key[2]):
            at += 1
        yield key[1], ((key[2] or "").strip(), tuple(lines[begin:at]))


def _continues(line: str, *, listed: bool) -> bool:
    return not line.strip() or line[0] in " \t" or (listed and _ITEM.match(line) is not None)


def _value(first: str, more: tuple[str, ...]) -> str:
    """Return the text of a field, which may continue on the lines below its key."""
    rest = [line.strip() for line in more]
    block = _BLOCK.match(first)
    if block is not None:
        return ("\n" if block[1] == "|" else " ").join(rest).strip()
    return _plain(" ".join([first, *rest]))


def _item(text: str) -> str:
    quoted = _QUOTED_ITEM.match(text)
    return _plain(quoted[1] if quoted else text)


def _plain(text: str) -> str:
    """Return a text without its quotes or the comment behind it."""
    whole = text.strip()
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

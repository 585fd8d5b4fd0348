"""Names in texts, such as paths and identifiers, and the results that were referred to by them.

Only the log decides, so that the same log gives the same answer on every machine.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import is_
from posixpath import basename

from plimsoll.context.index.results import ResultIndex, Unread
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind, Role, part_item
from plimsoll.context.view.view import RenderedGroup, RenderedItem, RenderedMessage

_LINE_NUMBER = re.compile(r"^ *\d+[\t→]", re.MULTILINE)
"""The line number that a tool puts before a line; it is not a name."""
_WORD = re.compile(r"(?:\b[a-z]{2,9}+://)?[\w#/~.][\w/~.-]*\(?")
"""A run of characters that may hold names; texts repeat most runs, so each is read once."""
_PATH = r"(?:[a-z]++:/)?(?:[\w.~-]*+/)+[\w.-]*\w"
"""Paths and web addresses."""
_OTHER_NAME = (
    r"\b\d{4}-\d\d-\d\d(?!\d)"  # days
    r"|[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)+"  # dotted names
    r"|[A-Za-z]++_\w+|_++[A-Za-z]\w*"  # snake case
    r"|[a-z]++[A-Z]\w*|[A-Z][a-z0-9]++[A-Z]\w*|[A-Z]{2,}+[a-z]\w+"  # camel case
    r"|[A-Za-z_]\w{2,}+(?=\()"  # calls and definitions
    r"|\b[A-Z][A-Z0-9_]{3,}+\b"  # constants
    r"|#\d{2,}+|\b\d{3,}+\b|\b0x[0-9a-fA-F]{4,}+\b|\b[0-9a-f]{7,40}+\b"  # numbers, hashes
)
_NAMES = {True: re.compile(f"{_PATH}|{_OTHER_NAME}"), False: re.compile(_OTHER_NAME)}
"""Patterns for names in runs with a slash, and in those without, which cannot hold a path.

Runs are joined by line ends, which no name contains.
"""
_PLAIN_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|\d{3,}")
LONGEST_NAME = 120
"""Characters; a longer match is data, not a name."""
LONGEST_WORD = 400
"""Characters of a run; a longer one is data."""
MOST_OF_TEXT = 100_000
"""How many different runs or words of one text are read, give or take a piece; a text with more is
data, and they would all stay in memory."""
_PIECE_LENGTH = 20_000
"""Characters of a text that are matched at once."""
_BETWEEN = re.compile(r"[^\w/~.#(\t→:-]")
"""Characters that belong to no run and no word."""


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text in order of appearance, without repetition."""
    words = [word for word in _different(_WORD, text, numbered=True) if len(word) <= LONGEST_WORD]
    found: dict[str, None] = {}
    for slash, run in groupby(words, key=_has_slash):
        found.update(dict.fromkeys(_NAMES[slash].findall("\n".join(run))))
    return tuple(name for name in found if len(name) <= LONGEST_NAME)


def _has_slash(word: str) -> bool:
    return "/" in word


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, including the parts of names, in lower case."""
    return frozenset(map(str.lower, _different(_PLAIN_WORD, text)))


def _different(kind: re.Pattern[str], text: str, *, numbered: bool = False) -> dict[str, None]:
    """Return the different matches in order of appearance, up to the limit.

    ``kind`` matches no white space and treats it as the end of the text, so that the text can be
    matched in pieces. ``numbered``: skip the line numbers, which still count towards the limit.
    """
    found: dict[str, None] = {}
    start = numbers = 0
    # In pieces: a list of all of a text takes ten times its room.
    while start < len(text) and len(found) + numbers < MOST_OF_TEXT:
        end = _end_of_piece(text, start)
        piece = text[start:end] if end - start < len(text) else text
        if numbered and ("\t" in piece or "→" in piece):
            # What goes on in a line has no number of it, and stands behind what is in no match.
            goes_on = "|" if start and text[start - 1] != "\n" else ""
            piece, count = _LINE_NUMBER.subn(" ", goes_on + piece)
            numbers += count
        found.update(dict.fromkeys(kind.findall("\n".join(dict.fromkeys(piece.split())))))
        start = end
    return found


def _end_of_piece(text: str, start: int) -> int:
    """Return where a piece of a text may end: after a line, else after one that no match has."""
    least = start + _PIECE_LENGTH
    if len(text) <= least:
        return len(text)
    line = text.find("\n", least, least + _PIECE_LENGTH)
    if line >= 0:
        return line + 1
    between = _BETWEEN.search(text, least)
    return between.end() if between else len(text)


class NameIndex:
    """The names of texts, each text read once, and counts of the names in a view."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._standing: dict[str, int] = {}
        self._lines: dict[int, tuple[RenderedMessage, ...]] = {}
        self._head: tuple[RenderedItem, ...] = ()

    def of(self, text: str) -> tuple[str, ...]:
        """Return the names of a text in order of appearance, without repetition.

        May be called on any thread: the names depend only on the text.
        """
        known = self._names.get(text)
        if known is None:
            known = self._names[text] = names_in(text)
        return known

    def find_cached(self, text: str) -> tuple[str, ...] | None:
        """Return the stored names of a text; None if the text was not read yet."""
        return self._names.get(text)

    def put(self, text: str, names: tuple[str, ...]) -> None:
        """Store the names of a text that were found earlier."""
        self._names[text] = names

    def counts_in_view(
        self, head: tuple[RenderedItem, ...], groups: Iterable[RenderedGroup]
    ) -> Mapping[str, int]:
        """Count the items of a view that hold each name, updating from the last view asked for.

        ``head``: the items before the first group.
        """
        if head != self._head:
            self._count(self._head, -1)
            self._count(head, 1)
            self._head = head
        for group in groups:
            before = self._lines.get(group.index, ())
            if group.lines is not before:
                if not _same_texts(before, group.lines):
                    self._count((s for line in before for s in line.shown), -1)
                    self._count((s for line in group.lines for s in line.shown), 1)
                self._lines[group.index] = group.lines
        return self._standing

    def _count(self, shown: Iterable[RenderedItem], sign: int) -> None:
        standing = self._standing
        for each in shown:
            for name in self.of(each.part.text):
                left = standing.get(name, 0) + sign
                if left:
                    standing[name] = left
                else:
                    del standing[name]


def _same_texts(before: Sequence[RenderedMessage], now: Sequence[RenderedMessage]) -> bool:
    """Tell whether two lists of messages have the same texts and differ at most in tokens."""
    texts = ([s.part.text for line in lines for s in line.shown] for lines in (before, now))
    one, other = texts
    return len(one) == len(other) and all(map(is_, one, other))


_DECISION = re.compile(
    r"\b(based on|I'll use|I will use|let's use|we'll use|the (?:issue|bug|problem|cause) is"
    r"|the fix is|decided|turns out|confirmed)\b",
    re.IGNORECASE,
)
_SPEAKING = frozenset({PartKind.TEXT, PartKind.REASONING, PartKind.CALL})
MOST_HOLDERS = 4
"""A name in more results than this does not say which of them was meant."""


class References:
    """Counts which tool results the assistant referred to later, by the names that it used."""

    def __init__(self, names: NameIndex, results: ResultIndex, messages: Sequence[Said]) -> None:
        self._names = names
        self._results = results
        self._holders: dict[str, tuple[str, ...]] = {}
        """Names that occur in one text only share one value: there are many of them."""
        self._spoken: dict[str, int] = {}
        """How many messages of people and the assistant used each name."""
        self._references: dict[str, int] = {}
        self._decided: set[str] = set()
        self._unread = Unread(messages)

    def counts(self) -> Mapping[str, int]:
        """Return for each result how many later messages of the assistant referred to it."""
        self._read_new()
        return self._references

    def uses(self) -> Mapping[str, int]:
        """Return for each name how many messages of people and the assistant used it."""
        self._read_new()
        return self._spoken

    def decision_results(self) -> set[str]:
        """Return the results that the assistant referred to where it announced a decision."""
        self._read_new()
        return self._decided

    def _read_new(self) -> None:
        for said in self._unread.take_new():
            if said.role is Role.TOOL:
                self._add_result(said)
            else:
                self._add_message(said)

    def _add_result(self, said: Said) -> None:
        """Index the names of a result and its file, without names that people used before."""
        for number, part in enumerate(said.parts):
            item = part_item(said.id, number)
            result = self._results.of(item)
            path = result.path if result else None
            for name in (path, basename(path)) if path else ():
                self._holders[name] = (*self._holders.get(name, ()), item)
            alone = (item,)
            names: dict[str, tuple[str, ...]] = dict.fromkeys(self._names.of(part.text), alone)
            for name in names.keys() & self._spoken.keys():
                del names[name]
            for name in names.keys() & self._holders.keys():
                names[name] = (*self._holders[name], item)
            self._holders.update(names)

    def _add_message(self, said: Said) -> None:
        texts = [part.text for part in said.parts if part.kind in _SPEAKING]
        names = {name for text in texts for name in self._names.of(text)}
        if said.role is Role.ASSISTANT:
            meant = {item for name in names for item in self._results_meant(name)}
            for item in meant:
                self._references[item] = self._references.get(item, 0) + 1
            if meant and any(_DECISION.search(text) for text in texts):
                self._decided |= meant
        for name in names:
            self._spoken[name] = self._spoken.get(name, 0) + 1

    def _results_meant(self, name: str) -> Sequence[str]:
        holders = self._holders.get(name, ())
        return holders if len(holders) <= MOST_HOLDERS else ()

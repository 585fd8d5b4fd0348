"""What an answer or a call repeats word for word from earlier results, and what an edit replaces.

A span is a whole line of twenty characters and more, or a run of forty in a line. No note holds
one, whatever names it lists.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.messages import Role
from plimsoll.session.transfer.incoming import Incoming

SHORTEST_LINE = 20
"""Characters of a whole line that counts."""
SHORTEST_RUN = 40
"""Characters of a run inside a line that counts."""
_GRAM = SHORTEST_RUN // 2
"""Every run holds a piece of so many characters that begins at a multiple of it in its source."""
_HOLDERS = 8
"""The newest lines that are looked at for where a run stands; others only say it again."""
_NUMBER = re.compile(r"^ *\d+(?:\t|→|:|\|)", re.MULTILINE)
"""What a tool puts before a line of a file."""
_OLD = frozenset({"old", "old_str", "old_string", "old_text", "oldString", "oldText", "search"})
"""What editing tools call the text that they replace."""


@dataclass(frozen=True, slots=True)
class VerbatimSpan:
    """A text that an answer or one of its calls repeats from an earlier result."""

    request: int
    """Number of the request that produced the answer, from 0."""
    text: str
    source: int
    """Number of the message with the newest result that held it."""


@dataclass(frozen=True, slots=True)
class OldText:
    """A text that an edit replaces, and that an earlier message had shown."""

    request: int
    text: str
    source: int
    """Number of the newest message that held it."""


def spans_of(messages: Sequence[Incoming]) -> Iterator[VerbatimSpan]:
    """Yield the spans that each answer repeats from results before it, each once in an answer."""
    shown, request = _Shown(), 0
    for number, message in enumerate(messages):
        if message.role is Role.TOOL:
            shown.add(number, spoken_text(message))
        elif message.role is Role.ASSISTANT:
            found = dict(shown.find_repeated(spoken_text(message)))
            yield from (VerbatimSpan(request, text, source) for text, source in found.items())
            request += 1


def old_texts(messages: Sequence[Incoming]) -> Iterator[OldText]:
    """Yield the texts that edits replace, if an earlier message had shown them."""
    request, before = 0, list[tuple[int, str]]()
    for number, message in enumerate(messages):
        if message.role is Role.ASSISTANT:
            replaced = (old for call in message.calls for old in _replaced_texts(call.arguments))
            for old in dict.fromkeys(replaced):
                source = next((n for n, text in reversed(before) if old in text), None)
                if source is not None:
                    yield OldText(request, old, source)
            request += 1
        before.append((number, strip_line_numbers(spoken_text(message))))


def strip_line_numbers(text: str) -> str:
    """Return a text without the numbers that a tool put before its lines."""
    return _NUMBER.sub("", text)


def argument_texts(arguments: str) -> str:
    """Return the texts of a call's arguments, without JSON's escapes."""
    return "\n".join(_texts(json.loads(arguments)))


class _Shown:
    """The lines and pieces that results have shown, with the newest message of each."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}
        self._pieces: dict[str, list[tuple[str, int, int]]] = {}

    def add(self, number: int, text: str) -> None:
        for row in text.split("\n"):
            stripped = row.strip()
            for line in {stripped, _NUMBER.sub("", row).strip()}:
                if _is_line(line):
                    self._lines[line] = number
            for start in range(0, len(row) - _GRAM + 1, _GRAM):
                held = self._pieces.setdefault(row[start : start + _GRAM], [])
                held.append((row, start, number))
                del held[:-_HOLDERS]

    def find_repeated(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield the spans of an answer, each with its newest source."""
        for row in dict.fromkeys(text.split("\n")):
            line = row.strip()
            source = self._lines.get(line) if _is_line(line) else None
            if source is not None:
                yield line, source
            else:
                yield from self._runs(row)

    def _runs(self, row: str) -> Iterator[tuple[str, int]]:
        """Yield the longest pieces of a line that lines of results also have, without overlap."""
        free, place = 0, 0
        while place + _GRAM <= len(row):
            held = self._pieces.get(row[place : place + _GRAM], ())
            found = [
                (*_run(row, other, place=place, at=at, free=free), number)
                for other, at, number in held
            ]
            start, end, number = max(found, key=_length, default=(place, place, 0))
            run = row[start:end].strip()
            if len(run) >= SHORTEST_RUN and any(c.isalpha() for c in run):
                yield run, number
                free = place = end
            else:
                place += 1


def _length(found: tuple[int, int, int]) -> tuple[int, int]:
    start, end, number = found
    return end - start, number


def _run(row: str, other: str, *, place: int, at: int, free: int) -> tuple[int, int]:
    """Widen a common piece of two lines to both sides, to the left no further than ``free``."""
    start, end = place, place + _GRAM
    shift = at - place
    while start > max(free, -shift) and row[start - 1] == other[shift + start - 1]:
        start -= 1
    most = min(len(row) - place, len(other) - at)
    while end - place < most and row[end] == other[at + end - place]:
        end += 1
    return start, end


def _is_line(line: str) -> bool:
    return len(line) >= SHORTEST_LINE and any(c.isalpha() for c in line)


def spoken_text(message: Incoming) -> str:
    """Join all texts of a message, the arguments of its calls without JSON's escapes."""
    values = (text for call in message.calls for text in _texts(call.arguments))
    return "\n".join([*(part.text for part in message.parts), *values])


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of which a JSON value is made; the names of its fields are the tool's."""
    if isinstance(value, dict):
        for each in cast("dict[str, object]", value).values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _texts(each)
    else:
        yield str(value)


def _replaced_texts(value: object) -> Iterator[str]:
    """Yield the old texts that the arguments of a call name, at whatever depth."""
    if isinstance(value, dict):
        for name, each in cast("Mapping[str, object]", value).items():
            if name in _OLD and isinstance(each, str):
                yield from [each] if each.strip() else []
            else:
                yield from _replaced_texts(each)
    elif isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _replaced_texts(each)

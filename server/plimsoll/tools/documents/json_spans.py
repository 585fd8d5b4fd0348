"""Where the values of a JSON text stand in it, so that one of them can be replaced alone."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonSpan:
    """A value and its place in the text."""

    start: int
    end: int
    value: object


def value_at(text: str, at: int = 0) -> JsonSpan:
    """Read the JSON value that begins at an offset, after blanks.

    Raises:
        ValueError: There is none.
    """
    start = _after_blanks(text, at)
    value, end = _DECODER.raw_decode(text, start)
    return JsonSpan(start, end, value)


def members(text: str, span: JsonSpan) -> dict[str, JsonSpan]:
    """Return the members of a JSON object by name; empty for any other value."""
    return dict(_members(text, span)) if isinstance(span.value, dict) else {}


def elements(text: str, span: JsonSpan) -> list[JsonSpan]:
    """Return the elements of a JSON array; empty for any other value."""
    return list(_elements(text, span)) if isinstance(span.value, list) else []


def _members(text: str, span: JsonSpan) -> Iterator[tuple[str, JsonSpan]]:
    if not span.value:
        return
    at = span.start
    while text[at] != "}":
        name = value_at(text, at + 1)
        value = value_at(text, _after_blanks(text, name.end) + 1)
        yield str(name.value), value
        at = _after_blanks(text, value.end)


def _elements(text: str, span: JsonSpan) -> Iterator[JsonSpan]:
    if not span.value:
        return
    at = span.start
    while text[at] != "]":
        value = value_at(text, at + 1)
        yield value
        at = _after_blanks(text, value.end)


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()

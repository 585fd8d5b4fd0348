"""Paths and URIs, lines and ranges."""

from pathlib import Path
from urllib.parse import unquote, urlparse

from plimsoll.errors import InvalidInput
from plimsoll.lsp.protocol.content import Position, Range


def path_of(uri: str) -> Path:
    """The path of a file URI; raises InvalidInput."""
    parsed = urlparse(uri)
    if parsed.scheme != "file":
        raise InvalidInput(f"{uri!r} is not a file on this machine.", remedy="Name a local file.")
    return Path(unquote(parsed.path))


def range_of(lines: tuple[int, int] | None) -> Range | None:
    """Lines from 1, both included, as a range whose end is exclusive."""
    if lines is None:
        return None
    return Range(
        start=Position(line=lines[0] - 1, character=0), end=Position(line=lines[1], character=0)
    )


def lines_of(selected: Range | None) -> tuple[int, int] | None:
    """A range as lines from 1, both included; a last line that is not entered does not count."""
    if selected is None:
        return None
    entered = selected.end.character > 0 or selected.end.line == selected.start.line
    last = selected.end.line + 1 if entered else selected.end.line
    return (selected.start.line + 1, last)

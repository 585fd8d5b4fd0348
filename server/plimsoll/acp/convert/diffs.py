"""The changes of a call as ACP shows them: a path with the old and the new text of each place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from plimsoll.lsp.transport.bodies import member

Diff = dict[str, object]

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_OLD, _NEW = "--- ", "+++ "
_NOWHERE = "/dev/null"
_NO_LINE_FEED = "\\"
OLD_NAMES, NEW_NAMES = ("old_string", "old_str"), ("new_string", "new_str")
CONTENT_NAMES = ("content", "file_text")
"""The names under which our tools, and those of other agents, take the texts of an edit."""


def diffs_of(unified: str, root: Path) -> list[Diff]:
    """Return the places that a unified diff changes, in their order; paths are below ``root``."""
    return list(_places(unified.split("\n"), root))


def _places(rows: Sequence[str], root: Path) -> Iterator[Diff]:
    path, is_new, at = "", False, 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if row.startswith(_OLD):
            is_new = row.removeprefix(_OLD) == _NOWHERE
        elif row.startswith(_NEW):
            path = str(root / row.removeprefix(_NEW).removeprefix("b/"))
        elif (hunk := _HUNK.match(row)) is not None:
            old, new, at = _texts(rows, at, int(hunk[1] or 1), int(hunk[2] or 1))
            yield diff(path, None if is_new else old, new)


def _texts(rows: Sequence[str], at: int, old_left: int, new_left: int) -> tuple[str, str, int]:
    """Read the lines of a hunk; by their number, as a changed line can look like a heading."""
    old: list[str] = []
    new: list[str] = []
    while at < len(rows) and (old_left or new_left or rows[at].startswith(_NO_LINE_FEED)):
        sign, text = rows[at][:1], f"{rows[at][1:]}\n"
        at += 1
        if sign == _NO_LINE_FEED:
            _drop_line_feed(old, new, before=rows[at - 2][:1])
            continue
        if sign in (" ", "-"):
            old.append(text)
            old_left -= 1
        if sign in (" ", "+"):
            new.append(text)
            new_left -= 1
    return "".join(old), "".join(new), at


def _drop_line_feed(old: list[str], new: list[str], before: str) -> None:
    """Take the line feed from the last line, which has none in the file."""
    for lines, signs in ((old, " -"), (new, " +")):
        if before in signs and lines:
            lines[-1] = lines[-1].removesuffix("\n")


def diffs_of_arguments(arguments: Mapping[str, object], root: Path) -> list[Diff]:
    """Return the places that a past edit changed, as far as its arguments tell."""
    named = arguments.get("path")
    if not isinstance(named, str):
        return []
    path = str(root / named)
    listed = arguments.get("edits")
    edits = cast("list[object]", listed) if isinstance(listed, list) else [arguments]
    pairs = ((_first(edit, OLD_NAMES), _first(edit, NEW_NAMES)) for edit in edits)
    found = [diff(path, old, new) for old, new in pairs if new is not None]
    content = _first(arguments, CONTENT_NAMES)
    return found or ([diff(path, None, content)] if content is not None else [])


def _first(given: object, names: Sequence[str]) -> str | None:
    found = (member(given, name) for name in names)
    return next((each for each in found if isinstance(each, str)), None)


def diff(path: str, old: str | None, new: str) -> Diff:
    """Make the diff of one place; ``old`` is None for a new file."""
    return {"type": "diff", "path": path, "oldText": old, "newText": new}

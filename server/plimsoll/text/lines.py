"""The lines of a text, and versions by which a text or some lines of it are known again."""

import hashlib
from collections.abc import Iterable, Iterator


def version_of(text: str) -> str:
    """Return the version of a text: a hash that is the same in a buffer and on disk."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def version_of_lines(lines: Iterable[str]) -> str:
    """Return the version of some lines, however they end."""
    return version_of("\n".join(lines))


def lines_of(text: str) -> Iterator[str]:
    """Split into lines as grep and editors do: ended by LF or CRLF, no empty one at the end."""
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
    return (row.removesuffix("\r") for row in rows)


def line_range(first: int, last: int) -> str:
    """Write the numbers of some lines: ``12``, or ``12-20``."""
    return str(first) if first == last else f"{first}-{last}"


def lines_said(first: int, last: int) -> str:
    """Say which lines: ``line 12``, or ``lines 12-20``."""
    return f"line{'' if first == last else 's'} {line_range(first, last)}"

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

"""How much a search found or a read brought, as the result of the call keeps it."""

from dataclasses import dataclass

from plimsoll.text.wording import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much a search found, or a read brought."""

    matches: int | None = None
    """The lines that match, of a search of lines."""
    files: int | None = None
    """The files in which those stand, or that were found by name."""
    searched: int | None = None
    """The files that were looked through in vain; none: nobody knows."""
    lines: int | None = None
    """The lines that were read."""
    more: bool = False
    """There may be more: the search was stopped, or had enough."""


def counts_words(counts: Counts) -> str:
    """Say it to people: ``12 matches in 3 files``, ``nothing in 340 files``, ``80 lines``."""
    if counts.lines is not None:
        return plural(counts.lines, "line")
    so_far = " so far" if counts.more else ""
    files = plural(counts.files or 0, "file")
    if counts.matches:
        return f"{plural(counts.matches, 'match', 'matches')} in {files}{so_far}"
    if counts.files:
        return f"{files}{so_far}"
    where = "" if counts.searched is None else f" in {plural(counts.searched, 'file')}"
    return f"nothing{where}{so_far}"

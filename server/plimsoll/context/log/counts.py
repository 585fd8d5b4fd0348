"""Counts of what a search found or a read returned, stored with the call's result."""

from dataclasses import dataclass

from plimsoll.text.wording import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of the matches and files of a search, or of the lines of a read."""

    matches: int | None = None
    """Matching lines, for a search of lines."""
    files: int | None = None
    """Files with matching lines, or files found by name."""
    searched: int | None = None
    """Files searched without a match; none if unknown."""
    lines: int | None = None
    """Lines that were read."""
    more: bool = False
    """Whether there may be more, as the search was stopped or reached its limit."""


def counts_words(counts: Counts) -> str:
    """Format counts for people, such as ``12 matches in 3 files`` or ``80 lines``."""
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

"""Patterns that a model gives: globs and regular expressions, none of which can run for ever.

Law: every match has a time limit. A pattern is text of a stranger, and backtracking can turn
thirty characters into years.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.search.wildcards import translated

if TYPE_CHECKING:
    import regex

_LONGEST = 1000
# Matching one path takes microseconds; a second means a pattern that would never end.
_GLOB_SECONDS = 1.0


def glob_matcher(pattern: str, *, anywhere: bool = False) -> Callable[[str], bool]:
    """Whether a relative path with ``/`` matches.

    ``*`` and ``?`` stay in one name, ``**`` crosses folders, ``[a-z]``, ``[!a]`` and ``{a,b}``
    choose. ``anywhere``: a pattern without ``/`` matches the name alone, in any folder.

    Raises:
        ToolFailed: The pattern is too long or cannot be read; from a match: it takes too long.
    """
    spelled = pattern.removeprefix("./").removeprefix("/")
    if anywhere and "/" not in pattern:
        spelled = f"**/{spelled}"
    try:
        expression = translated(spelled, braces=True)
    except ValueError as error:
        raise ToolFailed(f"The glob {visible_line(pattern)} cannot be read: {error}.") from error
    search = compiled(expression, what="glob", said=pattern)

    def matches(path: str) -> bool:
        try:
            return search.match(path, timeout=_GLOB_SECONDS) is not None
        except TimeoutError as error:
            shown = visible_line(pattern)
            raise ToolFailed(f"The glob {shown} takes too long. Use fewer stars.") from error

    return matches


def compiled(
    expression: str, *, what: str, said: str, ignore_case: bool = False
) -> "regex.Pattern[str]":
    """An expression of the engine whose matches take a time limit; ``^`` and ``$`` mean lines.

    Raises:
        ToolFailed: It is too long or cannot be read; the message says where.
    """
    # Loaded late: only searching needs it, and start-up is a promise.
    import regex

    if len(said) > _LONGEST:
        raise ToolFailed(f"The {what} has {len(said)} characters; at most {_LONGEST} are taken.")
    try:
        case = regex.IGNORECASE if ignore_case else 0
        return regex.compile(expression, regex.MULTILINE | case)
    except regex.error as error:
        raise ToolFailed(
            f"The {what} {visible_line(said)} cannot be read: {error}. "
            "To find ( ) [ ] { } . * + ? | ^ $ \\ as they are, put a backslash before them."
        ) from error

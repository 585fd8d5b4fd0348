"""Reads the globs that a model gives by the names of the tree that is searched.

Law: frameworks write in names what chooses in patterns (``app/[slug]``, ``src/{{name}}``). A part
of a pattern that is the name of something that is there means that too, whatever the other parts
mean.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product, takewhile
from math import prod

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import unescape_hidden, visible_line
from plimsoll.tools.search.patterns import check_length, choices, compile_pattern, translate_glob

_CHOOSING = frozenset("[]{}")
_SIGN = re.compile(r"[\[\]{}*?!\\]")
_CHOICE = re.compile(r"[\[\]{}]")
_WILD = frozenset("*?")
# Each part that is a name doubles what a pattern stands for.
_MOST_READINGS = 32
_MOST_WAYS = 1_000
# Matching one path takes microseconds; a second means a pattern that would never end.
_GLOB_SECONDS = 1.0


def check_glob(pattern: str) -> None:
    """Check a glob as far as that is possible without the names in the searched tree.

    Raises:
        ToolFailed: The glob is too long, or cannot be read with any names.
    """
    check_length(pattern, "glob")
    if not may_be_names(pattern):
        glob_matcher(pattern)


def glob_matcher(
    pattern: str, *, anywhere: bool = False, names: Collection[str] = ()
) -> Callable[[str], bool]:
    """Compile a glob to a function that tells whether a relative path with ``/`` matches.

    ``*`` and ``?`` stay in one name, ``**`` crosses folders, ``[a-z]``, ``[!a]`` and ``{a,b}``
    choose; characters may be written as tools show them: ``a⟨U+00A0⟩b``. ``anywhere``: a pattern
    without ``/`` matches the name alone, in any folder. ``names``: existing names of files and
    folders; a part of the pattern that is one of them also matches it.

    Raises:
        ToolFailed: The pattern is too long or cannot be read; from a match: it takes too long.
    """
    check_length(pattern, "glob")
    spelled = _strip_root(pattern)
    if anywhere and "/" not in pattern:
        spelled = f"**/{spelled}"
    try:
        expressions = _Reading(names).expressions(spelled)
    except ValueError as error:
        raise _unreadable(pattern, error) from error
    return _matcher("|".join(expressions), pattern)


def may_be_names(pattern: str) -> bool:
    """Tell whether a part of a pattern may be a literal name, as in ``app/[slug]``."""
    return not _CHOOSING.isdisjoint(pattern) or _is_shown(pattern)


def fixed_folders(pattern: str) -> tuple[str, ...]:
    """Return the folders at the beginning of a pattern that contain no wildcard."""
    return tuple(takewhile(_is_fixed, _strip_root(pattern).split("/")[:-1]))


def names_for(pattern: str, paths: Iterable[str]) -> frozenset[str]:
    """Return the names in these paths that a part of a pattern may stand for literally.

    As in ``app/[slug]``. Empty for a pattern without brackets or braces.
    """
    if not any(_chooses(meant) for meant in _pattern_readings(pattern)):
        return frozenset()
    choosing = filter(_chooses, paths)
    return frozenset(part for path in choosing for part in path.split("/") if _chooses(part))


class _Reading:
    """Reads a pattern as a glob, and as literal names where files have such names."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._literals: dict[str, str | None] = {}

    def expressions(self, pattern: str) -> list[str]:
        """Return the expressions for a pattern; raise ValueError if it cannot be read as a glob.

        An unreadable pattern is no error if a part of it is a literal name.
        """
        found: dict[str, None] = {}
        unreadable: ValueError | None = None
        for way in self._ways(pattern):
            try:
                if isinstance(way, ValueError):
                    raise way
                found[translate_glob(way, strict=True)] = None
            except ValueError as error:
                unreadable = error
            if len(found) > _MOST_WAYS:
                raise ValueError(f"it stands for more than {_MOST_WAYS:,} patterns")
        if unreadable is not None and not any(self._literals.values()):
            raise unreadable
        return [*found]

    def _ways(self, pattern: str) -> Iterator[str | ValueError]:
        """Yield the patterns that remain without braces, and an error for each unreadable one."""
        # Before the braces are taken apart, as they may be those of a name, and afterwards, as a
        # name may stand in them.
        for meant in _pattern_readings(pattern):
            for each in self._read(meant):
                try:
                    for way in choices(each):
                        yield from self._read(way)
                except ValueError as error:
                    yield error

    def _read(self, pattern: str) -> Iterator[str]:
        """Yield a pattern, with each part that can be a literal name also read as that name."""
        readings = [self._readings(part) for part in pattern.split("/")]
        if prod(map(len, readings)) <= _MOST_READINGS:
            yield from map("/".join, product(*readings))
            return
        yield "/".join(each[0] for each in readings)
        yield "/".join(each[-1] for each in readings)

    def _readings(self, part: str) -> tuple[str, ...]:
        if part not in self._literals:
            self._literals[part] = self._literal(part)
        literal = self._literals[part]
        return (part,) if literal is None else (part, literal)

    def _literal(self, part: str) -> str | None:
        """Escape a part so that it matches existing names literally; None if no name fits."""
        if part in self._names:
            return _SIGN.sub(r"\\\g<0>", part)
        if _WILD.isdisjoint(part) or not _chooses(part) or "\\" in part:
            return None
        # With a star beside what would choose: ``[slug].*``.
        literal = _CHOICE.sub(r"\\\g<0>", part)
        matches = _matcher(translate_glob(literal, strict=True), part)
        return literal if any(map(matches, self._names)) else None


def _matcher(expression: str, said: str) -> Callable[[str], bool]:
    search = compile_pattern(f"(?s)(?:{expression})\\Z", what="glob", said=said)

    def matches(path: str) -> bool:
        try:
            return search.match(path, timeout=_GLOB_SECONDS, concurrent=True) is not None
        except TimeoutError as error:
            shown = visible_line(said)
            raise ToolFailed(f"The glob {shown} takes too long. Use fewer stars.") from error

    return matches


def _unreadable(pattern: str, error: ValueError) -> ToolFailed:
    return ToolFailed(f"The glob {visible_line(pattern)} cannot be read: {error}.")


def _strip_root(pattern: str) -> str:
    return pattern.removeprefix("./").removeprefix("/")


def _chooses(text: str) -> bool:
    return not _CHOOSING.isdisjoint(text)


def _is_fixed(part: str) -> bool:
    return part not in {"", "."} and not _SIGN.search(part) and not _is_shown(part)


def _is_shown(pattern: str) -> bool:
    return unescape_hidden(pattern) != pattern


def _pattern_readings(pattern: str) -> tuple[str, ...]:
    """Return a pattern, and also its unescaped form where that differs."""
    return (pattern, unescape_hidden(pattern)) if _is_shown(pattern) else (pattern,)

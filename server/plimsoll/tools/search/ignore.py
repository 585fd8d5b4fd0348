"""Which files git would leave out: nested ``.gitignore`` files and ``.git/info/exclude``.

The deepest file that says anything about a path decides; inside one file the last line that
matches. A folder that is left out is never entered, so nothing in it can come back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.opening import opened
from plimsoll.tools.search.patterns import translated

if TYPE_CHECKING:
    import regex

GIT = ".git"
# A larger ignore file is not written by hand, and each of its lines costs on each path.
_LARGEST = 1_000_000
# The file is a stranger's: a line that takes this long on one path would never end.
_LINE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file."""

    expression: "regex.Pattern[str]"
    includes: bool
    """Whether it brings back what an earlier line left out (``!``)."""
    folders_only: bool
    by_name: bool
    """Whether it speaks of names in any folder below, not of paths."""

    def speaks_of(self, relative: str, *, is_folder: bool) -> bool:
        """Tell whether it matches a path relative to its file; a line that runs wild never does."""
        if self.folders_only and not is_folder:
            return False
        subject = relative.rpartition("/")[2] if self.by_name else relative
        try:
            return self.expression.match(subject, timeout=_LINE_SECONDS) is not None
        except TimeoutError:
            return False


@dataclass(frozen=True, slots=True)
class Rules:
    """The ignore files that speak for one folder, outermost first."""

    files: tuple[tuple[str, tuple[IgnoreRule, ...]], ...] = ()
    """The folder of each, as an absolute path with a trailing ``/``, and its lines, last first."""

    def below(self, folder: Path, names: Sequence[str]) -> "Rules":
        """Return the rules inside a folder that holds these names."""
        if ".gitignore" not in names:
            return self
        return Rules((*self.files, _read(folder, folder / ".gitignore")))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether an absolute path with ``/`` is left out."""
        for folder, lines in reversed(self.files):
            relative = path[len(folder) :]
            for line in lines:
                if line.speaks_of(relative, is_folder=is_folder):
                    return not line.includes
        return False


def rules_above(root: Path, start: Path) -> Rules:
    """Read the rules from a repository's top (or the workspace) down to above ``start``.

    A workspace can be a folder of a larger repository; then that one's files count, as in git.
    """
    if not start.is_relative_to(root):
        return Rules()
    top = next((folder for folder in (root, *root.parents) if (folder / GIT).exists()), root)
    rules = Rules((_read(top, top / GIT / "info" / "exclude"),))
    for folder in reversed(start.parents):
        if folder.is_relative_to(top):
            rules = rules.below(folder, [".gitignore"])
    return rules


def parsed(text: str) -> tuple[IgnoreRule, ...]:
    """Parse the lines of an ignore file, last first; what git cannot read matches nothing."""
    return tuple(reversed([*_lines(text)]))


def _lines(text: str) -> Iterator[IgnoreRule]:
    # Loaded late: only searching needs it, and start-up is a promise.
    import regex

    for row in text.split("\n"):
        pattern = _trimmed(row.removesuffix("\r"))
        if not pattern or pattern.startswith("#"):
            continue
        includes = pattern.startswith("!")
        body = pattern[includes:]
        folders_only = body.endswith("/")
        body = body.removesuffix("/")
        try:
            expression = regex.compile(translated(body.removeprefix("/"), braces=False))
        except (ValueError, regex.error):
            continue
        yield IgnoreRule(expression, includes, folders_only, by_name="/" not in body)


def _trimmed(row: str) -> str:
    """Strip trailing spaces from a line, save one after a backslash."""
    bare = row.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return f"{bare} " if backslashes % 2 and len(bare) < len(row) else bare


def _read(folder: Path, file: Path) -> tuple[str, tuple[IgnoreRule, ...]]:
    prefix = folder.as_posix()
    return prefix if prefix.endswith("/") else f"{prefix}/", parsed(_text(file))


def _text(file: Path) -> str:
    """Read an ignore file; empty when there is none or, as in git, it is a link or not plain."""
    try:
        with opened(file) as descriptor, open(descriptor, "rb", closefd=False) as stream:
            return stream.read(_LARGEST).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    except (OSError, ToolFailed):
        return ""

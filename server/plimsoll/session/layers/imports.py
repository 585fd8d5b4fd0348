"""Follows what a rules file points on to: other files of the workspace whose text it stands for.

Two forms are in use: a line ``@docs/rules.md``, as other agents read it, and a file that holds
nothing but a path, which is how git checks a link out where there are none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from posixpath import normpath

DEEPEST = 5
"""Files that lead on to each other, as Claude Code follows them."""
MOST_FILES = 50
_LINE = re.compile(r"\s*(?:[-*+]\s+)?@(\S+?)[.,;:]?\s*")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PROSE = frozenset({".md", ".mdc", ".mdx", ".markdown", ".txt", ".rst", ".adoc"})
"""What rules are written in; settings and keys are not."""

Read = Callable[[str], str | None]
"""Reads a file by its path below the workspace; none: it is not there, or may not be read."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The text of a rules file with all that it points on to."""

    text: str
    files: tuple[str, ...] = ()
    """The files that were followed, by their paths below the workspace."""


def follow_imports(name: str, text: str, read: Read) -> Followed:
    """Put the text of each file in the place of the line that names it; ``read`` may block.

    What cannot be followed stays as it is written: outside of the workspace, missing, no prose, met
    already, or more than ``DEEPEST`` files deep.
    """
    following = _Following(read, [name])
    followed = following.whole(name, text, 1)
    return Followed(followed, tuple(following.met[1:]))


@dataclass(slots=True)
class _Following:
    read: Read
    met: list[str] = field(default_factory=list[str])

    def whole(self, name: str, text: str, depth: int) -> str:
        linked = self._file(name, text.strip(), depth) if "\n" not in text.strip() else None
        if linked is not None:
            return linked
        return "\n".join(self._lines(name, text, depth))

    def _lines(self, name: str, text: str, depth: int) -> Iterator[str]:
        fenced = False
        for line in text.split("\n"):
            fenced ^= _FENCE.match(line) is not None
            named = None if fenced else _LINE.fullmatch(line)
            found = self._file(name, named[1], depth) if named else None
            yield line if found is None else found

    def _file(self, name: str, path: str, depth: int) -> str | None:
        target = normpath(PurePosixPath(name).parent / path.replace("\\", "/"))
        outside = path.startswith(("/", "~")) or target.startswith("../")
        suffix = PurePosixPath(target).suffix.lower()
        if outside or suffix not in _PROSE or target in self.met:
            return None
        if depth > DEEPEST or len(self.met) > MOST_FILES:
            return None
        text = self.read(target)
        if text is None:
            return None
        self.met.append(target)
        return f"<!-- {target} -->\n{self.whole(target, text, depth + 1).strip()}"

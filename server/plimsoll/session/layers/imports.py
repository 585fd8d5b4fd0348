"""Follows what a rules file points on to: other files of the workspace whose text it stands for.

Two forms are in use: a line ``@docs/rules.md``, as other agents read it, and a file that holds
nothing but a path, which is how git checks a link out where there are none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from posixpath import normpath

from plimsoll.context.log.entries import ImportOutcome, RulesImport
from plimsoll.errors import ToolFailed
from plimsoll.text.lines import line_end, split_lines

DEEPEST = 5
"""Files that lead on to each other, as Claude Code follows them."""
MOST_FILES = 50
MOST_NAMED = 200
"""Files that are looked for, whatever became of them: a hostile file may name any number."""
_LINE = re.compile(r"\s*(?:[-*+]\s+)?@(\S+?)[.,;:]?\s*")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PROSE = frozenset({".md", ".mdc", ".mdx", ".markdown", ".txt", ".rst", ".adoc"})
"""What rules are written in; settings and keys are not."""

Read = Callable[[str], str | None]
"""Reads a file by its path below the workspace; none: it is not there.
Raises ToolFailed where it may not be read."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The text of a rules file with the files it imports."""

    text: str
    files: tuple[RulesImport, ...] = ()
    """What it points on to, in the order in which that was met, with what became of each."""


def follow_imports(name: str, text: str, read: Read, count: Callable[[str], int]) -> Followed:
    """Replace each line that names a file by the file's text; ``read`` may block.

    A name stays as it is written if its file is outside of the workspace, missing, no prose, met
    already, or more than ``DEEPEST`` files deep. ``count``: the tokens of a text.
    """
    following = _Following(read=read, count=count, met={name})
    followed = following.whole(name, text, 1)
    return Followed(followed, tuple(following.named))


@dataclass(slots=True, kw_only=True)
class _Following:
    read: Read
    count: Callable[[str], int]
    met: set[str]
    """The files whose text stands there."""
    failed: set[str] = field(default_factory=set[str])
    """The files that could not be read, which are asked for once."""
    named: dict[RulesImport, None] = field(default_factory=dict[RulesImport, None])

    def whole(self, name: str, text: str, depth: int) -> str:
        link = text.strip()
        # A sentence that ends with the name of a file names none.
        if link and not link.startswith("@") and len(link.split()) == 1:
            linked = self._file(name, link, depth)
            if linked is not None:
                return linked
        return "".join(self._lines(name, text, depth))

    def _lines(self, name: str, text: str, depth: int) -> Iterator[str]:
        fenced = False
        for line in split_lines(text):
            end = line_end(line)
            fenced ^= _FENCE.match(line) is not None
            named = None if fenced else _LINE.fullmatch(line.removesuffix(end))
            found = self._file(name, named[1], depth) if named else None
            yield line if found is None else f"{found}{end}"

    def _file(self, name: str, path: str, depth: int) -> str | None:
        """Return the text of an imported file; None, with the reason noted, if it is refused."""
        target = normpath(PurePosixPath(name).parent / path.replace("\\", "/"))
        named = PurePosixPath(target).suffix.lower() in _PROSE and target not in self.failed
        if not named or len(self.named) >= MOST_NAMED:
            return None
        if path.startswith(("/", "~")) or target.startswith("../"):
            return self._leave_out(path, "outside")
        barred = self._why_barred(target, depth)
        return self._follow(target, depth) if barred is None else self._leave_out(target, barred)

    def _why_barred(self, target: str, depth: int) -> ImportOutcome | None:
        if target in self.met:
            return "met"
        if depth > DEEPEST:
            return "tooDeep"
        return "tooMany" if len(self.met) > MOST_FILES else None

    def _follow(self, target: str, depth: int) -> str | None:
        try:
            text = self.read(target)
        except ToolFailed:
            return self._leave_out(target, "refused")
        if text is None:
            return self._leave_out(target, "missing")
        self.met.add(target)
        self.named[RulesImport(target, "followed", self.count(text.strip()))] = None
        return f"<!-- {target} -->\n{self.whole(target, text, depth + 1).strip()}"

    def _leave_out(self, path: str, outcome: ImportOutcome) -> None:
        if outcome in ("missing", "refused"):
            self.failed.add(path)
        self.named[RulesImport(path, outcome)] = None

"""Reads git's configuration: the files that it includes, and those that it makes git run."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.process.confinement.protection.links import join_path, parent

_LONGEST = 1_000_000
_DEEPEST = 10
"""As deep as git follows includes."""
_SECTION = re.compile(r'\[\s*([^\]"\s]*)\s*(?:"((?:[^"\\\n]|\\.)*)")?\s*\]')
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*")
_VALUE = re.compile(r'=[ \t]*((?:"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^"\\\n#;])*)')
_WORD = re.compile(r"[^\s\"'`$();|&<>!=,{}]+")
_PLAIN = re.compile(r"-|\d+$|(true|false|yes|no|on|off|auto|always|never)$", re.IGNORECASE)
# What their values name is data, and git runs none of it.
_DATA = re.compile(
    r"(branch|user|author|committer|color|url|i18n|format|log|advice)\."
    r"|remote\..*\.(url|pushurl|fetch|push|tagopt)$|submodule\..*\.(url|path|branch|active|ignore)$"
    r"|core\.(worktree|excludesfile|commentchar)$|commit\.template$|blame\.ignorerevsfile$"
    r"|mailmap\.file$|alias\.[^.]*$|extensions\."
)
_FOLDERS = re.compile(r"core\.hookspath$|init\.templatedir$")
HOOKS = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit"),
    *("prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout"),
    *("post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive"),
    *("post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite"),
    *("sendemail-validate", "fsmonitor-watchman", "post-index-change"),
)
"""The programs that git looks for in a folder of hooks."""


@dataclass(frozen=True, slots=True)
class Named:
    """The files, folders and programs that a git configuration names, as it writes them."""

    included: tuple[str, ...] = ()
    """Absolute paths of files that it takes more from; some may not exist."""
    folders: tuple[str, ...] = ()
    """Folders in which git looks for programs; relative ones are seen from the worktree."""
    words: tuple[str, ...] = ()
    """Words that may be programs or files for them."""

    def __or__(self, other: "Named") -> "Named":
        return Named(
            self.included + other.included,
            self.folders + other.folders,
            self.words + other.words,
        )


def entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of a git configuration; only subsections keep their case."""
    section, at = "", 0
    while at < len(text):
        if text[at] in " \t\r\n\ufeff":
            at += 1
        elif (found := _SECTION.match(text, at)) is not None:
            name, sub = found.groups()
            section = f"{name.lower()}.{_unescape(sub)}." if sub is not None else f"{name.lower()}."
            at = found.end()
        elif (found := _KEY.match(text, at)) is not None:
            key, at = f"{section}{found[1].lower()}", found.end()
            value = _VALUE.match(text, at)
            yield key, _unquote(value[1]) if value else "true"
            at = _end_of_line(text, value.end() if value else at)
        else:
            at = _end_of_line(text, at)


def _end_of_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _unquote(text: str) -> str:
    spoken = {"n": "\n", "t": "\t", "b": "\b", "\n": ""}
    pieces = re.findall(r'"((?:[^"\\]|\\[\s\S])*)"|((?:\\[\s\S]|[^"\\])+)', text.rstrip())
    plain = "".join(quoted or bare for quoted, bare in pieces)
    return re.sub(r"\\([\s\S])", lambda found: spoken.get(found[1], found[1]), plain)


@dataclass(slots=True)
class Configurations:
    """Reads git configuration files, each again only when it changed."""

    home: str
    _read: dict[str, tuple[tuple[int, int, int], tuple[tuple[str, str], ...]]] = field(
        default_factory=dict[str, tuple[tuple[int, int, int], tuple[tuple[str, str], ...]]]
    )

    def named_by(self, paths: Iterable[str]) -> Named:
        """Return all that git configuration files, and the files they include, name; blocks."""
        found = Named()
        for path in paths:
            found |= self._named_by(path, 0)
        return found

    def _named_by(self, path: str, depth: int) -> Named:
        found = Named()
        for key, value in self._entries(path):
            if key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
                # Whether its condition holds may change with a branch or a folder's name.
                into = join_path(parent(path), self._at_home(value))
                found |= Named(included=(into,))
                if depth < _DEEPEST:
                    found |= self._named_by(into, depth + 1)
            elif _FOLDERS.match(key):
                found |= Named(folders=(self._at_home(value),))
            elif not _DATA.match(key) or (key.startswith("alias.") and value.startswith("!")):
                found |= Named(words=tuple(self._words(value)))
        return found

    def _words(self, value: str) -> Iterator[str]:
        for word in _WORD.findall(value):
            if not _PLAIN.match(word):
                yield self._at_home(word)

    def _at_home(self, path: str) -> str:
        return f"{self.home}{path[1:]}" if path.startswith("~/") else path

    def _entries(self, path: str) -> tuple[tuple[str, str], ...]:
        try:
            status = Path(path).stat()
            now = (status.st_ino, status.st_ctime_ns, status.st_size)
            if (known := self._read.get(path)) is not None and known[0] == now:
                return known[1]
            with Path(path).open("rb") as file:
                text = file.read(_LONGEST).decode("utf-8", "replace")
        except (OSError, ValueError):
            return ()
        found = tuple(entries(text))
        self._read[path] = (now, found)
        return found

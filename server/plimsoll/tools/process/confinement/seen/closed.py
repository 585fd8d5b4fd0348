"""Finds what others may not read in folders of the system: a command sees none of it.

A server that is root reads every file of root, and whoever runs one owns files outside of the home
too. So mode decides: of what is shown besides the workspace, a command gets what anybody may read.
FIFOs, sockets and devices are closed with it: through a read-only mount they can be written to.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from plimsoll.tools.process.confinement.protection.watching import Watcher, unseen_below

MOST_FOLDERS = 20_000
"""Of one tree; of a larger one nothing is shown."""
MOST_CLOSED = 1_000
"""Of one tree; where more is closed, the tree is."""
_MOST_IN_FOLDER = 20
# Package managers own these, as they own all below /usr; nobody keeps a secret there.
_PACKAGES = frozenset({"node_modules", "site-packages", "dist-packages", "__pycache__"})
MOST_WATCHED = 8_192
"""Folders that are watched; the kernel takes some 1.1 kB for each."""
_LISTED_ANEW = 64
_MOST_ANSWERS = 16


class _Listed(NamedTuple):
    """The state and entries of a folder when it was listed."""

    changed: tuple[int, int]
    """Its number and the time of its last change."""
    open: bool
    """Whether others may enter it."""
    folders: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


class _Question(NamedTuple):
    trees: tuple[str, ...]
    left_out: frozenset[str]
    entered: frozenset[str]


class ClosedPaths:
    """Finds the paths in trees that others may not read, listing again only changed folders."""

    def __init__(self, *, watch: bool = True) -> None:
        """``watch``: learn of changes by the kernel's events if possible, else by change times."""
        self._watch = watch
        self._watcher: Watcher | None = None
        self._known: dict[str, _Listed] = {}
        self._timed: set[str] = set()
        """The folders of which no event tells."""
        self._unseen: dict[str, tuple[str, ...]] = {}
        """Where in a tree others may change what no event tells."""
        self._answers: dict[_Question, tuple[str, ...]] = {}
        self._looking = Lock()

    def look(
        self, trees: Iterable[str], left_out: Iterable[str] = (), entered: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return the paths in these trees that others may not read; blocks.

        ``left_out``: paths with rules of their own, such as the workspace. ``entered``: the trees
        that a person named, which are looked through whoever may enter them.
        """
        asked = _Question(tuple(trees), frozenset(left_out), frozenset(entered))
        with self._looking:
            if self._drop_changed() or len(self._answers) > _MOST_ANSWERS:
                self._answers.clear()
            if asked not in self._answers:
                for tree in asked.trees:
                    self._unseen.setdefault(tree, unseen_below(Path(tree)))
                found = (path for tree in asked.trees for path in self._in_tree(tree, asked))
                self._answers[asked] = tuple(found)
            return self._answers[asked]

    def _drop_changed(self) -> bool:
        """Forget the folders that may have changed, and tell whether there were any."""
        changes = None if self._watcher is None else self._watcher.changes()
        if changes is None and (self._watch or not self._known):
            self._begin()
            return True
        for folder, names in changes.items() if changes else ():
            self._known.pop(folder, None)
            for name in filter(None, names):
                self._drop(f"{folder}/{name}")
        changed = bool(changes or self._timed)
        # A file that is closed later does not change the time of its folder.
        for folder in [*islice(self._timed, _LISTED_ANEW)]:
            self._known.pop(folder, None)
            self._timed.remove(folder)
        return changed

    def _begin(self) -> None:
        self._known, self._timed, self._unseen = {}, set(), {}
        self._watcher = None
        # Change times serve as well, and take longer.
        with suppress(OSError):
            self._watcher = Watcher(modes=True, most=MOST_WATCHED) if self._watch else None
        self._watch = self._watcher is not None

    def _drop(self, path: str) -> None:
        for at in [at for at in self._known if at == path or at.startswith(f"{path}/")]:
            del self._known[at]
            self._timed.discard(at)
            if self._watcher is not None:
                self._watcher.forget(at)

    def _in_tree(self, tree: str, asked: _Question) -> list[str]:
        closed: list[str] = []
        waiting, seen = [tree], 0
        while waiting and seen <= MOST_FOLDERS and len(closed) <= MOST_CLOSED:
            folder = waiting.pop()
            if folder in asked.left_out:
                continue
            seen += 1
            listed = self._list_cached(folder, self._unseen[tree])
            if not listed.open and folder not in asked.entered:
                closed += [folder] if os.access(folder, os.X_OK) else []
                continue
            waiting += listed.folders
            closed += listed.closed
        return [tree] if waiting else closed

    def _list_cached(self, folder: str, unseen: tuple[str, ...]) -> _Listed:
        known = self._known.get(folder)
        if known is not None and folder not in self._timed:
            return known
        # The watch stands before the look: what comes in between is told, or seen, or both.
        if known is None and not self._is_watched(folder, unseen):
            self._timed.add(folder)
        try:
            status = os.lstat(folder)
        except OSError:
            # It may come again without a word.
            self._timed.add(folder)
            return _GONE
        changed = (status.st_ino, status.st_ctime_ns)
        if known is None or known.changed != changed:
            known = _list(folder, changed, is_open=bool(status.st_mode & stat.S_IXOTH))
            self._known[folder] = known
        return known

    def _is_watched(self, folder: str, unseen: tuple[str, ...]) -> bool:
        if self._watcher is None or any(f"{folder}/".startswith(f"{at}/") for at in unseen):
            return False
        return self._watcher.watch(folder, folder)


_GONE = _Listed((0, 0), open=True)


def _list(folder: str, changed: tuple[int, int], *, is_open: bool) -> _Listed:
    folders: list[str] = []
    closed: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders += [] if entry.name in _PACKAGES else [entry.path]
                elif not entry.is_symlink() and _is_closed(entry):
                    closed.append(entry.path)
    except OSError:
        # Neither we nor the command can list it.
        return _Listed(changed, is_open)
    if len(closed) > _MOST_IN_FOLDER:
        return _Listed(changed, is_open, closed=(folder,))
    return _Listed(changed, is_open, tuple(folders), tuple(closed))


def _is_closed(entry: os.DirEntry[str]) -> bool:
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError:
        # It is gone.
        return False
    if not stat.S_ISREG(mode):
        return True
    # To whom it is closed anyway, nothing has to be closed.
    return not mode & stat.S_IROTH and os.access(entry.path, os.R_OK)


def outermost(paths: Iterable[str]) -> Iterator[str]:
    """Yield, in order, those paths that lie in none of the others."""
    last = ""
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not last or not path.startswith(f"{last}/"):
            last = path
            yield path

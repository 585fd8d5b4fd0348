"""Finds what others may not read in folders of the system: a command sees none of it.

A server that is root reads every file of root, and whoever runs one owns files outside of the home
too. So mode decides: of what is shown besides the workspace, a command gets what anybody may read.
FIFOs, sockets and devices are closed with it: through a read-only mount they can be written to.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from threading import Lock
from typing import NamedTuple

MOST_FOLDERS = 20_000
"""Of one tree; of a larger one nothing is shown."""
MOST_CLOSED = 1_000
"""Of one tree; where more is closed, the tree is."""
_MOST_IN_FOLDER = 20
# Package managers own these, as they own all below /usr; nobody keeps a secret there.
_PACKAGES = frozenset({"node_modules", "site-packages", "dist-packages", "__pycache__"})
# A file that is closed later does not change the time of its folder.
_LISTED_ANEW = 64


class _Listed(NamedTuple):
    """A folder as it was listed."""

    changed: tuple[int, int]
    """Its number and the time of its last change."""
    folders: tuple[str, ...]
    closed: tuple[str, ...]


class ClosedPaths:
    """What is closed in trees, kept between commands: of what did not change, nothing is listed."""

    def __init__(self) -> None:
        self._known: dict[str, _Listed] = {}
        self._looking = Lock()

    def look(
        self, trees: Iterable[str], left_out: Iterable[str] = (), entered: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return what is closed in these trees; blocks.

        ``left_out``: what has rules of its own, such as the workspace. ``entered``: the trees that
        a person named, which are looked through whoever may enter them.
        """
        passed, given = frozenset(left_out), frozenset(entered)
        with self._looking:
            for folder in [*islice(self._known, _LISTED_ANEW)]:
                del self._known[folder]
            return tuple(path for tree in trees for path in self._in_tree(tree, passed, given))

    def _in_tree(self, tree: str, passed: frozenset[str], given: frozenset[str]) -> list[str]:
        closed: list[str] = []
        waiting, seen = [tree], 0
        while waiting and seen <= MOST_FOLDERS and len(closed) <= MOST_CLOSED:
            folder = waiting.pop()
            if folder in passed:
                continue
            seen += 1
            listed = self._listed(folder, entered=folder in given)
            if listed is None:
                closed += [folder] if os.access(folder, os.X_OK) else []
                continue
            waiting += listed.folders
            closed += listed.closed
        return [tree] if waiting else closed

    def _listed(self, folder: str, *, entered: bool) -> _Listed | None:
        """Return what is in a folder; none where others may not enter it."""
        try:
            status = os.lstat(folder)
        except OSError:
            return _GONE
        if not entered and not status.st_mode & stat.S_IXOTH:
            return None
        changed = (status.st_ino, status.st_ctime_ns)
        known = self._known.get(folder)
        if known is None or known.changed != changed:
            known = self._known[folder] = _list(folder, changed)
        return known


_GONE = _Listed((0, 0), (), ())


def _list(folder: str, changed: tuple[int, int]) -> _Listed:
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
        return _Listed(changed, (), ())
    if len(closed) > _MOST_IN_FOLDER:
        return _Listed(changed, (), (folder,))
    return _Listed(changed, tuple(folders), tuple(closed))


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
    """Yield the paths that lie in none of the others, in order."""
    last = ""
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not last or not path.startswith(f"{last}/"):
            last = path
            yield path

"""Copies files of the folder into a worktree, byte for byte, and keeps what they were.

Git writes none of them: what a checkout would convert, such as line endings, stays as it is.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from plimsoll.tools.display import visible_path
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.manifest import (
    FileKind,
    FirstFile,
    kind_of,
    stamp_of,
    text_of_link,
)

_KEEP = ("hash-object", "-w", "--no-filters")


class Copying:
    """Copies files from one folder to another; links are copied as links, none is followed."""

    def __init__(self, source: Path, target: Path) -> None:
        self.copied: dict[str, FileKind] = {}
        """The kind of each file that was copied, by its name."""
        self.unreadable: list[str] = []
        self._source = source
        self._target = target
        self._folders: dict[Path, bool] = {}

    def copy(self, names: Iterable[str]) -> None:
        """Copy files; those that are gone are left out. Raises OSError where nothing is written."""
        for name in names:
            source = self._source / name
            if not self._is_plain(source.parent):
                continue
            try:
                status = source.lstat()
            except OSError:
                # Git knows of it, and somebody has deleted it.
                continue
            kind = kind_of(status)
            if kind is not None:
                self._put(name, kind, status)

    def _put(self, name: str, kind: FileKind, status: os.stat_result) -> None:
        source, target = self._source / name, self._target / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if kind == "link":
            target.symlink_to(text_of_link(source))
        elif os.access(source, os.R_OK):
            shutil.copyfile(source, target, follow_symlinks=False)
            target.chmod(status.st_mode & 0o777 | 0o600)
            os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
        else:
            self.unreadable.append(f"{visible_path(name)} (it cannot be read)")
            return
        self.copied[name] = kind

    def _is_plain(self, folder: Path) -> bool:
        """Tell whether no link stands in the way to a folder."""
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = Path(os.path.realpath(folder)) == folder
        return known


def keep_bytes(git: Git, root: Path, kinds: Iterable[tuple[str, FileKind]]) -> dict[str, FirstFile]:
    """Keep the bytes of copied files in git's store, and return what each was. Blocks.

    ``git``: writes to the store of the tree, and runs in ``root``.

    Raises:
        ToolFailed: Git fails.
    """
    files = list(kinds)
    plain = [name for name, kind in files if kind != "link"]
    known = dict(zip(plain, _store_files(git, root, plain), strict=True))
    return {
        name: FirstFile(
            kind=kind,
            content=known.get(name) or text_of_link(root / name),
            stamp=stamp_of((root / name).lstat()),
        )
        for name, kind in files
    }


def _store_files(git: Git, root: Path, names: Sequence[str]) -> list[str]:
    # Git reads a line for each path.
    odd = [name for name in names if "\n" in str(root / name)]
    listed = [name for name in names if name not in odd] if odd else list(names)
    given = b"".join(os.fsencode(root / name) + b"\n" for name in listed)
    said = git.feed(given, *_KEEP, "--stdin-paths") if listed else b""
    ids = dict(zip(listed, said.decode().split(), strict=True))
    for name in odd:
        with (root / name).open("rb") as file:
            one = git.feed(file, *_KEEP, "--stdin")
        ids[name] = one.decode().strip()
    return [ids[name] for name in names]

"""Where a worktree of ours lies, what is noted of it, and how git is run for it."""

import json
import os
import re
import secrets
import shutil
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, Self

from plimsoll.private_files import open_private, replace_private
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.ground import Ground

TreeStatus = Literal["making", "working", "over"]
"""It is being made and nobody has worked in it; it may hold changes; it is to be removed."""
SECONDS = 300.0
MOST_BYTES = 256_000_000
UPDATE_INDEX = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
"""Takes files as they are on disk, or notes that they are gone; their names are fed to it."""
_LONGEST_SLUG = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRecord:
    """What is noted of a tree on disk, for whoever clears it up after a crash."""

    status: TreeStatus
    title: str
    session: str
    root: str
    """The workspace folder."""
    top: str
    common: str
    """The folder of the repository."""
    head: str
    base: str = ""
    """The id of git's tree of what it began with."""

    def to_text(self) -> str:
        """Write the record as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a record; raises OSError, or ValueError or TypeError where it is damaged."""
        return cls(**json.loads(path.read_text("utf-8")))


@dataclass(frozen=True, slots=True, kw_only=True)
class TreePlace:
    """The folder of one tree: the worktree itself, and beside it what we keep of it."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of the tree."""
        return self.folder.name

    @property
    def top(self) -> Path:
        """The worktree, by whose last name git knows it."""
        return self.folder / f"plimsoll-{self.name}"

    @property
    def objects(self) -> Path:
        """Git's store of what only this tree needs."""
        return self.folder / "objects"

    @property
    def index(self) -> Path:
        """The index in which git's trees of the worktree are built."""
        return self.folder / "index"

    @property
    def manifest(self) -> Path:
        """The file with what the tree began with."""
        return self.folder / "manifest.json"

    @property
    def links(self) -> Path:
        """The file that lists the linked folders."""
        return self.folder / "links.json"

    @property
    def written(self) -> Path:
        """The file that lists the ignored files which count as changes."""
        return self.folder / "written"

    @property
    def record(self) -> Path:
        """The file of the tree's record."""
        return self.folder / "tree.json"

    def admin(self, common: Path) -> Path:
        """Return the folder in which the repository keeps the data of this worktree."""
        return common / "worktrees" / self.top.name

    def note(self, record: TreeRecord) -> None:
        """Write the tree's record; raises StoreUnavailable."""
        replace_private(self.record, record.to_text())

    def lock(self) -> int | None:
        """Take the lock by which a tree is in use; None: another holds it. Raises OSError."""
        # Late: it is not there on every system on which this is imported.
        import fcntl

        descriptor = open_private(self.folder / "lock")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return descriptor

    def git(self, git: Git, common: Path, *, below: Path, own_store: bool = True) -> Git:
        """Return the git of this tree, which writes to the tree's own store, and runs in it.

        ``own_store``: false: it writes to the repository's.
        """
        variables = {"GIT_DIR": str(self.admin(common)), "GIT_WORK_TREE": str(self.top)}
        if own_store:
            variables.update(self.store(common))
        return replace(patient(git), folder=self.top / below, variables=variables)

    def store(self, common: Path) -> dict[str, str]:
        """Return the variables by which git writes to the tree's own store."""
        at = str(common / "objects").replace("\\", "\\\\").replace('"', '\\"')
        return {
            "GIT_OBJECT_DIRECTORY": str(self.objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": f'"{at}"',
        }


def patient(git: Git) -> Git:
    """Return git with longer time and larger output limits."""
    return replace(git, seconds=SECONDS, most=MOST_BYTES)


def new_place(trees: Path, title: str) -> TreePlace:
    """Return the place of a new tree, named after its title."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:_LONGEST_SLUG].strip("-")
    return TreePlace(folder=trees / f"{words or 'work'}-{secrets.token_hex(3)}")


def clear(place: TreePlace, common: Path) -> None:
    """Remove a tree from the disk, and what the repository knows of it; no link is followed.

    Raises:
        OSError: Something of it cannot be removed.
    """
    _remove(place.top)
    admin = place.admin(common)
    if _is_of(admin, place.top):
        _remove(admin)
        with suppress(OSError):
            # The last one takes the folder with it, as with git.
            admin.parent.rmdir()
    _remove(place.folder)


def _is_of(admin: Path, top: Path) -> bool:
    """Tell whether what a repository keeps of a worktree is of this one."""
    try:
        return (admin / (admin / "gitdir").read_text("utf-8").strip()) == top / ".git"
    except FileNotFoundError:
        # A process that died while git made it.
        return admin.is_dir()
    except OSError:
        return False


def _remove(folder: Path) -> None:
    if not folder.is_dir() or folder.is_symlink():
        return
    for at, folders, _ in os.walk(folder):
        for name in folders:
            path = Path(at, name)
            if not path.is_symlink() and path.stat().st_mode & stat.S_IRWXU != stat.S_IRWXU:
                # What a command has closed could not be emptied.
                path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder)


def git_of_folder(git: Git, place: TreePlace, ground: Ground) -> Git:
    """Return the git of the folder itself, with an index of ours and the tree's own store."""
    index = {"GIT_INDEX_FILE": str(place.index)}
    return replace(patient(git), variables={**place.store(ground.common), **index})

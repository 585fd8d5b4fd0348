"""Makes a worktree with the present state of a folder, uncommitted work included.

The person's index, HEAD, branches and stash are read and stay as they are: git works on copies of
the index, and what it writes goes to a store of the tree's own.
"""

import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from plimsoll.errors import StoreUnavailable, ToolFailed
from plimsoll.private_files import private_folder, write_private
from plimsoll.tools.display import visible_line
from plimsoll.tools.git.program import Git, copy_index
from plimsoll.tools.git.worktrees.copying import Copying, keep_bytes
from plimsoll.tools.git.worktrees.ground import Ground, find_ground
from plimsoll.tools.git.worktrees.listing import Listed, list_folder
from plimsoll.tools.git.worktrees.manifest import FileKind, write_manifest
from plimsoll.tools.git.worktrees.place import (
    UPDATE_INDEX,
    TreePlace,
    TreeRecord,
    clear,
    git_of_folder,
    new_place,
    patient,
)
from plimsoll.tools.search.secret_names import holds_secrets

_REGISTERING = Lock()
"""Held while a repository's list of worktrees changes: git removes the list with the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeTree:
    """A tree that was made."""

    place: TreePlace
    ground: Ground
    record: TreeRecord
    lock: int
    """The descriptor that holds the tree's lock."""
    links: tuple[str, ...]
    missing: tuple[str, ...]


def make_tree(git: Git, trees: Path, title: str, session: str) -> MadeTree:
    """Make a worktree of the folder in which git is run, below ``trees``. Blocks.

    Raises:
        ToolFailed: None can be made; nothing is left of it.
    """
    ground = find_ground(git, trees)
    place = new_place(trees, title)
    record = TreeRecord(
        status="making",
        title=title,
        session=session,
        root=str(ground.root),
        top=str(ground.top),
        common=str(ground.common),
        head=ground.head,
    )
    try:
        lock = _begin(place, record)
        try:
            return _fill(git, place, ground, record=record, lock=lock)
        except BaseException:
            os.close(lock)
            with suppress(OSError):
                remove(place, ground.common)
            raise
    except OSError as error:
        raise ToolFailed(f"no worktree can be made: {error.strerror}.") from error
    except StoreUnavailable as error:
        raise ToolFailed(f"no worktree can be made: {error.message}") from error


def remove(place: TreePlace, common: Path) -> None:
    """Remove a tree, and what the repository knows of it. Raises OSError."""
    with _REGISTERING:
        clear(place, common)


def _begin(place: TreePlace, record: TreeRecord) -> int:
    private_folder(place.folder)
    lock = place.lock()
    # Its name is new, so nobody else can have it.
    assert lock is not None
    place.note(record)
    place.objects.mkdir()
    return lock


def _fill(git: Git, place: TreePlace, ground: Ground, *, record: TreeRecord, lock: int) -> MadeTree:
    git = patient(git).without_filters()
    copy_index(ground.index, place.index)
    listed = list_folder(replace(git, variables={"GIT_INDEX_FILE": str(place.index)}))
    _register(git, place, ground)
    copying = Copying(ground.root, place.top / ground.below)
    copying.copy(listed.files)
    base = _write_base(git, place, ground, copied=copying.copied, listed=listed)
    below = replace(place.git(git, ground.common, below=ground.below))
    _give_index(below, place, ground)
    kept = keep_bytes(below, place.top / ground.below, copying.copied.items())
    links = _link(listed.links, ground.root, place.top / ground.below)
    write_manifest(place.manifest, kept)
    write_private(place.links, json.dumps(links))
    record = replace(record, status="working", base=base)
    place.note(record)
    return MadeTree(
        place=place,
        ground=ground,
        record=record,
        lock=lock,
        links=links,
        missing=(*copying.unreadable, *listed.missing),
    )


def _register(git: Git, place: TreePlace, ground: Ground) -> None:
    """Let git make the worktree, without any file in it."""
    options = ("-c", "worktree.useRelativePaths=false", "-c", "core.logAllRefUpdates=false")
    with _REGISTERING:
        git.ask(
            *options,
            *("worktree", "add", "--detach", "--no-checkout", "--quiet"),
            *(str(place.top), ground.head),
        )
    (place.top / ground.below).mkdir(parents=True, exist_ok=True)


def _write_base(
    git: Git, place: TreePlace, ground: Ground, *, copied: dict[str, FileKind], listed: Listed
) -> str:
    """Write git's tree of what the folder has now, to the tree's own store; return its id.

    A file that by its name holds secrets is in it as git has it already: a branch is pushed easily.
    """
    own = git_of_folder(git, place, ground)
    gone = (name for name in listed.files if not os.path.lexists(ground.root / name))
    plain = (name for name in copied if not holds_secrets(name.split("/")))
    names = b"".join(os.fsencode(name) + b"\0" for name in (*plain, *gone))
    # What a person has staged stays for the tree's own index.
    staged = place.index.with_name("staged")
    with suppress(FileNotFoundError):
        shutil.copyfile(place.index, staged)
    own.feed(names, *UPDATE_INDEX)
    base = own.ask("write-tree").output.strip()
    with suppress(FileNotFoundError):
        staged.replace(place.index)
    return base


def _give_index(git: Git, place: TreePlace, ground: Ground) -> None:
    """Give the tree what is staged, and let it look for no file that is outside of its folder."""
    if not place.index.exists():
        return
    # An index that is split has its other part where the folder's is.
    shared = replace(git, folder=ground.root, variables={"GIT_INDEX_FILE": str(place.index)})
    shared.ask("update-index", "--force-write-index")
    shutil.copyfile(place.index, place.admin(ground.common) / "index")
    # What git knows of the copies then, it need not read again at each look.
    git.ask("update-index", "-q", "--refresh", "--ignore-submodules", failing=1)
    if ground.root == ground.top:
        return
    top = replace(git, folder=place.top)
    names = top.names("ls-files", "-z", "--cached")
    outside = [name for name in names if not Path(name).is_relative_to(ground.below)]
    given = b"".join(os.fsencode(name) + b"\0" for name in outside)
    top.feed(given, *("update-index", "--skip-worktree", "-z", "--stdin"))


def _link(names: tuple[str, ...], root: Path, tree: Path) -> tuple[str, ...]:
    """Link folders of dependencies into a tree; return the names of those that are."""
    done: list[str] = []
    for name in names:
        link = tree / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(link):
            link.symlink_to(root / name)
            done.append(name)
    return tuple(done)


def describe(place: TreePlace) -> str:
    """Return the path of a tree on one line for people."""
    return visible_line(str(place.top))

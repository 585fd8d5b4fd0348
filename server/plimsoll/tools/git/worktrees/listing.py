"""Lists what of a folder goes into a worktree: what git tracks or would, as it is on disk."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.display import visible_path
from plimsoll.tools.git.program import Git

DEPENDENCIES = frozenset(
    (
        *("node_modules", "bower_components", ".yarn", ".venv", "venv", "vendor", "Pods"),
        *("elm-stuff", ".bundle"),
    )
)
"""Names of ignored folders that hold what the project depends on."""
_CACHES = frozenset(
    (
        *("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".cache", ".DS_Store"),
        *(".hypothesis", ".tox", ".nox", ".coverage", ".eslintcache", ".parcel-cache"),
    )
)
_KNOWN = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_IGNORED = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
_GITLINK = "160000"
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What of a folder goes into a worktree; names below the folder."""

    files: tuple[str, ...]
    links: tuple[str, ...]
    """Ignored folders of dependencies, which are linked."""
    missing: tuple[str, ...]
    """What does not go in, with the reason, for people."""


def list_folder(git: Git) -> Listed:
    """List the folder in which git is run; raises ToolFailed. Blocks."""
    found = git.names(*_KNOWN)
    staged = git.names("ls-files", "-z", "--cached", "--stage")
    submodules = {row.partition("\t")[2] for row in staged if row.startswith(_GITLINK)}
    nested = [name for name in found if name.endswith("/")]
    files = dict.fromkeys(name for name in found if name not in submodules)
    ignored = git.names(*_IGNORED)
    links = [name.rstrip("/") for name in ignored if _is_dependency(git.root, name)]
    others = [name for name in ignored if name.rstrip("/") not in links and not _is_cache(name)]
    return Listed(
        files=tuple(name for name in files if not name.endswith("/")),
        links=tuple(links),
        missing=(
            *(f"{visible_path(name)} (a submodule)" for name in sorted(submodules)),
            *(f"{visible_path(name)} (a repository of its own)" for name in nested),
            *_some(f"{visible_path(name)} (git ignores it)" for name in others),
        ),
    )


def plain_files(git: Git, folder: Path) -> Iterator[str]:
    """Yield the names of the files below a folder of git's, repositories in it included.

    Raises:
        ToolFailed: Git fails.
    """
    listed = git.names(*_KNOWN)
    for name in dict.fromkeys(listed):
        if name.endswith("/"):
            yield from _walk(folder, name.rstrip("/"))
        else:
            yield name


def _walk(folder: Path, below: str) -> Iterator[str]:
    for at, folders, files in os.walk(folder / below):
        folders[:] = [name for name in folders if name != ".git"]
        for name in files:
            if name != ".git":
                yield Path(at, name).relative_to(folder).as_posix()


def _is_dependency(root: Path, name: str) -> bool:
    path = root / name.rstrip("/")
    return path.name in DEPENDENCIES and path.is_dir() and path.resolve() == path


def _is_cache(name: str) -> bool:
    last = name.rstrip("/").rpartition("/")[2]
    return last in _CACHES or last.endswith((".pyc", ".egg-info"))


def _some(words: Iterable[str]) -> list[str]:
    found = list(words)
    more = [f"{len(found) - _MOST_NAMED} more that git ignores"] if found[_MOST_NAMED:] else []
    return [*found[:_MOST_NAMED], *more]

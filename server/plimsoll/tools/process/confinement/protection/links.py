"""Follows a name through links to where it ends, as the kernel does, also to what is not there."""

import errno
import os
from dataclasses import dataclass, field
from pathlib import Path

_MOST_LINKS = 40
"""As many as Linux follows."""

# A Path would spell it otherwise, and it is put back as it was.
text_of_link = os.readlink


@dataclass(frozen=True, slots=True)
class Chain:
    """The links that a name leads through, and where it ends."""

    links: dict[str, str] = field(default_factory=dict[str, str])
    """The links of the workspace that are passed, as paths from its root, each with its text."""
    end: str | None = None
    """The absolute path at which it ends, with no link in what exists of it; none: in a circle."""
    exists: bool = False


def follow(root: Path, path: str) -> Chain:
    """Follow the links of an absolute path to its end; blocks."""
    top = str(root)
    links: dict[str, str] = {}
    left = path.split("/")[::-1]
    at, passed = "/", 0
    while left:
        name = left.pop()
        if name in {"", "."}:
            continue
        if name == "..":
            at = parent(at)
            continue
        here = join_path(at, name)
        target, missing = _read(here)
        if missing:
            return Chain(links, os.path.normpath("/".join((here, *reversed(left)))))
        if target is None:
            at = here
            continue
        passed += 1
        if passed > _MOST_LINKS:
            return Chain(links)
        if (name := inside(top, here)) is not None:
            links[name] = target
        at = "/" if target.startswith("/") else at
        left += target.split("/")[::-1]
    return Chain(links, at, True)


def inside(root: str, path: str) -> str | None:
    """Return an absolute path as one from the root; None if it lies elsewhere or is the root."""
    return path[len(root) + 1 :] or None if path.startswith(f"{root}/") else None


def join_path(above: str, path: str) -> str:
    """Join a path to a folder; an absolute path stays as it is."""
    return path if path.startswith("/") else f"{above.rstrip('/')}/{path}"


def parent(path: str) -> str:
    """Return the folder above an absolute path."""
    return path.rpartition("/")[0] or "/"


def last_name(path: str) -> str:
    """Return the last name of a path."""
    return path.rpartition("/")[2]


def _read(path: str) -> tuple[str | None, bool]:
    """Return the target of a link, and whether nothing is at its path."""
    try:
        return text_of_link(path), False
    except OSError as error:
        return None, error.errno in {errno.ENOENT, errno.ENOTDIR}

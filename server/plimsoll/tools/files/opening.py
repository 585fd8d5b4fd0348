"""Opens files so that nothing that was swapped in after the check is followed.

A path is walked from the top, one folder descriptor at a time, and no link is followed on the
way, so an answer can only come from the very path that was resolved and shown.
"""

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
# O_PATH passes through folders that may be entered but not listed; elsewhere plain reading.
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NO_LINK
_HAS_FOLDER_DESCRIPTORS = os.open in os.supports_dir_fd

_REASONS = {
    errno.ENOENT: "does not exist",
    errno.EACCES: "may not be opened: permission denied",
    errno.EPERM: "may not be changed: operation not permitted",
    errno.EISDIR: "is a folder",
    errno.ENOTDIR: "has a file, or a link, where a folder should be",
    errno.ELOOP: "has become a link since it was checked",
    errno.ENOSPC: "could not be written: no space left on the device",
    errno.EDQUOT: "could not be written: the disk quota is used up",
    errno.EROFS: "lies on a read-only file system",
    errno.ENAMETOOLONG: "has a name that is too long",
    errno.ENXIO: "is a pipe, socket or device, not a file",
}


def failure(name: str, error: OSError) -> ToolFailed:
    """Turn a file system error into a ToolFailed, whose message the model reads."""
    reason = _REASONS.get(error.errno or 0, f"could not be used: {error.strerror}")
    return ToolFailed(f"{visible_line(name)} {reason}.")


@contextmanager
def open_regular_file(path: Path) -> Generator[int]:
    """Open a regular file for reading and yield its descriptor.

    Raises:
        OSError: It is missing, may not be read, or a part of the path is a link.
        ToolFailed: It is a folder, pipe, socket or device.
    """
    with folder(path.parent) as parent:
        # Opening a device can do something. What is swapped in after this look is looked at again,
        # and without O_NONBLOCK a pipe would hang the server for ever.
        refuse_unless_regular(_status(parent, path), path.name)
        descriptor = _open_at(parent, path, os.O_RDONLY | _NO_LINK | _NO_WAIT | _BINARY)
    try:
        refuse_unless_regular(os.fstat(descriptor), path.name)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def folder(path: Path, *, create: int | None = None) -> Generator[int | None]:
    """Open a folder without following any link; yield its descriptor, or None if unsupported.

    ``create``: the mode with which missing folders are made; None: none is made.

    Raises:
        OSError: A part is missing, no folder, or a link.
    """
    if not _HAS_FOLDER_DESCRIPTORS:
        if create is not None:
            path.mkdir(create, parents=True, exist_ok=True)
        _refuse_links(path)
        yield None
        return
    descriptor = _walk(path, create=create)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def listable(path: Path) -> Generator[int | Path]:
    """Yield what to list a folder by: its open descriptor, or its path if unsupported.

    Raises:
        OSError: A part is missing, no folder, or a link.
    """
    with folder(path) as above:
        if above is None:
            yield path
            return
        descriptor = os.open(".", os.O_RDONLY | _NO_LINK, dir_fd=above)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


def unusual_kind(status: os.stat_result) -> str | None:
    """Return the kind of a thing that is no plain file, in words, by its status; else None."""
    if stat.S_ISDIR(status.st_mode):
        return "a folder"
    return None if stat.S_ISREG(status.st_mode) else "a pipe, socket or device"


def refuse_unless_regular(status: os.stat_result, name: str) -> None:
    """Refuse everything that is not a plain file.

    Raises:
        ToolFailed: It is a folder, pipe, socket or device.
    """
    kind = unusual_kind(status)
    if kind is not None:
        advice = "Use glob to list its files." if kind == "a folder" else "It cannot be read."
        raise ToolFailed(f"{visible_line(name)} is {kind}, not a file. {advice}")


def _walk(path: Path, *, create: int | None) -> int:
    descriptor = os.open(path.anchor, _FOLDER)
    try:
        for part in path.parts[1:]:
            below = _step(descriptor, part, create=create)
            os.close(descriptor)
            descriptor = below
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _step(descriptor: int, part: str, *, create: int | None) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=descriptor)
    except FileNotFoundError:
        if create is None:
            raise
    os.mkdir(part, create, dir_fd=descriptor)
    return os.open(part, _FOLDER, dir_fd=descriptor)


def _open_at(parent: int | None, path: Path, flags: int) -> int:
    if parent is None:
        _refuse_links(path)
        return os.open(path, flags)
    return os.open(path.name, flags, dir_fd=parent)


def _status(parent: int | None, path: Path) -> os.stat_result:
    status = path.lstat() if parent is None else os.lstat(path.name, dir_fd=parent)
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return status


def _refuse_links(path: Path) -> None:
    if Path(os.path.realpath(path)) != path:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))

"""Lists files moved aside that commands made under protected names; puts back those that are kept.

Laws: nothing is put back that is not what was shown; nothing is put over what stands there now; no
link is followed on the way.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line, whole_line
from plimsoll.tools.files.diff import unified_diff
from plimsoll.tools.files.opening import folder, open_regular_file
from plimsoll.tools.ports.made import MadeFile, PutInPlace
from plimsoll.tools.process.confinement.base import MovedAside
from plimsoll.tools.process.confinement.protection.moving import writable_itself
from plimsoll.tools.process.walking import walk

MOST_OFFERED = 50
"""Files and folders that a person is asked about at once; what is beyond stays aside."""
LONGEST_TEXT = 20_000
"""Bytes of a file that are shown as text."""
MOST_SHOWN = 100_000
"""Characters that are shown of all that a person is asked about at once."""
_CHANGED = "It was changed since it was shown."
_TAKEN = "Something else stands there now."


def look(moved: Sequence[MovedAside], root: Path) -> tuple[MadeFile, ...]:
    """Return the files to show that were moved aside and can be put back; blocks.

    Of a path at which several files were made only the newest is returned.
    """
    newest = {one.path: one for one in moved if root in one.path.parents and one.place != one.path}
    there = [one for one in newest.values() if _can_return(one)]
    there.sort(key=lambda one: one.path)
    offered = there[:MOST_OFFERED]
    return tuple(_read_made_file(one, root, MOST_SHOWN // len(offered)) for one in offered)


def restore_made(file: MadeFile) -> PutInPlace:
    """Move a file or folder back to where it was made; blocks."""
    place, path = file.moved.place, file.moved.path
    try:
        with (
            folder(place.parent) as source,
            folder(path.parent, create=0o777) as target,
        ):
            if _stamp(place) != file.stamp:
                return PutInPlace(file, _CHANGED)
            # One that its owner may not write can't be moved by them either.
            with writable_itself(source, place.name):
                _move(place.name, path.name, source, target)
    except FileExistsError:
        return PutInPlace(file, _TAKEN)
    except OSError as error:
        return PutInPlace(file, f"It could not be moved: {error.strerror or error}.")
    return PutInPlace(file)


def _can_return(one: MovedAside) -> bool:
    return os.path.lexists(one.place) and not os.path.lexists(one.path)


def _move(name: str, new_name: str, source: int | None, target: int | None) -> None:
    """Rename a file or folder without replacing anything."""
    status = os.stat(name, dir_fd=source, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        try:
            # A link is refused where something stands: a rename would take its place.
            os.link(name, new_name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:
            _refuse_taken(new_name, target)
            os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=target)
        else:
            os.unlink(name, dir_fd=source)
        return
    # A folder takes the place of nothing but an empty one.
    _refuse_taken(new_name, target)
    os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=target)


def _refuse_taken(name: str, target: int | None) -> None:
    try:
        os.stat(name, dir_fd=target, follow_symlinks=False)
    except FileNotFoundError:
        return
    raise FileExistsError


def _read_made_file(one: MovedAside, root: Path, most: int) -> MadeFile:
    name = one.path.relative_to(root).as_posix()
    # What is changed from here on is not what is shown.
    stamp = _stamp(one.place)
    pieces: list[str] = []
    length, whole = 0, True
    for path, is_listed in _walk(one.place):
        within = path.relative_to(one.place).as_posix()
        shown = name if path == one.place else f"{name}/{within}"
        piece, is_whole = _piece(path, shown) if is_listed else (_note_unlisted(shown), False)
        length += len(piece)
        whole = whole and is_whole and length <= most
        if length > most:
            break
        pieces.append(piece)
    return MadeFile(
        name=whole_line(f"{name}/" if stat.S_ISDIR(one.place.lstat().st_mode) else name),
        moved=one,
        diff="".join(f"{piece}\n" for piece in pieces if piece),
        whole=whole,
        stamp=stamp,
    )


def _walk(place: Path) -> Iterator[tuple[Path, bool]]:
    """Yield a path and all paths below it, and at last those folders that could not be listed.

    Each comes with false if it could not be listed, else true. No link is followed.
    """
    yield place, True
    if not stat.S_ISDIR(place.lstat().st_mode):
        return
    unlisted: list[Path] = []
    for at, folders, files in walk(place, unlisted):
        folders.sort()
        yield from ((at / name, True) for name in sorted((*folders, *files)))
    yield from ((path, False) for path in unlisted)


def _piece(path: Path, name: str) -> tuple[str, bool]:
    """Show a file as the diff that creates it, and tell whether the diff is complete.

    A folder itself has no diff; only the files in it have one.
    """
    shown = visible_line(name)
    try:
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            return "", True
        if stat.S_ISLNK(status.st_mode):
            return _write_note(shown, f"a link to {visible_line(str(path.readlink()))}"), True
        text = _text(path) if status.st_size <= LONGEST_TEXT else None
    except (OSError, ToolFailed):
        return _write_note(shown, "it cannot be read"), False
    runs = "it can be run as a program" if status.st_mode & 0o111 else ""
    if not text:
        size = f"{status.st_size:,} bytes that are not shown" if text is None else "empty"
        return _write_note(shown, ", ".join(filter(None, (size, runs)))), text is not None
    head, mark, rows = unified_diff(None, text, shown).partition(" @@\n")
    return f"{head}{mark.rstrip()} {runs}".rstrip() + f"\n{rows}", True


def _note_unlisted(name: str) -> str:
    return _write_note(visible_line(name), "what is in this folder cannot be seen")


def _write_note(name: str, note: str) -> str:
    """Write a note that describes a file, in the form of a diff without hunks."""
    return f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +0,0 @@ {note}"


def _text(path: Path) -> str | None:
    """Return the text of a file; None for a file that is no text."""
    with open_regular_file(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
        data = file.read(LONGEST_TEXT)
    try:
        return data.decode("utf-8") if b"\0" not in data else None
    except UnicodeDecodeError:
        return None


def _stamp(place: Path) -> str:
    """Hash the state of the files at a place, by times that no program can set back."""
    seen = hashlib.sha256()
    for path, is_listed in _walk(place):
        facts: object = is_listed
        # What lies deeper than a path can name has none.
        with suppress(OSError):
            status = path.lstat()
            # The move itself changes the time of what is moved, and what is in it stays.
            facts = (is_listed, status.st_mode, status.st_ino, status.st_size, status.st_ctime_ns)
        seen.update(f"{path.relative_to(place)}\0{facts}\0".encode("utf-8", "surrogateescape"))
    return seen.hexdigest()

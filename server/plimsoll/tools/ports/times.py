"""When a file and its folders were last changed, around a change of the file by a tool."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FolderTime:
    """When a folder was last changed."""

    path: Path
    at: int | None
    """In nanoseconds since 1970; none: there was no such folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTimes:
    """When a file and its folder were last changed, around a change of the file by a tool."""

    file: int | None
    """The file before, in nanoseconds since 1970; none: there was none, or it is not known when,
    since the text before stood in an editor's buffer alone."""
    folders: tuple[FolderTime, ...]
    """Its folder before and, if that was missing, those above it up to the first that was there."""
    folders_after: tuple[FolderTime, ...] = ()
    """The same folders after the change; none: an editor makes it, when it saves."""

"""The ports to files of the folder: read, attached by a person, and restored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from plimsoll.tools.ports.context import CallContext


@dataclass(frozen=True, slots=True, kw_only=True)
class FileToRestore:
    """A file of the workspace, and the earlier state to restore."""

    name: str
    """The path below the workspace."""
    left: str | None
    """The version in which it must be found; none: there must be no file."""
    wanted: str | None
    """The text that it gets; none: it is removed."""
    encoding: str = "utf-8"
    """The encoding of the bytes that it had."""


class FileRestorer(Protocol):
    """Restores files that the agent's tools have changed.

    Raises:
        ToolFailed: The file must not be restored; the message says why, for people.
    """

    def look(self, file: FileToRestore, context: CallContext) -> bool:
        """Tell whether the file differs from the wanted state. Blocks."""
        ...

    async def restore(self, file: FileToRestore, context: CallContext) -> None:
        """Restore the file, through the editor where it is open."""
        ...

    def half_written(self, context: CallContext) -> Sequence[str]:
        """Describe the half-written files that no person was told of yet. Blocks."""
        ...


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file, or the beginning of a long one."""

    text: str
    size: int
    """The size of the whole file in bytes, or in characters if the editor has it open."""
    version: str
    """The SHA-256 of the text."""


Reader = Callable[[str, CallContext, int], FileText | None]
"""Reads a file by its path below the workspace, at most so many bytes; none: no such file.
Blocks. Raises ToolFailed when the path leads out of the workspace or to no text."""


@dataclass(frozen=True, slots=True)
class AttachedText:
    """A file or folder that a person attached: a text, an image in base64, or a list of files."""

    path: Path
    """The real path, with no link in it."""
    text: str
    media_type: str | None = None
    """The MIME type of an image, or of a document whose text this is."""
    is_folder: bool = False
    """True if the text lists a folder."""


AttachmentReader = Callable[[Path, CallContext, int], AttachedText]
"""Reads what a person named: an image, a text of at most so many bytes, or a folder's listing.
Blocks. Raises ToolFailed when it may not be attached; the message is for the person."""

"""Hunks that the agent made: what nobody has kept or undone, and the choice of them."""

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import Range


class HunkOwner(Wire):
    """The session whose changes the request is about."""

    session_id: str


class HunkChoice(HunkOwner):
    """The hunks that a person chooses: by their ids, all of a file, or without `uri` all there are.

    An id that is not there any more is left out: its lines have changed since.
    """

    uri: str | None = None
    hunk_ids: tuple[str, ...] | None = None


class MadeHunk(Wire):
    """Lines that the agent wrote and nobody has kept, undone or edited.

    `range` begins and ends at the beginning of a line of the text as it is; it is empty where lines
    were only taken out. `oldText` is what an undo brings back there, hidden characters as escapes.
    """

    id: str
    range: Range
    old_text: str


class HunksOfFile(Wire):
    """The hunks of a file, in the order of its lines."""

    uri: str
    hunks: tuple[MadeHunk, ...]


class FileNotUndone(Wire):
    """A file that stays as it is although hunks of it were to be undone, and why."""

    uri: str
    why: str


class HunksResult(Wire):
    """The hunks that are left now; `left` names files of which nothing could be undone."""

    files: tuple[HunksOfFile, ...]
    left: tuple[FileNotUndone, ...] = ()

"""Texts of the workspace for the server's own use, read as carefully as for a model."""

import os

from plimsoll.errors import ToolFailed
from plimsoll.tools.base import CallContext, FileText
from plimsoll.tools.files import content
from plimsoll.tools.files.opening import failure, opened
from plimsoll.tools.files.paths import Target, resolve


def workspace_text(name: str, place: CallContext, most: int) -> FileText | None:
    """The text of a file by its path below the workspace, at most so many bytes; none: no file.

    The editor's buffer is the truth where the file is open. Blocks: for a worker thread.

    Raises:
        ToolFailed: It leads out of the workspace, is no text file, or cannot be read.
    """
    if not os.path.lexists(place.root / name):
        return None
    target = resolve(name, place)
    if not target.inside:
        raise ToolFailed(f"{name} leads out of the workspace and was not read.")
    buffer = place.documents.open_text(target.path)
    if buffer is not None:
        return FileText(buffer[:most], len(buffer), content.version_of(buffer))
    return _from_disk(name, target, most)


def _from_disk(name: str, target: Target, most: int) -> FileText | None:
    try:
        with opened(target.path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            size = os.fstat(descriptor).st_size
            data = file.read(most)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure(name, error) from error
    if size > most:
        # The cut may go through a character; whole lines do not.
        data = data[: data.rfind(b"\n") + 1] or data
    text = content.decode(data)
    if text is None:
        raise ToolFailed(f"{name} is no text file and was not read.")
    return FileText(text.text, size, content.version_of(text.text))

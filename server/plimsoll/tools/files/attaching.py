"""Files that a person attaches, through the same opener as those that the tools read."""

import os
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.base import AttachedText, CallContext
from plimsoll.tools.display import visible_line
from plimsoll.tools.files import content
from plimsoll.tools.files.opening import failure, opened
from plimsoll.tools.files.paths import Target, resolve


def attached_text(path: Path, context: CallContext, most: int) -> AttachedText:
    """Read a file that a person named, whole or not at all; blocks.

    A file elsewhere may be attached by its own path. A path in the folder that leads out of it may
    not: whoever made the link chose what is sent, and the person sees a name of the folder.

    Raises:
        ToolFailed: It leads out, is no plain text file, has more than ``most`` bytes, or is none.
    """
    target = resolve(str(path), context)
    if not target.inside and _is_named_inside(path, context.root):
        raise ToolFailed(
            f"{visible_line(path.name)} leads to {visible_line(str(target.path))}, outside the "
            "folder. Send a selection of that file instead, or copy it into the folder."
        )
    buffer = context.documents.open_text(target.path)
    text = buffer if buffer is not None else _from_disk(path.name, target, most)
    return AttachedText(target.path, text)


def _is_named_inside(path: Path, root: Path) -> bool:
    """Tell whether any folder on the way is the workspace, however the editor spells it."""
    if path.is_relative_to(root):
        return True
    return any(Path(os.path.realpath(above)).is_relative_to(root) for above in path.parents)


def _from_disk(name: str, target: Target, most: int) -> str:
    try:
        with opened(target.path) as descriptor, open(descriptor, "rb", closefd=False) as file:
            size = os.fstat(descriptor).st_size
            data = file.read(most + 1) if size <= most else b""
    except OSError as error:
        raise failure(name, error) from error
    if max(size, len(data)) > most:
        raise ToolFailed(
            f"{visible_line(name)} has {max(size, len(data)):,} bytes, more than the {most:,} that "
            "can be attached. Name it in your message instead: the agent reads it in pieces."
        )
    text = content.decode(data)
    if text is None:
        raise ToolFailed(
            f"{visible_line(name)} is a binary file. Attach a text file, or an image as an image."
        )
    return text.text

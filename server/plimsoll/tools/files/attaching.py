"""Files read without a call, through the tools' own opener: attached, or for the session itself."""

import os
from pathlib import Path

from plimsoll.context.log.images import LARGEST_IMAGE, image_text, image_type
from plimsoll.errors import ToolFailed
from plimsoll.text.lines import version_of
from plimsoll.tools.display import visible_line
from plimsoll.tools.documents.document import LARGEST_DOCUMENT, document_kind, document_text
from plimsoll.tools.files import content
from plimsoll.tools.files.opening import failure, open_regular_file
from plimsoll.tools.files.paths import Target, resolve
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.file_access import AttachedText, FileText
from plimsoll.tools.process.confinement.confining import Confining

SNIFFED = 16
"""Bytes in which an image says what it is."""


def attached_text(path: Path, context: CallContext, most: int) -> AttachedText:
    """Read the whole of a file that a person attached; blocks.

    A file elsewhere may be attached by its own path. A path in the folder that leads out of it may
    not: whoever made the link chose what is sent, and the person sees a name of the folder.

    Raises:
        ToolFailed: The path leads out, the file is neither text nor image, or it is too large.
    """
    target = resolve(str(path), context)
    if not target.inside and _is_named_inside(path, context.root):
        raise ToolFailed(
            f"{visible_line(path.name)} leads to {visible_line(str(target.path))}, outside the "
            "folder. Send a selection of that file instead, or copy it into the folder."
        )
    buffer = context.documents.open_text(target.path)
    return (
        _from_disk(path.name, target, most, context.confining)
        if buffer is None
        else AttachedText(target.path, buffer)
    )


def _is_named_inside(path: Path, root: Path) -> bool:
    """Tell whether a path, however the editor spells it, leads through the workspace folder."""
    if path.is_relative_to(root):
        return True
    return any(Path(os.path.realpath(above)).is_relative_to(root) for above in path.parents)


def _from_disk(name: str, target: Target, most: int, confining: Confining | None) -> AttachedText:
    try:
        with (
            open_regular_file(target.path) as descriptor,
            open(descriptor, "rb", closefd=False) as file,
        ):
            size = os.fstat(descriptor).st_size
            data = file.read(SNIFFED)
            kind = image_type(data)
            document = document_kind(name, data)
            largest = LARGEST_IMAGE if kind else LARGEST_DOCUMENT if document else most
            data = data + file.read(largest + 1 - len(data)) if size <= largest else b""
    except OSError as error:
        raise failure(name, error) from error
    if kind and max(size, len(data)) > largest:
        raise ToolFailed(
            f"{visible_line(name)} is an image of {max(size, len(data)):,} bytes, more than the "
            f"{largest:,} that models take. Make it smaller."
        )
    if max(size, len(data)) > largest:
        raise too_large(name, max(size, len(data)), largest)
    if kind:
        return AttachedText(target.path, image_text(data), kind)
    found = document_text(name, data, confining)
    if found is not None:
        if len(found.text) > most:
            raise too_large(name, len(found.text), most)
        return AttachedText(target.path, found.text, found.kind)
    text = content.decode(data)
    if text is None:
        raise ToolFailed(
            f"{visible_line(name)} is a binary file. Attach a text file, a notebook, a PDF, or an "
            "image (PNG, JPEG, GIF or WebP)."
        )
    return AttachedText(target.path, text.text)


def too_large(name: str, size: int, most: int) -> ToolFailed:
    """Make the error for a file that is too large to go along whole."""
    return ToolFailed(
        f"{visible_line(name)} has {size:,} bytes, more than the {most:,} that can be attached. "
        "Name it in your message instead: the agent reads it in pieces."
    )


def workspace_text(name: str, context: CallContext, most: int) -> FileText | None:
    """Read up to ``most`` bytes of a file by its path below the workspace; None if it is missing.

    The editor's buffer is the truth where the file is open. Blocks: for a worker thread.

    Raises:
        ToolFailed: It leads out of the workspace, is not a text file, or cannot be read.
    """
    if not os.path.lexists(context.root / name):
        return None
    target = resolve(name, context)
    if not target.inside:
        raise ToolFailed(f"{name} leads out of the workspace and was not read.")
    buffer = context.documents.open_text(target.path)
    if buffer is not None:
        return FileText(buffer[:most], len(buffer), version_of(buffer))
    return _start_on_disk(name, target, most)


def _start_on_disk(name: str, target: Target, most: int) -> FileText | None:
    try:
        with (
            open_regular_file(target.path) as descriptor,
            os.fdopen(os.dup(descriptor), "rb") as file,
        ):
            size = os.fstat(descriptor).st_size
            data = file.read(most)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure(name, error) from error
    if size > most:
        data = content.beginning(data)
    text = content.decode(data)
    if text is None:
        raise ToolFailed(f"{name} is not a text file and was not read.")
    return FileText(text.text, size, version_of(text.text))

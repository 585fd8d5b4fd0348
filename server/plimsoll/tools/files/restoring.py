"""Puts files back as they were before the agent changed them, where nobody else did since.

Laws: what is written is what the agent's tools saw; a file that is not as they left it is left;
no link is followed, and nothing outside of the workspace or protected is touched.
"""

import asyncio
import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plimsoll.cancellation import wait_through_cancel
from plimsoll.errors import ToolFailed
from plimsoll.text.lines import version_of
from plimsoll.tools.files import content
from plimsoll.tools.files.content import DecodedText
from plimsoll.tools.files.opening import failure, folder
from plimsoll.tools.files.paths import Target, resolve
from plimsoll.tools.files.replacing import Replacing
from plimsoll.tools.files.writing import text_on_disk
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.file_access import FileToRestore
from plimsoll.tools.written_over import KEPT, told_once

log = logging.getLogger(__name__)

CHANGED = "It was changed since the agent's last edit of it."
DELETED = "It was deleted since the agent's last edit of it."
MADE = "There is a file in its place that the agent did not write."
UNSAVED = "It has unsaved changes in the editor."
LINKED = "A link stands in its place or in that of a folder above it."


class WorkspaceRestorer:
    """Restores files in the workspace, through the editor's open buffers or on disk."""

    def look(self, file: FileToRestore, context: CallContext) -> bool:
        """Tell whether the file differs from the wanted state."""
        target = _target(file, context)
        buffer = context.documents.open_text(target.path)
        current = _on_disk_now(file, target) if buffer is None else DecodedText(buffer)
        return _due(file, current)

    async def restore(self, file: FileToRestore, context: CallContext) -> None:
        """Restore the file, through the editor where it is open, else on disk in one step."""
        if await _through_editor(file, context):
            return
        writing = asyncio.ensure_future(asyncio.to_thread(_on_disk, file, context))
        # A cancel is answered when nothing can take effect any more: the thread must have ended.
        if await wait_through_cancel(writing):
            raise asyncio.CancelledError from writing.exception()
        writing.result()

    def half_written(self, context: CallContext) -> Sequence[str]:
        """Describe the half-written files that no person was told of yet. Blocks."""
        try:
            return told_once(context.spill_folder / KEPT)
        except OSError as error:
            log.warning("texts that are kept cannot be read: %s", error)
            return ()


def _target(file: FileToRestore, context: CallContext) -> Target:
    target = resolve(file.name, context)
    if target.path != context.root / file.name or not target.inside:
        raise ToolFailed(LINKED)
    if target.protected is not None:
        raise ToolFailed(f"It is protected ({target.protected}).")
    return target


def _due(file: FileToRestore, current: DecodedText | None) -> bool:
    """Tell whether a file differs from its wanted state; raise ToolFailed if others changed it."""
    text = None if current is None else current.text
    if text == file.wanted:
        return False
    if text is None and file.left is not None:
        raise ToolFailed(DELETED)
    if text is not None and version_of(text) != file.left:
        raise ToolFailed(CHANGED if file.left is not None else MADE)
    return True


async def _through_editor(file: FileToRestore, context: CallContext) -> bool:
    """Restore an open buffer; return false if none is open, or the disk must be written."""
    target = _target(file, context)
    buffer = await asyncio.to_thread(context.documents.open_text, target.path)
    if buffer is None:
        return False
    if not _due(file, DecodedText(buffer)):
        return True
    label = f"Put back {target.shown}"
    if file.wanted is not None and await context.documents.apply_edit(
        target.path, buffer, file.wanted, label
    ):
        return True
    on_disk = await asyncio.to_thread(text_on_disk, target)
    if on_disk is None or on_disk.text != buffer:
        raise ToolFailed(UNSAVED)
    return False


def _on_disk(file: FileToRestore, context: CallContext) -> None:
    target = _target(file, context)
    try:
        with folder(
            target.path.parent, create=0o777 if file.wanted is not None else None
        ) as parent:
            _act(file, target, parent, context.spill_folder / KEPT)
    except OSError as error:
        raise failure(target.name, error) from error


def _act(file: FileToRestore, target: Target, parent: int | None, kept: Path) -> None:
    current = _on_disk_now(file, target)
    if not _due(file, current):
        return
    if file.wanted is None:
        _remove(target.path, parent)
        return
    data = _encode(file.wanted, _form(file, current))

    def check_unchanged() -> None:
        _due(file, _on_disk_now(file, target))

    # Looked at again at the last moment: syncing takes long enough for an editor to save.
    Replacing(target.path, parent, data, kept).carry_out(check_unchanged)


def _remove(path: Path, parent: int | None) -> None:
    os.unlink(path if parent is None else path.name, dir_fd=parent)
    if parent is not None:
        descriptor = os.open(".", os.O_RDONLY, dir_fd=parent)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _on_disk_now(file: FileToRestore, target: Target) -> DecodedText | None:
    """Read the file on disk, in its earlier encoding if it is still as the agent left it."""
    current = text_on_disk(target)
    if current is None or current.text == file.wanted or version_of(current.text) == file.left:
        return current
    again = text_on_disk(target, file.encoding)
    return again if again is not None and version_of(again.text) == file.left else current


def _form(file: FileToRestore, current: DecodedText | None) -> DecodedText:
    """Return the encoding and byte order mark to write with: the file's own where they are sure."""
    if current is None:
        return DecodedText("", file.encoding)
    is_sure = current.encoding.startswith("utf-") and not current.text.isascii()
    if (is_sure or current.mark) and not file.encoding.startswith(f"{current.encoding}+"):
        return replace(current, rivals=())
    return DecodedText("", file.encoding, current.mark)


def _encode(text: str, form: DecodedText) -> bytes:
    try:
        return content.encode(text, form)
    except content.UnwritableError as error:
        message = f"Its encoding is {form.encoding} now, in which it cannot be written."
        raise ToolFailed(message) from error

"""Brings the reviewed changes of a worktree into the folder, each file in one step or not at all.

Law: what is written is what a person was shown; a file that has changed since then stays as it is.
"""

import asyncio
import os
import secrets
import stat
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

from plimsoll.cancellation import wait_through_cancel
from plimsoll.errors import ToolFailed
from plimsoll.tools.files import content
from plimsoll.tools.files.opening import failure, folder
from plimsoll.tools.files.replacing import Replacing
from plimsoll.tools.git.worktrees.changes import TreeFile, read_file
from plimsoll.tools.git.worktrees.reviewing import PlannedFile, read_present, text_of
from plimsoll.tools.ports.apart.own_trees import FileIn, WrittenIn
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.written_over import KEPT

CHANGED = "it has changed in the folder since it was shown"
UNSAVED = "it has unsaved changes in an editor that takes no edits"


async def bring_in(
    planned: Sequence[PlannedFile],
    context: CallContext,
    keep: Callable[[WrittenIn], Awaitable[None]],
) -> list[FileIn]:
    """Make planned changes, those that delete at last; a cancel waits for the one that is made."""
    done: list[FileIn] = []
    for file in sorted(planned, key=lambda each: each.after is None):
        making = asyncio.ensure_future(_bring(file, context, keep))
        cancelled = await wait_through_cancel(making)
        try:
            making.result()
        except ToolFailed as error:
            done.append(FileIn(name=file.name, how="left", what=file.what, why=error.message))
        else:
            done.append(
                FileIn(
                    name=file.name,
                    how="merged",
                    what=file.what,
                    needs_branch=file.replaces_no_text,
                )
            )
        if cancelled:
            raise asyncio.CancelledError
    return done


async def _bring(
    file: PlannedFile, context: CallContext, keep: Callable[[WrittenIn], Awaitable[None]]
) -> None:
    if not await _through_editor(file, context):
        await asyncio.to_thread(_on_disk, file, context)
    before, after = file.before, file.after
    decoded = content.decode(before.data) if before and before.kind != "link" else None
    await keep(
        WrittenIn(
            path=context.root / file.name,
            before=text_of(before),
            after=text_of(after),
            encoding=decoded.encoding if decoded else "utf-8",
            guarded=file.guarded,
            is_text=all(text_of(each) is not None for each in (before, after) if each),
        )
    )


async def _through_editor(file: PlannedFile, context: CallContext) -> bool:
    """Make the change in an open buffer; return False where it is to be made on disk."""
    after = text_of(file.after)
    if file.buffer is None or file.before is None or after is None:
        return False
    path, text = context.root / file.name, text_of(file.before)
    if after == text:
        return False
    if not await context.documents.apply_edit(path, file.buffer, after, f"Bring in {file.name}"):
        on_disk = await asyncio.to_thread(read_file, path)
        if on_disk != file.before:
            raise ToolFailed(UNSAVED)
        return False
    if file.after and file.after.kind != file.before.kind:
        await asyncio.to_thread(_set_kind, path, file.after)
    return True


def _on_disk(file: PlannedFile, context: CallContext) -> None:
    path = context.root / file.name

    def check() -> None:
        now, _ = read_present(path, context)
        if now != file.before:
            raise ToolFailed(CHANGED)

    check()
    try:
        with folder(path.parent, create=0o777 if file.after else None) as parent:
            if file.after is None:
                _delete(path, parent)
            elif file.after.kind == "link":
                _put_link(path, parent, file.after, check)
            else:
                _put_file(path, parent, file, check=check, kept=context.spill_folder / KEPT)
    except OSError as error:
        raise failure(file.name, error) from error
    if file.after is None:
        _remove_empty_folders(path.parent, context.root)


def _put_file(
    path: Path,
    parent: int | None,
    file: PlannedFile,
    *,
    check: Callable[[], None],
    kept: Path,
) -> None:
    after = file.after
    assert after is not None
    if file.before is not None and file.before.kind == "link":
        # It would hand its mode on to the file in its place.
        os.unlink(path if parent is None else path.name, dir_fd=parent)
        Replacing(path, parent, after.data, kept).carry_out(lambda: None)
    elif file.before is None or file.before.data != after.data:
        Replacing(path, parent, after.data, kept).carry_out(check)
    if file.before is None or file.before.kind != after.kind:
        _set_kind(path, after)


def _set_kind(path: Path, after: TreeFile) -> None:
    """Let a file be run, or not; who may read it may then run it."""
    mode = stat.S_IMODE(path.lstat().st_mode)
    runs = mode | (mode & 0o444) >> 2
    wanted = runs if after.kind == "program" else mode & ~0o111
    if wanted != mode:
        path.chmod(wanted)


def _put_link(path: Path, parent: int | None, after: TreeFile, check: Callable[[], None]) -> None:
    beside = f".{secrets.token_hex(12)}.tmp"
    temporary = str(path.parent / beside) if parent is None else beside
    final = str(path) if parent is None else path.name
    os.symlink(after.data, os.fsencode(temporary), dir_fd=parent)
    try:
        check()
        os.replace(temporary, final, src_dir_fd=parent, dst_dir_fd=parent)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=parent)


def _delete(path: Path, parent: int | None) -> None:
    os.unlink(path if parent is None else path.name, dir_fd=parent)


def _remove_empty_folders(at: Path, root: Path) -> None:
    """Remove the folders that a deletion has emptied, as git does."""
    while at != root:
        try:
            at.rmdir()
        except OSError:
            return
        at = at.parent

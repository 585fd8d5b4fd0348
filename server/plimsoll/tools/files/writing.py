"""Changes files: shows the whole change, then makes exactly that change, or none.

Laws: a file is replaced in one step or stays as it was; one that has changed since it was shown
is left alone; nothing outside the workspace is read before a person agreed.
"""

import asyncio
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from plimsoll.cancellation import wait_through_cancel
from plimsoll.errors import ToolFailed
from plimsoll.text.hunks import ShownHunk, with_hunks
from plimsoll.text.lines import version_of
from plimsoll.tools.display import visible_line, visible_path
from plimsoll.tools.documents.notebook_edit import changed_file
from plimsoll.tools.encodings.misread import REPLACEMENT
from plimsoll.tools.files import content
from plimsoll.tools.files.content import DecodedText
from plimsoll.tools.files.diff import bare_hunks, count_changed_lines, shown_hunks, unified_diff
from plimsoll.tools.files.editing import Change, Content, Replacement
from plimsoll.tools.files.opening import failure, folder, open_regular_file
from plimsoll.tools.files.paths import Target, missing, resolve_again
from plimsoll.tools.files.replacing import Replacing, has_other_names
from plimsoll.tools.files.times import folders_above, time_of, times_again
from plimsoll.tools.permissions.edits import edit_scopes
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location, Outcome, TextChange
from plimsoll.tools.ports.permission import SessionApproval
from plimsoll.tools.ports.times import ChangeTimes
from plimsoll.tools.written_over import KEPT

LARGEST = 20_000_000
ALL_EDITS = SessionApproval("edit", "all edits in this folder")
"""Of what is neither outside nor protected."""

OTHER_NAMES = "it has other names (hard links), perhaps outside, which change with it"
MISREAD = (
    "{name} is open in the editor as UTF-8 and has unsaved changes there, though it is written in "
    "{encoding}: saving it would write U+FFFD over its other characters. Nothing was changed. Ask "
    "the person to revert the file in the editor, or to reopen it with the encoding {encoding}."
)
APART = (
    "{name} lies outside of your worktree, {root}, and you change nothing there. {instead}Your "
    "changes are brought into the user's folder when you have ended."
)
REFUSED = (
    "The user kept {kept} of the {all} hunks of your change, and refused these, which are not in "
    "the file:"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlan:
    """A change of a file, as the person was shown it."""

    target: Target
    change: Change
    looked: bool
    """True if the file was read to show the change; outside the workspace it is not."""
    version: str | None
    """The version of the file when it was shown; none: there was no file."""
    linked: bool = False
    """True if the file has other names, which change with it, as was shown."""
    kept: tuple[int, ...] | None = None
    """The numbers of the hunks that a person keeps of it; none: all."""


def plan_change(target: Target, change: Change, context: CallContext) -> Intent[ChangePlan]:
    """Plan a change of a file with its exact diff; a person is asked.

    In a worktree of an agent they are asked when the changes are brought in, and before that only
    about what is protected.

    Raises:
        ToolFailed: The change cannot be made.
    """
    _refuse_apart(target, context)
    hunks: tuple[ShownHunk, ...] = ()
    if target.inside:
        before = _current(target, context)
        _refuse_missing(before, change, target)
        text = None if before is None else before.text
        after = changed_file(text, change, target.name)
        diff, hunks = unified_diff(text, after, target.name), shown_hunks(text or "", after)
        version = None if text is None else version_of(text)
    else:
        diff, version = _unseen_diff(target, change), None
    linked = target.inside and has_other_names(target.path)
    why = OTHER_NAMES if linked else target.protected
    free = target.inside and why is None
    return Intent(
        title=f"{'Write' if isinstance(change, Content) else 'Edit'} {target.shown}",
        ask=not (free and context.own_folder),
        approval=_approval(target, free=free),
        covers=f"edits to {target.shown}",
        wider=ALL_EDITS if free else None,
        lasting=edit_scopes(target.name) if free else (),
        why_each_time=None if why is None else visible_line(why),
        diff=diff,
        hunks=hunks,
        locations=(Location(target.path),),
        plan=ChangePlan(
            target=target, change=change, looked=target.inside, version=version, linked=linked
        ),
    )


def _refuse_apart(target: Target, context: CallContext) -> None:
    """Raise ToolFailed where an agent with a worktree of its own would write outside of it."""
    own = context.own_folder
    if own is None or target.inside:
        return
    same = target.path.is_relative_to(own.main)
    name = target.path.relative_to(own.main).as_posix() if same else ""
    instead = f"Change your own copy of it: {visible_path(name)}. " if same else ""
    raise ToolFailed(
        APART.format(name=visible_path(target.name), root=context.root, instead=instead)
    )


async def carried_out(intent: Intent[ChangePlan], context: CallContext) -> Outcome:
    """Make a planned change, through the editor where the file is open, else on disk.

    Raises:
        ToolFailed: The file is not the one that was shown any more, or cannot be written.
    """
    plan = replace(intent.plan, kept=intent.kept_hunks)
    resolve_again(plan.target, context)
    outcome = await _through_editor(plan, intent.title, context)
    if outcome is not None:
        return outcome
    writing = asyncio.ensure_future(asyncio.to_thread(_write, plan, context.spill_folder / KEPT))
    # A cancel is answered when nothing can take effect any more: the thread must have ended.
    if await wait_through_cancel(writing):
        raise asyncio.CancelledError from writing.exception()
    return writing.result()


def refuse_changed(plan: ChangePlan, context: CallContext) -> None:
    """Check that a planned change can still be made exactly as it was shown; blocks.

    Raises:
        ToolFailed: The change cannot be made any more.
    """
    resolve_again(plan.target, context)
    _after(plan, _current(plan.target, context))


def _times(target: Target) -> ChangeTimes:
    """Return when a file and its folders were last changed."""
    return ChangeTimes(file=time_of(target.path), folders=folders_above(target.path))


def _times_of_buffer(buffer: str, after: str, target: Target) -> ChangeTimes:
    """Return the times of a buffer's file; without the file's own if the buffer is unsaved.

    Raises:
        ToolFailed: The file's encoding lacks a character of the buffer's new text.
    """
    times = _times(target)
    try:
        on_disk = text_on_disk(target)
    except ToolFailed:
        on_disk = None
    if on_disk is None:
        return replace(times, file=None)
    try:
        content.refuse_lost(buffer, after, on_disk)
    except content.UnwritableError as error:
        raise ToolFailed(f"{target.shown} {error}") from error
    return times if on_disk.text == buffer else replace(times, file=None)


async def _through_editor(plan: ChangePlan, title: str, context: CallContext) -> Outcome | None:
    """Make the change in an open buffer; return None if the file is not open or not editable so.

    Text typed between the reading and the editing stays: if the change is a replacement, it is
    tried once more on the buffer as it is then.
    """
    documents = context.documents
    buffer = await asyncio.to_thread(documents.open_text, plan.target.path)
    if buffer is None:
        return None
    after = _after(plan, DecodedText(buffer))
    times = await asyncio.to_thread(_times_of_buffer, buffer, after, plan.target)
    if await documents.apply_edit(plan.target.path, buffer, after, title):
        return _outcome(plan, buffer, after, times)
    now = await asyncio.to_thread(documents.open_text, plan.target.path)
    if now is None or now == buffer:
        _refuse_unsaved(buffer, plan.target)
        return None
    if isinstance(plan.change, Replacement) and plan.kept is None:
        again = changed_file(now, plan.change, plan.target.name)
        if await documents.apply_edit(plan.target.path, now, again, title):
            return _outcome(plan, now, again, replace(times, file=None))
    raise ToolFailed(
        f"{plan.target.shown} was typed in while it was to be changed, so nothing was changed. "
        "Tell the person, and read the file again when they have stopped."
    )


def _approval(target: Target, *, free: bool) -> str:
    """Return the key of "allow for this session"; None for a file outside or a protected one."""
    once = "" if free else f"#{secrets.token_hex(8)}"
    return f"edit:{target.name}{once}"


def _unseen_diff(target: Target, change: Change) -> str:
    match change:
        case Content(text):
            return unified_diff(None, text, target.name)
        case Replacement(old, new):
            return unified_diff(old, new, target.name)
        case _:
            assert_never(change)


def _current(target: Target, context: CallContext) -> DecodedText | None:
    buffer = context.documents.open_text(target.path)
    if buffer is None:
        return text_on_disk(target)
    refuse_misread(buffer, target)
    return DecodedText(buffer)


def refuse_misread(buffer: str, target: Target) -> None:
    """Refuse to change a buffer with unsaved changes that was read in a wrong encoding.

    Raises:
        ToolFailed: Saving it would write U+FFFD over characters of the file.
    """
    on_disk = text_on_disk(target) if REPLACEMENT in buffer else None
    if on_disk is not None and on_disk.would_lose(buffer):
        raise ToolFailed(MISREAD.format(name=target.shown, encoding=on_disk.codec))


def text_on_disk(target: Target, known: str | None = None) -> DecodedText | None:
    """Read the text of a file, or return None when there is no file.

    ``known``: the encoding that the file had before; None: the encoding is guessed.

    Raises:
        ToolFailed: It is binary, too large, or cannot be read.
    """
    try:
        with (
            open_regular_file(target.path) as descriptor,
            open(descriptor, "rb", closefd=False) as file,
        ):
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure(target.name, error) from error
    if len(data) > LARGEST:
        size = content.size_text(LARGEST)
        raise ToolFailed(f"{target.shown} has more than {size}. Change it by a command.")
    text = content.decode(data, known)
    if text is None:
        kind = content.type_guess(data)
        raise ToolFailed(f"{target.shown} is binary: {kind}. It is left as it is.")
    return text


def _refuse_missing(before: DecodedText | None, change: Change, target: Target) -> None:
    if before is None and isinstance(change, Replacement):
        raise missing(target)


def _refuse_unsaved(buffer: str, target: Target) -> None:
    on_disk = text_on_disk(target)
    if on_disk is None or on_disk.text != buffer:
        raise ToolFailed(
            f"{target.shown} has unsaved changes in an editor that takes no edits. Ask the person "
            "to save it first."
        )


def _after(plan: ChangePlan, before: DecodedText | None) -> str:
    """Return a file's text after a planned change, once its old text is checked to be the same."""
    _refuse_missing(before, plan.change, plan.target)
    text = None if before is None else before.text
    version = None if text is None else version_of(text)
    if plan.looked and version != plan.version:
        raise ToolFailed(
            f"{plan.target.shown} has changed since the change was shown. Read it again."
        )
    after = changed_file(text, plan.change, plan.target.name)
    return after if plan.kept is None else with_hunks(text or "", after, plan.kept)


def _write(plan: ChangePlan, kept: Path) -> Outcome:
    """Write the changed text to the file on disk."""
    target, times = plan.target, _times(plan.target)
    try:
        with folder(target.path.parent, create=0o777) as parent:
            before, after = _replace(plan, parent, kept)
    except OSError as error:
        raise failure(target.name, error) from error
    times = replace(times, folders_after=times_again(times.folders))
    if before is None:
        return _outcome(plan, None, after, times)
    return _outcome(plan, before.text, after, times, encoding=before.encoding)


def _replace(plan: ChangePlan, parent: int | None, kept: Path) -> tuple[DecodedText | None, str]:
    target = plan.target
    before = text_on_disk(target)
    after = _after(plan, before)
    if target.inside and not plan.linked and has_other_names(target.path):
        raise ToolFailed(f"{target.shown} has got another name meanwhile. Ask again.")
    data = _encode(after, before or DecodedText(""), target)
    replacement = Replacing(target.path, parent, data, kept)

    # Looked at again at the last moment: syncing takes long enough for an editor to save.
    replacement.carry_out(lambda: _after(plan, text_on_disk(target)))
    return before, after


def _encode(text: str, like: DecodedText, target: Target) -> bytes:
    try:
        return content.encode(text, like)
    except content.UnwritableError as error:
        raise ToolFailed(f"{target.shown} {error}") from error


def _outcome(
    plan: ChangePlan, before: str | None, after: str, times: ChangeTimes, encoding: str = "utf-8"
) -> Outcome:
    added, removed = count_changed_lines(before, after)
    done = "Created" if before is None else "Changed"
    target = plan.target
    guarded = target.protected if target.inside else "it lies outside of the folder"
    told = f"{done} {plan.target.name} (+{added} -{removed} lines)."
    count, refused = _describe_refused(plan, before)
    return Outcome(
        text=told if refused is None else f"{told}\n{count}\n{refused}",
        made_diff=None if refused is None else unified_diff(before, after, target.name),
        refused=refused,
        changes=(
            TextChange(
                path=target.path,
                before=before,
                after=after,
                encoding=encoding,
                guarded=guarded,
                times=times,
            ),
        ),
    )


def _describe_refused(plan: ChangePlan, before: str | None) -> tuple[str, str | None]:
    """Return in words how many hunks a person kept, and the refused hunks as a diff."""
    if plan.kept is None:
        return "", None
    wanted = changed_file(before, plan.change, plan.target.name)
    count = len(shown_hunks(before or "", wanted))
    left = frozenset(range(count)).difference(plan.kept)
    text = bare_hunks(before or "", wanted, left)
    return REFUSED.format(kept=count - len(left), all=count), text

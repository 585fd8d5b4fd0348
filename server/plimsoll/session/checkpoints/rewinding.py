"""Going back to a message, with the files as they were then, and taking that back."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.index.calls import AnsweredCall, arguments_of
from plimsoll.context.log.call_end import NEVER_RUN, CallEnd
from plimsoll.context.log.entries import Entry, Noted, Said
from plimsoll.context.log.messages import Role
from plimsoll.context.log.notes import INTERRUPTED_CALL
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, NotFound, StoreError, ToolFailed
from plimsoll.session.checkpoints.changes import (
    FileChange,
    PlannedRestore,
    calls_since,
    change_note,
    changes_by,
    changes_since,
    checkpoint_of,
    plan_restores,
)
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.memory.recall import drop_hidden_exchanges
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_rewound
from plimsoll.session.reduction.undoing import undo
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.file_access import FileToRestore

GONE = "No copy of it is kept any more."
UNTRUSTED = "The folder is not trusted."
INTERRUPTED = "The agent's edit of it was interrupted; whether it was made is not known."

FileAction = Literal["restored", "removed", "left"]


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became, or would become, of a file."""

    path: Path
    action: FileAction
    why: str | None = None
    """Why it is left as it is or, of one that is put back, why it may have been another then."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What became, or would become, of the files that the agent changed."""

    files: tuple[FileResult, ...]
    """Those that are as they were then are left out."""
    commands: int
    """Commands that ran since; what they changed is not undone."""


@dataclass(frozen=True, slots=True)
class RewindResult:
    """A rewind, by whose id it can be undone."""

    id: str
    restored: Restored | None
    """None: the files were to stay."""


@dataclass(frozen=True, slots=True)
class UndoResult:
    """A reduction or a rewind that was undone."""

    receipt: Receipt | None
    restored: Restored | None


@dataclass(frozen=True, slots=True)
class _Step:
    """A file that is to be put back, as far as could be told beforehand."""

    planned: PlannedRestore
    put: FileToRestore | None
    """None: it stays as it is."""
    why: str | None = None
    """Why it is left; none where it is as wanted already."""

    @property
    def settled(self) -> bool:
        """Whether it is as wanted already, and nothing is to be said of it."""
        return self.put is None and self.why is None and self.planned.remark is None


async def preview(state: SessionState, message: str) -> Restored:
    """Tell what going back to a message would do to files; changes nothing."""
    _require(state.log, message)
    steps = await _looked_at(state, _restores_since(state.log.fold, message))
    results = (_result(state, step, step.why) for step in steps if not step.settled)
    return Restored(tuple(results), _commands_since(state.log.fold, message))


async def rewind_to(
    state: SessionState, message: str, *, files: bool, before: bool = False
) -> RewindResult:
    """Hide what came after a message, and put files back as they were if ``files``.

    ``before``: the message, which is a prompt, leaves too.

    Raises:
        InvalidInput: What is to leave is no prompt.
        NotFound: There is no such message.
    """
    _require(state.log, message)
    fold, clock = state.log.fold, state.clock
    if before:
        _require_prompt(fold, message)
    rewound = new_rewound(clock, message, before=before)
    if not files:
        await state.append(rewound)
        await drop_hidden_exchanges(state)
        return RewindResult(rewound.id, None)
    commands = _commands_since(fold, message)
    steps = await _looked_at(state, _restores_since(fold, message))
    due = (step for step in steps if step.put is not None)
    await state.append(rewound, *_change_notes(state.clock, due, rewound.id))
    await drop_hidden_exchanges(state)
    return RewindResult(
        rewound.id, Restored(await _carried_out(state, steps, rewound.id), commands)
    )


async def undo_with_files(state: SessionState, target: str) -> UndoResult:
    """Undo a reduction, or a rewind with what it did to files; raises what ``undo`` raises."""
    changes = changes_by(state.log.fold, target) if target in state.log.fold.rewinds else []
    if not changes:
        return UndoResult(await undo(state, target), None)
    steps = await _looked_at(state, plan_restores(changes))
    # Also those that a crash kept from being put back, although the log says that they were.
    noted = _change_notes(state.clock, (step for step in steps if step.why is None), target)
    receipt = await undo(state, target, noted)
    return UndoResult(receipt, Restored(await _carried_out(state, steps, target), 0))


def restores_files(fold: Fold, target: str) -> bool:
    """Tell whether undoing a rewind would bring files back."""
    return target in fold.rewinds and bool(changes_by(fold, target))


def _require(log: SessionLog, message: str) -> None:
    if log.fold.group_of_message(message) is None:
        raise NotFound("message", message, remedy="Load the session to see its messages.")


def _require_prompt(fold: Fold, message: str) -> None:
    entry = fold.entries[fold.index_of(message) or 0]
    if not isinstance(entry, Said) or entry.role is not Role.USER:
        raise InvalidInput(
            f"The message {message!r} is no prompt, so nothing can go back to before it.",
            remedy="Name a prompt, or leave `before` out.",
        )


def _restores_since(fold: Fold, message: str) -> list[PlannedRestore]:
    found = plan_restores(changes_since(fold, message), checkpoint_of(fold, message))
    known = {each.path for each in found}
    unknown = dict.fromkeys(_find_interrupted_edits(fold, message))
    lost = (
        PlannedRestore(path=path, left=None, wanted=None, encoding="utf-8", why=INTERRUPTED)
        for path in unknown
        if path not in known
    )
    return [*found, *lost]


def _find_interrupted_edits(fold: Fold, message: str) -> Iterable[str]:
    """Yield the files of edits of which nobody knows whether they were made."""
    notes = (entry for entry in fold.entries if isinstance(entry, Noted))
    stopped = {note.item for note in notes if note.what == INTERRUPTED_CALL}
    for each in calls_since(fold, message):
        if each.traits.edits and each.call_item in stopped:
            path = arguments_of(each.call).get(each.traits.subject)
            if isinstance(path, str):
                yield path


def _commands_since(fold: Fold, message: str) -> int:
    """Count the commands that ran after a message, also those of which nobody knows the end."""
    return sum(
        each.traits.runs and not _was_nothing_run(each) for each in calls_since(fold, message)
    )


def _was_nothing_run(call: AnsweredCall) -> bool:
    if call.result is None:
        return False
    in_vain = call.result.ended is CallEnd.RAN and call.failed and call.exit_code is None
    return in_vain or call.result.ended in NEVER_RUN


async def _looked_at(state: SessionState, wanted: Sequence[PlannedRestore]) -> list[_Step]:
    """Read each file as it is now, and tell what is to be done to it."""
    if not state.environment.trusted():
        return [_Step(each, None, UNTRUSTED) for each in wanted]
    return await asyncio.to_thread(_look, state, wanted)


def _look(state: SessionState, wanted: Sequence[PlannedRestore]) -> list[_Step]:
    environment, blobs = state.environment, state.environment.blobs(state.id)
    steps: list[_Step] = []
    for each in wanted:
        text = None if each.wanted is None else blobs.read(each.wanted)
        why = each.why or (GONE if each.wanted is not None and text is None else None)
        put = FileToRestore(name=each.path, left=each.left, wanted=text, encoding=each.encoding)
        try:
            if why is not None:
                steps.append(_Step(each, None, why))
            elif environment.restorer.look(put, environment.call_context):
                _keep_longer(state, each)
                steps.append(_Step(each, put))
            else:
                steps.append(_Step(each, None))
        except (ToolFailed, StoreError) as error:
            steps.append(_Step(each, None, error.message))
    return steps


def _keep_longer(state: SessionState, each: PlannedRestore) -> None:
    """Keep the texts of a file from now on, so that the undo finds them.

    Raises:
        ToolFailed: It is not kept any more.
        StoreError: It cannot be kept.
    """
    blobs = state.environment.blobs(state.id)
    text = None if each.left is None else blobs.read(each.left)
    if each.left is not None and text is None:
        raise ToolFailed(GONE)
    for one in (text, None if each.wanted is None else blobs.read(each.wanted)):
        if one is not None:
            blobs.keep(one)


def _change_notes(clock: Clock, steps: Iterable[_Step], cause: str) -> list[Entry]:
    return [change_note(_change(step.planned, cause), clock) for step in steps]


def _change(planned: PlannedRestore, cause: str) -> FileChange:
    return FileChange(
        path=planned.path,
        before=planned.left,
        after=planned.wanted,
        encoding=planned.encoding,
        cause=cause,
    )


async def _carried_out(
    state: SessionState, steps: Sequence[_Step], cause: str
) -> tuple[FileResult, ...]:
    """Put the files back, each in one step; a cancel waits for the last of them."""
    acting = asyncio.ensure_future(_act(state, steps, cause))
    if await wait_through_cancel(acting):
        raise asyncio.CancelledError from acting.exception()
    return acting.result()


async def _act(state: SessionState, steps: Sequence[_Step], cause: str) -> tuple[FileResult, ...]:
    environment, results = state.environment, list[FileResult]()
    for step in steps:
        why = step.why
        if step.put is not None:
            try:
                await environment.restorer.restore(step.put, environment.call_context)
            except ToolFailed as error:
                why = error.message
                undone = _reverse(_change(step.planned, cause))
                await state.append(change_note(undone, environment.clock))
        if not step.settled:
            results.append(_result(state, step, why))
    return tuple(results)


def _reverse(change: FileChange) -> FileChange:
    return replace(change, before=change.after, after=change.before)


def _result(state: SessionState, step: _Step, why: str | None) -> FileResult:
    path, remark = state.environment.root / step.planned.path, step.planned.remark
    if why is not None or step.put is None:
        told = why or remark
        return FileResult(path, "left", None if told is None else state.redact(told))
    return FileResult(path, "removed" if step.planned.wanted is None else "restored", remark)

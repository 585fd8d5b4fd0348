"""Going back to a message, with the files as they were then, and taking that back."""

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.index.calls import AnsweredCall, arguments_of
from plimsoll.context.log.call_end import NEVER_RUN, CallEnd
from plimsoll.context.log.entries import Noted, Said
from plimsoll.context.log.messages import Role
from plimsoll.context.log.notes import INTERRUPTED_CALL
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.checkpoints.changes import (
    PlannedRestore,
    calls_since,
    changes_by,
    changes_since,
    checkpoint_of,
    plan_restores,
)
from plimsoll.session.checkpoints.restoring import FileRestoring, Restored
from plimsoll.session.memory.recall import drop_hidden_exchanges
from plimsoll.session.ports.entries import new_rewound
from plimsoll.session.reduction.undoing import undo
from plimsoll.session.state.session_state import SessionState

INTERRUPTED = "The agent's edit of it was interrupted; whether it was made is not known."


@dataclass(frozen=True, slots=True)
class RewindResult:
    """A rewind with its id, by which it can be undone."""

    id: str
    restored: Restored | None
    """None: the files were to stay."""


@dataclass(frozen=True, slots=True)
class UndoResult:
    """A reduction or a rewind that was undone."""

    receipt: Receipt | None
    restored: Restored | None


def _restoring(state: SessionState) -> FileRestoring:
    return FileRestoring(state.copies, state.append, state.clock)


async def preview(state: SessionState, message: str) -> Restored:
    """Return what a rewind to a message would do to each file; changes nothing."""
    fold, restoring = state.log.fold, _restoring(state)
    _require(fold, message)
    steps = await restoring.look_at(_restores_since(fold, message))
    return Restored(restoring.results(steps), _commands_since(fold, message))


async def rewind_to(
    state: SessionState, message: str, *, files: bool, before: bool = False
) -> RewindResult:
    """Hide the messages after a message, and restore the files of that time if ``files``.

    ``before``: the message, which is a prompt, leaves too.

    Raises:
        InvalidInput: The message that is to leave is no prompt.
        NotFound: There is no such message.
    """
    fold, clock, restoring = state.log.fold, state.clock, _restoring(state)
    _require(fold, message)
    if before:
        _require_prompt(fold, message)
    rewound = new_rewound(clock, message, before=before)
    if not files:
        await state.append(rewound)
        await drop_hidden_exchanges(state.recall, state.log.fold)
        return RewindResult(rewound.id, None)
    commands = _commands_since(fold, message)
    steps = await restoring.look_at(_restores_since(fold, message))
    due = (step for step in steps if step.put is not None)
    await state.append(rewound, *restoring.notes(due, rewound.id))
    await drop_hidden_exchanges(state.recall, state.log.fold)
    files_now = await restoring.carry_out(steps, rewound.id)
    return RewindResult(rewound.id, Restored(files_now, commands))


async def undo_with_files(state: SessionState, target: str) -> UndoResult:
    """Undo a reduction, or a rewind and its restored files; raises as ``undo``."""
    changes = changes_by(state.log.fold, target) if target in state.log.fold.rewinds else []
    if not changes:
        return UndoResult(await undo(state, target), None)
    restoring = _restoring(state)
    steps = await restoring.look_at(plan_restores(changes))
    # Also those that a crash kept from being put back, although the log says that they were.
    noted = restoring.notes((step for step in steps if step.why is None), target)
    receipt = await undo(state, target, noted)
    return UndoResult(receipt, Restored(await restoring.carry_out(steps, target), 0))


def restores_files(fold: Fold, target: str) -> bool:
    """Tell whether undoing a rewind would change files."""
    return target in fold.rewinds and bool(changes_by(fold, target))


def _require(fold: Fold, message: str) -> None:
    if fold.group_of_message(message) is None:
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
    """Yield the files of edits that were interrupted, so may or may not have been made."""
    notes = (entry for entry in fold.entries if isinstance(entry, Noted))
    stopped = {note.item for note in notes if note.what == INTERRUPTED_CALL}
    for each in calls_since(fold, message):
        if each.traits.edits and each.call_item in stopped:
            path = arguments_of(each.call).get(each.traits.subject)
            if isinstance(path, str):
                yield path


def _commands_since(fold: Fold, message: str) -> int:
    """Count the commands that ran after a message, also those that were interrupted."""
    return sum(
        each.traits.runs and not _was_nothing_run(each) for each in calls_since(fold, message)
    )


def _was_nothing_run(call: AnsweredCall) -> bool:
    if call.result is None:
        return False
    in_vain = call.result.ended is CallEnd.RAN and call.failed and call.exit_code is None
    return in_vain or call.result.ended in NEVER_RUN

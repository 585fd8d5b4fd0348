"""Takes back a reduction or a rewind, where what would come back fits."""

import asyncio
from collections.abc import Iterator, Sequence

from plimsoll.context.log.entries import ON_ARRIVAL, Edited, Entry, Rewound, Said, Undone
from plimsoll.context.log.messages import Part
from plimsoll.context.report.receipts import Receipt, items_changed_by, receipt_of
from plimsoll.context.view.fold import Fold, view_of
from plimsoll.errors import NotFound, NotUndoable
from plimsoll.session.ports.entries import new_undone
from plimsoll.session.ports.events import ReductionApplied
from plimsoll.session.state.session_state import SessionState


async def undo(state: SessionState, target: str, with_it: Sequence[Entry] = ()) -> Receipt | None:
    """Undo a reduction or a rewind; a rewind has no receipt.

    ``with_it``: entries that are kept together with it.

    Raises:
        NotFound: There is no such edit.
        NotUndoable: It was undone already, or the parts brought back do not fit.
    """
    await state.log.read_parts(list(_undoing_shows(state.log.fold, target)))
    fold, clock = state.log.fold, state.clock
    undone = new_undone(clock, target)
    _check_undoable(fold, target)
    missing = await _tokens_after(undone, fold) - state.model.budget.effective
    if missing > 0:
        raise NotUndoable(
            f"Undoing this would need {missing:,} tokens more than the window has left.",
            remedy="Remove something else first, compact, or choose a larger model.",
            data={"needsTokens": missing},
        )
    edit = fold.edits.get(target)
    await state.append(undone, *with_it)
    if edit is None:
        return None
    receipt = receipt_of(edit, state.log.indexes)
    state.voice.emit(ReductionApplied(receipt))
    return receipt


def _undoing_shows(fold: Fold, target: str) -> Iterator[Part]:
    """Yield the parts that an undo brings back: those an edit changed, or a rewind hid."""
    if target in fold.edits:
        yield from (part for _, part, _ in items_changed_by(fold.edits[target], fold))
    hidden, _ = fold.rewinds.get(target, (frozenset[str](), ()))
    for group in filter(None, map(fold.group_of_message, hidden)):
        yield from (part for said in group.said if said.id in hidden for part in said.parts)


async def _tokens_after(undone: Undone, fold: Fold) -> int:
    """Count the view's tokens after an undo; only a rewind's folds the whole log anew."""
    if undone.target in fold.edits:
        with fold.trial_undo(undone.target) as view:
            return view.tokens
    entries = (*fold.entries, undone)
    return (await asyncio.to_thread(view_of, entries, fold.ledger)).tokens


def _check_undoable(fold: Fold, target: str) -> None:
    if target in fold.edits:
        return
    index = fold.index_of(target)
    if index is None or not isinstance(fold.entries[index], Edited | Rewound):
        raise NotFound("edit", target, remedy="The report lists the reductions with their ids.")
    if target not in fold.rewinds:
        raise NotUndoable("This was undone already.", remedy="There is nothing left to take back.")
    if any(isinstance(entry, Said) for entry in fold.entries[index:]):
        raise NotUndoable(
            "Something new was said since the rewind.",
            remedy="Rewind to an earlier message instead, or fork the session there.",
        )


def newest_edit(fold: Fold) -> str:
    """Return the id of the reduction that a nameless `undo` takes back; raises NotUndoable.

    Cuts of results as they arrived are skipped.
    """
    for edit in reversed(list(fold.edits.values())):
        if edit.stage not in ON_ARRIVAL:
            return edit.id
    raise NotUndoable(
        "Nothing was removed from the context or summarised, so there is nothing to undo there.",
        remedy="`/rewind` goes back to an earlier prompt, with the files as they were then.",
    )

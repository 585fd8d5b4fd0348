"""Items that a person, or the model, takes out of the view by name, and that come back in full."""

from collections.abc import Iterable, Iterator, Sequence

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Op, Replace, Restore, Stage
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.pipeline.reduction import measure_in_trial
from plimsoll.context.report.receipts import Receipt, part_of
from plimsoll.context.report.titles import item_name
from plimsoll.context.stages.results.images import images_beside, images_leave
from plimsoll.context.stages.standing import says_what_holds
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group
from plimsoll.errors import InvalidInput, NotFound, NotUndoable
from plimsoll.session.state.session_state import SessionState


async def evict(
    state: SessionState,
    items: Sequence[str],
    why: str = "the user removed it",
    *,
    by_hand: bool = True,
) -> Receipt:
    """Take items out of the view: a tool result leaves a note, anything else its whole group.

    A person can evict anything; the model can evict no standing instruction and no refusal of a
    person.

    Raises:
        InvalidInput: No item is named, or none of those named may leave.
        NotFound: One of them is not of the conversation.
    """
    _check_named(items, "evict")
    ops = tuple(evictions(state.log.indexes, items, by_hand=by_hand))
    if not ops:
        raise InvalidInput(
            "What the user said there still holds, so it stays in the context.",
            remedy="Remove tool results or messages of your own.",
        )
    proposal = Proposal(stage=Stage.EVICT, why=why, ops=ops)
    return await state.apply(measure_in_trial(state.load.next_request, proposal))


async def restore(state: SessionState, items: Sequence[str]) -> Receipt:
    """Bring items back in full, and shield them from automatic stages.

    Raises:
        InvalidInput: No item is named.
        NotUndoable: The items do not fit; ``data.needsTokens`` says by how much.
    """
    _check_named(items, "restore")
    named = (state.log.fold.group_of(item) for item in items)
    said = [each for group in named if group for each in group.said]
    await state.log.read_parts([part for each in said for part in each.parts])
    fold = state.log.fold
    groups = {group.id: None for item in items if (group := _group(fold, item)).cover}
    beside = (image for item in items for image in _beside(item, fold))
    op = Restore(tuple(groups), tuple(dict.fromkeys([*items, *beside])))
    proposal = measure_in_trial(
        state.load.next_request,
        Proposal(stage=Stage.RESTORE, why="the user restored it", ops=(op,)),
    )
    missing = proposal.after - state.model.budget.effective
    if missing > 0:
        raise NotUndoable(
            f"Restoring this would need {missing:,} tokens more than the window has left.",
            remedy="Remove something else first, or compact.",
            data={"needsTokens": missing},
        )
    return await state.apply(proposal)


def _check_named(items: Sequence[str], what: str) -> None:
    if not items:
        raise InvalidInput(
            f"No item to {what} was named.",
            remedy="Name at least one; the report lists the items with their ids.",
        )


def _beside(item: str, fold: Fold) -> Iterator[str]:
    """Yield the images that came with a result, which come back with it."""
    found = part_of(item, fold)
    if found is not None and found[0].kind is PartKind.RESULT:
        yield from images_beside(found[1])


def evictions(indexes: Indexes, items: Iterable[str], *, by_hand: bool) -> Iterable[Op]:
    """Yield the operations that evict items; a model's leave a person's instructions in view."""
    fold = indexes.fold
    groups: dict[str, None] = {}
    for item in items:
        group = _group(fold, item)
        found = part_of(item, fold)
        if found is None:
            raise NotFound("item", item, remedy="The report lists the items with their ids.")
        part, said = found
        if not by_hand and _is_persons(group, part, indexes):
            continue
        if part.kind is PartKind.RESULT:
            title = item_name(part, said, fold)
            note = f"[removed: {title}; use history to bring it back]"
            yield Replace(item, note, Form.EVICTED)
            yield from images_leave(said, Form.EVICTED)
        else:
            groups[group.id] = None
    if groups:
        yield Cover(tuple(groups), None)


def _is_persons(group: Group, part: Part, indexes: Indexes) -> bool:
    """Tell whether an item holds a person's standing instruction, or a refusal."""
    if part.kind is PartKind.RESULT:
        return part.rejection is not None
    return says_what_holds(group, indexes) or any(
        each.rejection is not None for said in group.visible for each in said.parts
    )


def _group(fold: Fold, item: str) -> Group:
    group = fold.group_of(item)
    if group is None:
        raise NotFound("item", item, remedy="Only items of the conversation can be named here.")
    return group

"""Images beside tool results: replaced by a mark when their result leaves."""

from collections.abc import Iterator, Sequence

from plimsoll.context.log.entries import ItemState, Op, Replace, Said
from plimsoll.context.log.messages import PartKind, Role, part_item
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.results.visible_results import VisibleResult
from plimsoll.context.view.unseen import newest_answer

MARK = "[image]"


def images_leave(said: Said, state: ItemState) -> Iterator[Replace]:
    """Yield the operations that replace all images beside a result by a mark."""
    yield from (Replace(item, MARK, state) for item in images_beside(said))


def images_beside(said: Said) -> Iterator[str]:
    """Yield the items of the images beside a result."""
    for number, part in enumerate(said.parts):
        if said.role is Role.TOOL and part.kind is PartKind.IMAGE:
            yield part_item(said.id, number)


def seen_images(next_request: NextRequest, protected: Sequence[VisibleResult]) -> Iterator[Op]:
    """Yield the operations of a prune that replace the images which the model has seen.

    Images beside protected results stay, and so does what a person restored, until blocking.
    """
    fold, forced = next_request.fold, next_request.load >= next_request.budget.blocking
    kept = frozenset[str]() if forced else {each.group.id for each in protected} | fold.shielded
    for rendered in fold.rendered_groups()[: max(0, newest_answer(fold))]:
        if rendered.group.id in kept:
            continue
        for line in rendered.lines:
            for shown in line.shown if line.role is Role.TOOL else ():
                if shown.part.kind is PartKind.IMAGE and shown.item not in kept:
                    yield Replace(shown.item, MARK, ItemState.PRUNED)

"""Trim: at the blocking mark the oldest groups leave, and what must stay is cut to fit.

The last user message, the newest group, and results that no request has carried never leave.
Messages of the assistant and its tools go before people's messages, verbatim or in a summary; the
first request goes last.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from plimsoll.context.log.entries import Cover, Edited, Op, Slot, Stage
from plimsoll.context.log.messages import PartKind
from plimsoll.context.pipeline.due import at_blocking, due
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.stages.cut import common_size, least_result, shorter
from plimsoll.context.stages.standing import standing_section, with_standing
from plimsoll.context.stages.work_done import decisions_beside
from plimsoll.context.view.groups import is_user, last_user_group, said_tokens, visible_groups
from plimsoll.context.view.unseen import is_unseen
from plimsoll.context.view.view import RenderedGroup, RenderedItem

OPENING = "[Earlier messages left for want of room; history finds them in the session's log.]"

PASTED_LINES = 50
"""A message of so many lines counts as pasted, not typed."""

WORDS = frozenset({PartKind.TEXT, PartKind.FILE, PartKind.SELECTION})
Squeezable = Callable[[RenderedItem], bool]


def is_result(shown: RenderedItem) -> bool:
    """Tell whether an item is a tool result."""
    return shown.part.kind is PartKind.RESULT


def is_pasted(shown: RenderedItem) -> bool:
    """Tell whether an item was attached or pasted by a person, not typed."""
    pasted = shown.slot is Slot.USER and shown.part.text.count("\n") >= PASTED_LINES
    return shown.part.kind in WORDS and (pasted or shown.slot is Slot.ATTACHMENTS)


def is_said(shown: RenderedItem) -> bool:
    """Tell whether an item is text, typed, attached or written by the model."""
    return shown.part.kind in WORDS


Least = Literal["results", "pasted", "words"]
SQUEEZED: Mapping[Least, tuple[Squeezable, ...]] = {
    "results": (is_result,),
    "pasted": (is_result, is_pasted),
    "words": (is_result, is_pasted, is_said),
}
"""Which items that must stay are cut, in this order."""


@due(at_blocking)
def plan(next_request: NextRequest) -> Proposal | None:
    """Propose the edit that brings the request under the warning mark, or as far as possible."""
    why = "the context reached the stop mark"
    return shrink(next_request, next_request.budget.warning, why)


def shrink(
    next_request: NextRequest, target: int, why: str, *, cut: Least = "results"
) -> Proposal | None:
    """Propose the edit that brings the request to ``target`` tokens, or as far as possible.

    ``cut``: the kinds of items that may be cut to head and tail, if nothing else helps.
    """
    ops = _cover_until(next_request, target)
    limit = min(next_request.budget.effective, next_request.budget.blocking - 1)
    if _tokens(next_request, ops) > limit:
        ops = tuple(map(_without_record, ops))
    for squeezable in SQUEEZED[cut]:
        after = _tokens(next_request, ops)
        if after > limit:
            ops = (*ops, *_squeeze(next_request, ops, after - limit, squeezable))
    return Proposal(stage=Stage.TRIM, why=why, ops=ops) if ops else None


def _without_record(op: Op) -> Op:
    """Remove the decision record from a cover: a request that fits has precedence."""
    return replace(op, decisions=None) if isinstance(op, Cover) else op


def _cover_until(next_request: NextRequest, target: int) -> tuple[Op, ...]:
    """Cover whole groups, in the order in which they may leave, until the target is reached."""
    left = next_request.tokens
    gone: list[str] = []
    for group in _order_of_leaving(next_request):
        if left <= target:
            break
        gone.extend(_with_summarised(group, next_request))
        left -= said_tokens(group) if group.group.cover is None else group.tokens
        if left <= target:
            left = _tokens(next_request, (_cover_groups(gone, next_request),))
    return (_cover_groups(gone, next_request),) if gone else ()


def _cover_groups(gone: Sequence[str], next_request: NextRequest) -> Cover:
    """Cover the groups; only the standing instructions in them stay."""
    found = (next_request.fold.group(name) for name in gone)
    groups = [group for group in found if group is not None]
    section = standing_section(next_request, groups)
    text = f"{OPENING}\n\n{section.text}" if section.text else None
    decisions = decisions_beside(next_request, groups, section.standing)
    return Cover(tuple(gone), text, section.standing, decisions)


def _with_summarised(rendered: RenderedGroup, next_request: NextRequest) -> Iterator[str]:
    """Yield the group, and for a summary all groups under it, or the summary would only move on."""
    group = rendered.group
    if group.cover is None:
        yield group.id
        return
    edit = group.cover[0]
    yield from (
        g.id for g in next_request.fold.groups if g.cover is not None and g.cover[0] == edit
    )


def _order_of_leaving(next_request: NextRequest) -> Iterator[RenderedGroup]:
    """Yield the groups that may leave: tools and assistant, then people, oldest first.

    A summary that covers people's words ranks as those. The first request goes last, in a summary
    or by itself.
    """
    last = last_user_group(next_request.fold)
    rendered = [each for each in next_request.fold.rendered_groups() if each.lines]
    fold, groups = next_request.fold, next_request.fold.groups
    free = [e for e in rendered[:-1] if e.group is not last and not is_unseen(e, fold)]
    asked = next((group for group in groups if is_user(group) and group.visible), None)
    told = {group.cover[0] for group in groups if group.cover is not None and is_user(group)}
    whole = [each for each in free if each.group.cover is None]
    summaries = [(each, cover[0]) for each in free if (cover := each.group.cover) is not None]
    yield from (each for each in whole if not is_user(each.group))
    yield from (each for each, edit in summaries if edit not in told)
    yield from (each for each in whole if is_user(each.group) and each.group is not asked)
    yield from (each for each, edit in summaries if edit in told)
    yield from (each for each in whole if each.group is asked)


def _squeeze(
    next_request: NextRequest, ops: tuple[Op, ...], excess: int, squeezable: Squeezable
) -> Iterator[Op]:
    """Shorten the largest of the items that must stay, until they have freed the excess."""
    with next_request.fold.trial_edit(_trial_edit(ops)):
        parts = [
            s for g in visible_groups(next_request.fold) for line in g.lines for s in line.shown
        ]
    large = [shown for shown in parts if squeezable(shown)]
    least = least_result(next_request.budget)
    size = common_size([shown.tokens for shown in large], excess, least)
    texts = {shown.item for shown in large if shown.part.kind is PartKind.TEXT}
    for cut in shorter(next_request, large, least if size is None else size):
        whole = with_standing(cut.text, cut.item, next_request) if cut.item in texts else cut.text
        yield replace(cut, text=whole)


def _tokens(next_request: NextRequest, ops: tuple[Op, ...]) -> int:
    with next_request.fold.trial_edit(_trial_edit(ops)) as view:
        return view.tokens


def _trial_edit(ops: tuple[Op, ...]) -> Edited:
    return Edited(id="trial", at="", stage=Stage.TRIM, why="", ops=ops, before=0, after=0)

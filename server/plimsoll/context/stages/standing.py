"""Standing instructions: what a person wants from now on stays word for word when its message goes.

Whatever takes a person's message out of view writes beside its own text what still holds of it, up
to a share of the window. What is general stays longest, then what was said first.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.index.instructions import SaidInstructions, StandingInstruction
from plimsoll.context.log.entries import Cover, Slot, Stage
from plimsoll.context.log.messages import message_of
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group

SHARE = 0.10
"""The share of effective that the standing instructions out of view may take together."""
HEADING = "Standing instructions"
_TITLE = (
    f"## {HEADING} (the user's own words; each holds until the user changes it, and of two that "
    "disagree the later)"
)


@dataclass(frozen=True, slots=True)
class StandingSection:
    """The instructions that a cover's text carries on, word for word."""

    text: str = ""
    """Empty when there are none."""
    standing: tuple[str, ...] = ()
    """The instructions in it."""


def said_instructions(indexes: Indexes) -> SaidInstructions:
    """Return what people said that holds, and what was replaced; what a rewind hides is neither."""
    fold = indexes.fold
    return indexes.instructions.in_force(said for group in fold.groups for said in group.visible)


def lost_instructions(indexes: Indexes) -> tuple[StandingInstruction, ...]:
    """Return the standing instructions that are nowhere in view, those that stay longest first."""
    fold = indexes.fold
    beside = (Slot.SUMMARY, Slot.DECISIONS)
    summaries = [s.part.text for s in fold.view.items() if s.slot in beside]
    lost = _unseen(indexes, fold.groups, frozenset())
    gone = [each for each in lost if not any(each.text in text for text in summaries)]
    return tuple(sorted(gone, key=lambda each: each.rank))


def says_what_holds(group: Group, indexes: Indexes) -> bool:
    """Tell whether a person says something in it that still holds, so that no model may evict it.

    Carried on in the place of the first that leaves, a correction would stand before what it
    corrects.
    """
    messages = {said.id for said in group.visible}
    return any(each.message in messages for each in said_instructions(indexes).standing)


def standing_section(next_request: NextRequest, leaving: Iterable[Group]) -> StandingSection:
    """Write what still holds of what is out of view once these groups have left too."""
    fold, gone = next_request.fold, frozenset(group.id for group in leaving)
    lost = [
        each
        for each in _unseen(next_request.indexes, fold.groups, gone)
        if not _evicted(each, fold)
    ]
    if not lost:
        return StandingSection()
    count = fold.ledger.bare
    room = int(next_request.budget.effective * SHARE)
    room -= sum(count(line) for line in _told(fold.groups, gone))
    kept = _fitting(lost, room, next_request)
    if not kept:
        return StandingSection()
    texts = tuple(each.text for each in kept)
    return StandingSection(_written(texts, len(lost) - len(kept)), texts)


def with_standing(text: str, item: str, next_request: NextRequest) -> str:
    """Add to what is left of a message the instructions that were cut from it."""
    message = message_of(item)
    held = said_instructions(next_request.indexes).standing
    cut = [each for each in held if each.message == message and each.text not in text]
    kept = _fitting(cut, int(next_request.budget.effective * SHARE), next_request)
    return f"{text}\n\n{_written([each.text for each in kept], 0)}" if kept else text


def _written(texts: Sequence[str], left: int) -> str:
    lines = [_TITLE, *map(_line, texts)]
    if left:
        lines.append(f"- [{left} more had no room here; history finds them]")
    return "\n".join(lines)


def _line(text: str) -> str:
    return f"- {text}"


def _fitting(
    lost: Sequence[StandingInstruction], room: int, next_request: NextRequest
) -> list[StandingInstruction]:
    """Choose what fits, in the order in which it stays; returned as it was said."""
    count = next_request.fold.ledger.bare
    room -= count(_written((), len(lost)))
    chosen: set[str] = set()
    for each in sorted(lost, key=lambda each: each.rank):
        cost = count(f"{_line(each.text)}\n")
        if cost <= room:
            room -= cost
            chosen.add(each.text)
    return [each for each in lost if each.text in chosen]


def _unseen(
    indexes: Indexes, groups: Sequence[Group], gone: Collection[str]
) -> list[StandingInstruction]:
    """Return what stands neither in its message, nor in a pin, nor in another cover's text."""
    fold = indexes.fold
    held = said_instructions(indexes).standing
    if not held:
        return []
    told = frozenset(_told(groups, gone))
    pins = [pin.text for pin in fold.pins.values()]
    shown = dict(_shown(fold, gone))
    return [
        each
        for each in held
        if each.text not in told
        and each.text not in shown.get(each.message, "")
        and not any(each.text in pin for pin in pins)
    ]


def _shown(fold: Fold, gone: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the messages of people that stand in view, with their text as it stands there."""
    for rendered in fold.rendered_groups():
        if rendered.group.id not in gone and rendered.group.cover is None:
            for line in rendered.lines:
                if line.group == rendered.group.id:
                    yield line.id, "\n\n".join(shown.part.text for shown in line.shown)


def _told(groups: Iterable[Group], gone: Collection[str]) -> Iterator[str]:
    """Yield the instructions in the texts of the covers that will still stand."""
    covers = {
        (cover[0], cover[1].text): cover[1]
        for group in groups
        if group.id not in gone and group.visible and (cover := group.cover) is not None
    }
    for cover in covers.values():
        yield from (text for text in cover.standing if text in (cover.text or ""))


def _evicted(instruction: StandingInstruction, fold: Fold) -> bool:
    """Tell whether a person took the message out of view; what they evict is not brought back."""
    group = fold.group_of_message(instruction.message)
    cover: tuple[str, Cover] | None = group.cover if group else None
    return cover is not None and cover[1].text is None and fold.edits[cover[0]].stage is Stage.EVICT

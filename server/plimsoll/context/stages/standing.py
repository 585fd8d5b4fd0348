"""Standing instructions: carried on word for word when the message that says them leaves.

Any stage that takes a person's message out of view adds its instructions in force to its own text,
up to a share of the window. General instructions have precedence, then the oldest.
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
"""The share of effective that all standing instructions out of view may have together."""
HEADING = "Standing instructions"
_TITLE = (
    f"## {HEADING} (the user's own words; each holds until the user changes it, and of two that "
    "disagree the later)"
)


@dataclass(frozen=True, slots=True)
class StandingSection:
    """The section of a cover's text with the instructions that it carries on, word for word."""

    text: str = ""
    """Empty when there are none."""
    standing: tuple[str, ...] = ()
    """The instructions in the section."""


def said_instructions(indexes: Indexes) -> SaidInstructions:
    """Return the instructions in force and the ended ones, without those that a rewind hides."""
    fold = indexes.fold
    return indexes.instructions.in_force(said for group in fold.groups for said in group.visible)


def lost_instructions(indexes: Indexes) -> tuple[StandingInstruction, ...]:
    """Return the standing instructions that are nowhere in view, by precedence."""
    fold = indexes.fold
    beside = (Slot.SUMMARY, Slot.DECISIONS)
    summaries = [s.part.text for s in fold.view.items() if s.slot in beside]
    lost = _out_of_view(indexes, fold.groups, frozenset())
    gone = [each for each in lost if not any(each.text in text for text in summaries)]
    return tuple(sorted(gone, key=lambda each: each.rank))


def says_what_holds(group: Group, indexes: Indexes) -> bool:
    """Tell whether a message of a person says an instruction in force, so no model may evict it.

    Carried on in place of the first group that leaves, a correction would precede the instruction
    that it corrects.
    """
    messages = {said.id for said in group.visible}
    return any(each.message in messages for each in said_instructions(indexes).standing)


def standing_section(next_request: NextRequest, leaving: Iterable[Group]) -> StandingSection:
    """Write the instructions in force that are out of view once these groups have left."""
    fold, gone = next_request.fold, frozenset(group.id for group in leaving)
    lost = [
        each
        for each in _out_of_view(next_request.indexes, fold.groups, gone)
        if not _is_evicted(each, fold)
    ]
    if not lost:
        return StandingSection()
    count = fold.ledger.bare
    room = int(next_request.budget.effective * SHARE)
    room -= sum(count(line) for line in _instructions_in_covers(fold.groups, gone))
    kept = _choose_fitting(lost, room, next_request)
    if not kept:
        return StandingSection()
    texts = tuple(each.text for each in kept)
    return StandingSection(_write_section(texts, len(lost) - len(kept)), texts)


def with_standing(text: str, item: str, next_request: NextRequest) -> str:
    """Append the instructions that were cut from a message to its shortened text."""
    message = message_of(item)
    held = said_instructions(next_request.indexes).standing
    cut = [each for each in held if each.message == message and each.text not in text]
    kept = _choose_fitting(cut, int(next_request.budget.effective * SHARE), next_request)
    return f"{text}\n\n{_write_section([each.text for each in kept], 0)}" if kept else text


def _write_section(texts: Sequence[str], left: int) -> str:
    lines = [_TITLE, *map(_line, texts)]
    if left:
        lines.append(f"- [{left} more had no room here; history finds them]")
    return "\n".join(lines)


def _line(text: str) -> str:
    return f"- {text}"


def _choose_fitting(
    lost: Sequence[StandingInstruction], room: int, next_request: NextRequest
) -> list[StandingInstruction]:
    """Choose the instructions that fit by precedence, and return them in the order of the log."""
    count = next_request.fold.ledger.bare
    room -= count(_write_section((), len(lost)))
    chosen: set[str] = set()
    for each in sorted(lost, key=lambda each: each.rank):
        cost = count(f"{_line(each.text)}\n")
        if cost <= room:
            room -= cost
            chosen.add(each.text)
    return [each for each in lost if each.text in chosen]


def _out_of_view(
    indexes: Indexes, groups: Sequence[Group], gone: Collection[str]
) -> list[StandingInstruction]:
    """Return the instructions in no message, pin or cover that will be in view."""
    fold = indexes.fold
    held = said_instructions(indexes).standing
    if not held:
        return []
    told = frozenset(_instructions_in_covers(groups, gone))
    pins = [pin.text for pin in fold.pins.values()]
    shown = dict(_messages_in_view(fold, gone))
    return [
        each
        for each in held
        if each.text not in told
        and each.text not in shown.get(each.message, "")
        and not any(each.text in pin for pin in pins)
    ]


def _messages_in_view(fold: Fold, gone: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield people's messages that remain in view, with their text in its present form."""
    for rendered in fold.rendered_groups():
        if rendered.group.id not in gone and rendered.group.cover is None:
            for line in rendered.lines:
                if line.group == rendered.group.id:
                    yield line.id, "\n\n".join(shown.part.text for shown in line.shown)


def _instructions_in_covers(groups: Iterable[Group], gone: Collection[str]) -> Iterator[str]:
    """Yield the instructions in the texts of covers that remain."""
    covers = {
        (cover[0], cover[1].text): cover[1]
        for group in groups
        if group.id not in gone and group.visible and (cover := group.cover) is not None
    }
    for cover in covers.values():
        yield from (text for text in cover.standing if text in (cover.text or ""))


def _is_evicted(instruction: StandingInstruction, fold: Fold) -> bool:
    """Tell whether a person evicted the message, whose instructions are then not carried on."""
    group = fold.group_of_message(instruction.message)
    cover: tuple[str, Cover] | None = group.cover if group else None
    return cover is not None and cover[1].text is None and fold.edits[cover[0]].stage is Stage.EVICT

"""The rules of a session: which hold, which were ended, and taking an ended one back."""

from collections.abc import Iterator
from dataclasses import dataclass

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Noted, Slot
from plimsoll.context.log.messages import message_of, part_items
from plimsoll.context.log.notes import KEPT_RULE
from plimsoll.context.stages.standing import said_instructions
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedItem
from plimsoll.errors import NotFound
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.reduction.items import restore
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.instructions import replaces

_CARRYING = frozenset({Slot.SUMMARY, Slot.PINS})


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidRule:
    """A standing instruction of a session."""

    number: int
    """Its place among all that were said, from 1; it never changes."""
    text: str
    message: str
    ended_by: str | None = None
    """The words of the later one that ended it; none where it holds."""


def rules_of(indexes: Indexes) -> tuple[SaidRule, ...]:
    """List the rules that hold, then those that others ended, each in the order of their numbers.

    A rule that was only repeated is listed as the one that holds.
    """
    said = said_instructions(indexes)
    holding = [SaidRule(number=e.number, text=e.text, message=e.message) for e in said.standing]
    ended = [
        SaidRule(number=e.number, text=e.text, message=e.message, ended_by=e.by)
        for e in said.endings
        if e.text in said.ended
    ]
    return (*holding, *ended)


async def restore_rule(state: SessionState, number: int) -> SaidRule:
    """Let a rule hold again that others ended, beside them, and bring its message into view.

    Raises:
        NotFound: No rule of this number was ended.
        NotUndoable: Its message does not fit; ``data.needsTokens`` says by how much.
    """
    rule = _ended_rule(state.log.indexes, number)
    item = _hidden_item(state.log.fold, rule)
    if item is not None:
        await restore(state, [item])
    await state.append(*_kept_notes(state.log.indexes, rule, state.clock))
    return SaidRule(number=rule.number, text=rule.text, message=rule.message)


def _kept_notes(indexes: Indexes, rule: SaidRule, clock: Clock) -> Iterator[Noted]:
    """Yield a note for each later instruction that would end a rule, so that it does not."""
    fold = indexes.fold
    spoken = (said for group in fold.groups for said in group.visible)
    pairs = [(said.id, each) for said in spoken for each in indexes.instructions.of(said)]
    _, old = pairs[rule.number - 1]
    for message, new in pairs[rule.number :]:
        if replaces(new, old):
            data = {"text": rule.text, "by": new.text, "byMessage": message}
            yield new_note(clock, KEPT_RULE, data, rule.message)


def _ended_rule(indexes: Indexes, number: int) -> SaidRule:
    found = [each for each in rules_of(indexes) if each.number == number and each.ended_by]
    if not found:
        raise NotFound(
            "rule",
            str(number),
            message=f"No rule of number {number} was ended.",
            remedy="/rules lists the rules with their numbers.",
        )
    return found[0]


def _hidden_item(fold: Fold, rule: SaidRule) -> str | None:
    """Return the item with a rule's text; None if the rule is in view already."""
    group = fold.group_of_message(rule.message)
    shown = (each.part.text for each in fold.view.items() if _says(each, rule))
    if group is None or any(rule.text in text for text in shown):
        return None
    said = next(each for each in group.said if each.id == rule.message)
    items = zip(part_items(said.id, said.parts), said.parts, strict=True)
    return next((item for item, part in items if rule.text in part.text), None)


def _says(shown: RenderedItem, rule: SaidRule) -> bool:
    """Tell whether an item in view is the rule's message, or a summary that may repeat the rule."""
    return shown.slot in _CARRYING or message_of(shown.item) == rule.message

"""Receipts: what an edit did, what left, where it still is, and what is no longer in view."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import (
    Edited,
    Framed,
    Replace,
    Said,
    Slot,
    Stage,
    TaskStatus,
    with_subtasks,
)
from plimsoll.context.log.messages import (
    Part,
    Role,
    canonical,
    is_first,
    message_of,
    part_items,
    part_number,
)
from plimsoll.context.pipeline.reduction import Weight
from plimsoll.context.report.titles import item_title
from plimsoll.context.stages.standing import lost_instructions, said_instructions
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import groups_of, items_of
from plimsoll.text.lines import lines_of

Status = Literal["planned", "inProgress", "completed", "failed", "cancelled"]
MOST_LOST = 40
"""Names listed on a receipt; more would be a list that nobody reads."""
IN_LOG = "kept; the agent can look it up"
_SPOKEN = frozenset({Slot.USER, Slot.SUMMARY, Slot.DECISIONS, Slot.PINS})
_OPEN: frozenset[TaskStatus] = frozenset({"pending", "inProgress"})
_CONSTRAINT = re.compile(r"\b(always|never|must|don't|do not|only)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReceiptItem:
    """An item that an edit changed."""

    id: str
    title: str
    tokens: int
    """The tokens that it took before."""
    where: str
    """The place where its text still is."""


@dataclass(frozen=True, slots=True)
class EndedConstraint:
    """An instruction that is not carried on, since a later one ended it."""

    constraint: str
    ended_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What the reduced items held that stands nowhere in view now."""

    identifiers: tuple[str, ...] = ()
    """Names, those that people and the model used most first."""
    constraints: tuple[str, ...] = ()
    """Instructions, first the standing ones in the order in which they would have stayed."""
    tasks: tuple[str, ...] = ()
    """Titles of tasks that were open when the list last named them, and are not in it any more."""
    ended: tuple[EndedConstraint, ...] = ()
    """Instructions that were ended by later ones, the newest first."""
    identifiers_total: int = 0
    """How many there are, those that are not listed too."""
    constraints_total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One pass of one stage, for people."""

    id: str
    stage: Stage
    status: Status
    at: str
    why: str
    before: int
    after: int
    items: tuple[ReceiptItem, ...]
    lost: Lost
    undone: bool
    rewritten: int
    model: str | None = None
    spent: int | None = None
    missing: int = 0
    """Tokens by which what must stay does not fit, when it cannot be made to."""
    heaviest: tuple[Weight, ...] = ()


def receipt_of(edit: Edited, indexes: Indexes, *, planned: bool = False) -> Receipt:
    """Return the receipt of an edit of the log, or of one that is only planned."""
    fold = indexes.fold
    parts = list(touched(edit, fold))
    undone = not planned and edit.id not in fold.edits
    return Receipt(
        id=edit.id,
        stage=edit.stage,
        status="planned" if planned else "completed",
        at=edit.at,
        why=edit.why,
        before=edit.before,
        after=edit.after,
        items=tuple(_item(name, part, said, fold) for name, part, said in parts),
        lost=Lost() if undone or edit.stage is Stage.RESTORE else _lost(parts, indexes),
        undone=undone,
        rewritten=edit.rewritten,
        model=edit.model,
        spent=edit.spent or None,
    )


def touched(edit: Edited, fold: Fold) -> Iterable[tuple[str, Part, Said]]:
    """Yield the items that an edit changes, with the message of each."""
    seen: set[str] = set()
    for op in edit.ops:
        for item in items_of(op):
            yield from _one(item, fold, seen)
        for name in groups_of(op):
            group = fold.group(name)
            for said in group.visible if group else ():
                for item in part_items(said.id, said.parts):
                    yield from _one(item, fold, seen)


def part_of(item: str, fold: Fold) -> tuple[Part, Said] | None:
    """Return the part and the message behind an item id."""
    message, number = message_of(item), part_number(item)
    group = fold.group_of(item)
    said = next((each for each in group.said if each.id == message), None) if group else None
    if said is None or number is None or number >= len(said.parts):
        return None
    return said.parts[number], said


def _one(item: str, fold: Fold, seen: set[str]) -> Iterable[tuple[str, Part, Said]]:
    found = part_of(item, fold)
    if found is not None and item not in seen:
        seen.add(item)
        yield item, *found


def _item(name: str, part: Part, said: Said, fold: Fold) -> ReceiptItem:
    tokens = fold.ledger.part(part, first=is_first(name))
    return ReceiptItem(name, item_title(part, said, fold), tokens, where_is(name, fold))


def where_is(item: str, fold: Fold) -> str:
    """Tell where the whole text of an item can be had."""
    forms = (op for _, op in fold.forms.get(item, ()) if isinstance(op, Replace))
    file = next((form.kept_in for form in forms if form.kept_in), None)
    return f"in {file}, and {IN_LOG}" if file else IN_LOG


def _lost(parts: Sequence[tuple[str, Part, Said]], indexes: Indexes) -> Lost:
    fold = indexes.fold
    standing, uses = indexes.standing(), indexes.references.uses()
    names: dict[str, int] = {}
    constraints: dict[str, None] = {}
    spoken = {said.id: said for _, _part, said in parts if said.role is Role.USER}
    text = _spoken(fold) if spoken else ""
    for _, part, _said in parts:
        for name in indexes.names.of(part.text):
            if name not in standing:
                names[name] = names.get(name, 0) + 1
    changed = {said.id for _, _, said in parts}
    lost = (each for each in lost_instructions(indexes) if each.message in changed)
    constraints.update(dict.fromkeys(each.text for each in lost))
    for said in spoken.values():
        constraints.update(dict.fromkeys(_constraints(said, text, indexes)))
    used = [name for name in names if name in uses]
    rest = [name for name in names if name not in uses]
    used.sort(key=lambda name: (-uses[name], -names[name]))
    rest.sort(key=names.__getitem__, reverse=True)
    return Lost(
        identifiers=(*used, *rest)[:MOST_LOST],
        constraints=tuple(constraints)[:MOST_LOST],
        tasks=tuple(_lost_tasks((said for _, _, said in parts), fold))[:MOST_LOST],
        ended=tuple(_ended({said.id for _, _, said in parts}, indexes))[:MOST_LOST],
        identifiers_total=len(names),
        constraints_total=len(constraints),
    )


def _ended(messages: Container[str], indexes: Indexes) -> Iterable[EndedConstraint]:
    """Yield what these messages say that a later one ended, and so is carried on by nothing."""
    for each in reversed(said_instructions(indexes).endings):
        if each.message in messages and each.text != each.by:
            yield EndedConstraint(each.text, each.by)


def _lost_tasks(messages: Iterable[Said], fold: Fold) -> Iterable[str]:
    """Yield the open tasks of the lists that came with these messages and stand nowhere now."""
    groups = {
        group.index: group
        for group in (fold.group_of_message(each.id) for each in messages)
        if group
    }
    frames = (note.entry for index in sorted(groups) for note in groups[index].notes)
    listed = (each.tasks for each in frames if isinstance(each, Framed))
    newest = {task.title: task.status for tasks in listed for task in with_subtasks(tasks)}
    for title, status in newest.items():
        # In the arguments of a call it stands as JSON.
        spellings = (title, canonical(title)[1:-1])
        shown = (item.part.text for item in fold.view.items())
        if status in _OPEN and not any(each in text for text in shown for each in spellings):
            yield title


def _spoken(fold: Fold) -> str:
    return "\n".join(s.part.text for s in fold.view.items() if s.slot in _SPOKEN)


def _constraints(said: Said, standing: str, indexes: Indexes) -> Iterable[str]:
    """Yield the lines that look like instructions and hold none that is known to be one."""
    known = [each.text for each in indexes.instructions.of(said)]
    for line in (line.strip() for part in said.parts for line in lines_of(part.text)):
        read = any(each in line or line in each for each in known)
        if _CONSTRAINT.search(line) and line not in standing and not read:
            yield line[:200]


def receipts(indexes: Indexes) -> tuple[Receipt, ...]:
    """Return every receipt of a session, the undone ones included, oldest first."""
    edits = (entry for entry in indexes.fold.entries if isinstance(entry, Edited))
    return tuple(receipt_of(edit, indexes) for edit in edits)

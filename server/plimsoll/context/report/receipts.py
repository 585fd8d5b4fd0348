"""Receipts of edits: what left the view, where its text still is, and what is no longer in view."""

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
"""How many names a receipt lists."""
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
    """The tokens that it had before the edit."""
    where: str
    """The place where its text can still be found."""


@dataclass(frozen=True, slots=True)
class EndedConstraint:
    """An instruction that is not carried on because a later one ended it."""

    constraint: str
    ended_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Facts of the reduced items that are nowhere in view any more."""

    identifiers: tuple[str, ...] = ()
    """Names, most used by people and the model first."""
    constraints: tuple[str, ...] = ()
    """Instructions: first the standing ones, in the order of precedence."""
    tasks: tuple[str, ...] = ()
    """Titles of open tasks that have left the task list."""
    ended: tuple[EndedConstraint, ...] = ()
    """Instructions that later ones ended, newest first."""
    identifiers_total: int = 0
    """The number of names, including those that are not listed."""
    constraints_total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The description of one edit for people."""

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
    """Tokens by which the request still does not fit; 0 if it fits."""
    heaviest: tuple[Weight, ...] = ()


def receipt_of(edit: Edited, indexes: Indexes, *, planned: bool = False) -> Receipt:
    """Build the receipt of an edit of the log, or of a planned one."""
    fold = indexes.fold
    parts = list(items_changed_by(edit, fold))
    undone = not planned and edit.id not in fold.edits
    return Receipt(
        id=edit.id,
        stage=edit.stage,
        status="planned" if planned else "completed",
        at=edit.at,
        why=edit.why,
        before=edit.before,
        after=edit.after,
        items=tuple(_receipt_item(name, part, said, fold) for name, part, said in parts),
        lost=Lost() if undone or edit.stage is Stage.RESTORE else _find_lost(parts, indexes),
        undone=undone,
        rewritten=edit.rewritten,
        model=edit.model,
        spent=edit.spent or None,
    )


def items_changed_by(edit: Edited, fold: Fold) -> Iterable[tuple[str, Part, Said]]:
    """Yield the items that an edit changes, each with its part and message."""
    seen: set[str] = set()
    for op in edit.ops:
        for item in items_of(op):
            yield from _unseen_item(item, fold, seen)
        for name in groups_of(op):
            group = fold.group(name)
            for said in group.visible if group else ():
                for item in part_items(said.id, said.parts):
                    yield from _unseen_item(item, fold, seen)


def part_of(item: str, fold: Fold) -> tuple[Part, Said] | None:
    """Return the part and the message behind an item id."""
    message, number = message_of(item), part_number(item)
    group = fold.group_of(item)
    said = next((each for each in group.said if each.id == message), None) if group else None
    if said is None or number is None or number >= len(said.parts):
        return None
    return said.parts[number], said


def _unseen_item(item: str, fold: Fold, seen: set[str]) -> Iterable[tuple[str, Part, Said]]:
    found = part_of(item, fold)
    if found is not None and item not in seen:
        seen.add(item)
        yield item, *found


def _receipt_item(name: str, part: Part, said: Said, fold: Fold) -> ReceiptItem:
    tokens = fold.ledger.part(part, first=is_first(name))
    return ReceiptItem(name, item_title(part, said, fold), tokens, where_is(name, fold))


def where_is(item: str, fold: Fold) -> str:
    """Describe where the whole text of an item can be found."""
    forms = (op for _, op in fold.forms.get(item, ()) if isinstance(op, Replace))
    file = next((form.kept_in for form in forms if form.kept_in), None)
    return f"in {file}, and {IN_LOG}" if file else IN_LOG


def _find_lost(parts: Sequence[tuple[str, Part, Said]], indexes: Indexes) -> Lost:
    fold = indexes.fold
    standing, uses = indexes.name_counts_in_view(), indexes.references.uses()
    names: dict[str, int] = {}
    constraints: dict[str, None] = {}
    spoken = {said.id: said for _, _part, said in parts if said.role is Role.USER}
    text = _spoken_in_view(fold) if spoken else ""
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
        ended=tuple(_ended_constraints({said.id for _, _, said in parts}, indexes))[:MOST_LOST],
        identifiers_total=len(names),
        constraints_total=len(constraints),
    )


def _ended_constraints(messages: Container[str], indexes: Indexes) -> Iterable[EndedConstraint]:
    """Yield the instructions in these messages that later ones ended."""
    for each in reversed(said_instructions(indexes).endings):
        if each.message in messages and each.text != each.by:
            yield EndedConstraint(each.text, each.by)


def _lost_tasks(messages: Iterable[Said], fold: Fold) -> Iterable[str]:
    """Yield the open tasks of the task lists in these messages that are nowhere in view now."""
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


def _spoken_in_view(fold: Fold) -> str:
    return "\n".join(s.part.text for s in fold.view.items() if s.slot in _SPOKEN)


def _constraints(said: Said, standing: str, indexes: Indexes) -> Iterable[str]:
    """Yield the lines that look like instructions but hold no recognised one."""
    known = [each.text for each in indexes.instructions.of(said)]
    for line in (line.strip() for part in said.parts for line in lines_of(part.text)):
        read = any(each in line or line in each for each in known)
        if _CONSTRAINT.search(line) and line not in standing and not read:
            yield line[:200]


def receipts(indexes: Indexes) -> tuple[Receipt, ...]:
    """Return the receipts of all edits of a session, undone ones too, oldest first."""
    edits = (entry for entry in indexes.fold.entries if isinstance(entry, Edited))
    return tuple(receipt_of(edit, indexes) for edit in edits)

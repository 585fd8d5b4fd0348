"""The fold of a log into the view, kept up to date as the log grows.

An entry marks the groups that it changes as dirty, and only those are rendered again: the cost of
a fold grows with what is new, not with the session. `view_of(entries)` folds a whole log at once.
The newest live edit of a group decides whether it is in view, the newest one of an item in which
form; the two never share a stack, else an undo would leave a result without its call.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import assert_never

from plimsoll.context.log.entries import (
    BIG_STEPS,
    Cover,
    Edited,
    Entry,
    Framed,
    Noted,
    Op,
    Pinned,
    Restore,
    Rewound,
    Said,
    Stage,
    Undone,
    with_traits,
)
from plimsoll.context.log.messages import Role, message_of
from plimsoll.context.log.traits import NONE, Tools
from plimsoll.context.view.frames import FramePlacement, is_readable
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.sources import VisibleSources
from plimsoll.context.view.view import (
    EnteredFrame,
    Forms,
    Group,
    RenderedGroup,
    RenderedItem,
    View,
    groups_of,
    items_of,
)
from plimsoll.context.view.view_builder import BuiltView, ViewBuilder


class Fold:
    """The state of a log: `append` each entry once and in order, then ask for the `view`.

    Only `view` and `rendered_groups` say what is in the view; both are always up to date.
    """

    def __init__(
        self,
        ledger: Ledger,
        entries: Iterable[Entry] = (),
        tools: Tools = NONE,
        *,
        turns: int = 0,
    ) -> None:
        """``turns``: the number of turns before the first entry, if it continues another log."""
        self.ledger = ledger
        self.tools = tools
        self.entries: list[Entry] = []
        self.groups: list[Group] = []
        """All groups of messages in the log; `rendered_groups` has them as the view shows them."""
        self.edits: dict[str, Edited] = {}
        """Live edits, oldest first."""
        self.pins: dict[str, Pinned] = {}
        """Live pins by id."""
        self.frames: dict[str, Framed] = {}
        """The newest frame of each slot."""
        self.rewinds: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {}
        """Live rewinds: the messages and the edits that each hides."""
        self.shielded: set[str] = set()
        """Items and groups that a person undid or restored."""
        self.forms: Forms = {}
        self.messages: list[Said] = []
        """All messages, in the order of the log."""
        self.notes: list[Noted] = []
        """All notes, in the order of the log."""
        self._by_id: dict[str, Group] = {}
        self._of_message: dict[str, Group] = {}
        self._index: dict[str, int] = {}
        self._entered: list[EnteredFrame] = []
        self._undone: set[str] = set()
        self.requests = 0
        """How often the model has answered."""
        self._turns = turns
        self._big_step = -1
        self._built: BuiltView | None = None
        self._builder = ViewBuilder(
            ledger,
            groups=self._by_id,
            forms=self.forms,
            edits=self.edits,
        )
        self.extend(entries)

    def append(self, entry: Entry) -> None:
        """Append one entry of the log; its calls and results gain the traits of their tools."""
        assert not self._builder.in_trial, "the log may not grow during a trial"
        entry = with_traits(entry, self.tools)
        self._index[entry.id] = len(self.entries)
        self.entries.append(entry)
        self._built = None
        match entry:
            case Said():
                self._append_message(entry)
            case Framed() | Pinned():
                self._append_frame(entry)
            case Edited():
                self._apply_edit(entry)
            case Undone():
                self._apply_undo(entry)
            case Rewound():
                self._apply_rewind(entry)
            case Noted():
                self.notes.append(entry)
            case _:
                assert_never(entry)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Append entries of the log, in order."""
        for entry in entries:
            self.append(entry)

    def reprice(self, ledger: Ledger) -> None:
        """Count tokens with another ledger from now on."""
        assert not self._builder.in_trial, "nothing is repriced during a trial"
        self.ledger, self._built = ledger, None
        self._builder.reprice(ledger)

    @property
    def view(self) -> View:
        """The next request, as the log now has it."""
        return self._up_to_date().view

    def rendered_groups(self) -> tuple[RenderedGroup, ...]:
        """Return all groups as they are rendered in the view, in order."""
        return self._up_to_date().groups

    def groups_with_content(self, content: str) -> tuple[RenderedGroup, ...]:
        """Return the groups that show the content with this hash verbatim, in order."""
        groups = self.rendered_groups()
        return tuple(groups[index] for index in sorted(self._builder.bases.holders(content)))

    def name_of(self, shown: RenderedItem) -> str | None:
        """Return the hash by which a pointer can name this item's content, or None."""
        return self._builder.bases.name_of(shown)

    def head(self) -> tuple[RenderedItem, ...]:
        """Return the items before the first group: head frames, pins and quotes."""
        now = self._up_to_date()
        return (*now.view.head, *now.quoted)

    def sources(self) -> VisibleSources:
        """Return the index of files in the view, valid until the next entry."""
        return self._builder.sources.refresh(self.rendered_groups(), self.head())

    @contextmanager
    def trial_edit(self, edit: Edited) -> Generator[View]:
        """Yield the view as it would be with one more edit; undone at the end of the block."""
        before, big_step, shielded = self._up_to_date(), self._big_step, set(self.shielded)
        with self._builder.trial():
            self._index[edit.id] = len(self.entries)
            self._apply_edit(edit)
            self._built = None
            try:
                yield self.view
            finally:
                self._remove_edit(edit)
                del self._index[edit.id]
                self._big_step, self._built, self.shielded = big_step, before, shielded

    @contextmanager
    def trial_undo(self, name: str) -> Generator[View]:
        """Yield the view as it would be if a live edit were undone; restored at the end."""
        before, big_step = self._up_to_date(), self._big_step
        edit, edits = self.edits[name], dict(self.edits)
        forms = {item: self.forms[item] for op in edit.ops for item in items_of(op)}
        covers = [(group, group.covers) for op in edit.ops for group in self._groups_of(op)]
        with self._builder.trial():
            self._undo_edit(edit)
            self._built = None
            try:
                yield self.view
            finally:
                # As they were, not applied anew: the newest of each stack decides.
                self.edits.clear()
                self.edits.update(edits)
                self.forms.update(forms)
                for group, stack in covers:
                    group.covers = stack
                self._big_step, self._built = big_step, before

    def group(self, name: str) -> Group | None:
        """Return a group by its id."""
        return self._by_id.get(name)

    def group_of(self, item: str) -> Group | None:
        """Return the group in which an item was said."""
        return self._of_message.get(message_of(item))

    def group_of_message(self, message: str) -> Group | None:
        """Return the group of a message."""
        return self._of_message.get(message)

    def index_of(self, entry: str) -> int | None:
        """Return the index of an entry in the log."""
        return self._index.get(entry)

    def _append_message(self, said: Said) -> None:
        group = self._by_id.get(said.group)
        if group is None:
            self._turns += said.role is Role.USER
            self.requests += said.role is Role.ASSISTANT
            group = Group(id=said.group, index=len(self.groups), turn=self._turns)
            self.groups.append(group)
            self._builder.add(group)
            self._by_id[said.group] = group
        group.said.append(said)
        self._of_message[said.id] = group
        self._builder.add_contents(said)
        self.messages.append(said)
        # A rewind may have hidden the whole group, so that its cover's text moved.
        if group.covers:
            self._builder.touch_covered([group])
        else:
            self._builder.touch([group])

    def _append_frame(self, entry: Framed | Pinned) -> None:
        if isinstance(entry, Framed) and not is_readable(entry):
            # It came from a later version or was forged: kept in the log, and in no request.
            return
        tail = isinstance(entry, Pinned) or entry.place == "tail"
        group = self.groups[-1] if tail and self.groups else None
        note = EnteredFrame(entry, self._index[entry.id], group is None)
        self._entered.append(note)
        if group is not None:
            group.notes += (note,)
        if isinstance(entry, Pinned):
            self.pins[entry.id] = entry
        else:
            self.frames[entry.slot] = entry
        self._builder.forget_head()
        self._touch_notes()

    def _apply_edit(self, edit: Edited) -> None:
        self.edits[edit.id] = edit
        for op in edit.ops:
            for item in items_of(op):
                if not isinstance(op, Cover):
                    self.forms.setdefault(item, []).append((edit.id, op))
            if isinstance(op, Cover | Restore):
                covered = list(self._groups_of(op))
                self._builder.touch_covered(covered)
                for group in covered:
                    group.covers += ((edit.id, op),)
        if edit.stage is Stage.RESTORE:
            self._shield(edit)
        self._touch_edited(edit)

    def _undo_edit(self, edit: Edited) -> None:
        """Remove an edit and mark the groups that it had changed."""
        self._remove_edit(edit)
        self._touch_edited(edit)

    def _remove_edit(self, edit: Edited) -> None:
        """Remove an edit's operations from the stacks of items and groups, at any depth."""
        del self.edits[edit.id]
        for op in edit.ops:
            for item in items_of(op):
                self.forms[item] = [pair for pair in self.forms[item] if pair[0] != edit.id]
            for group in self._groups_of(op):
                group.covers = tuple(pair for pair in group.covers if pair[0] != edit.id)

    def _touch_edited(self, edit: Edited) -> None:
        """Mark the groups that an added or removed edit changes."""
        for op in edit.ops:
            touched = (self.group_of(item) for item in items_of(op))
            self._builder.touch(group for group in touched if group)
            if isinstance(op, Cover | Restore):
                self._builder.touch_covered(list(self._groups_of(op)))
        if edit.stage in BIG_STEPS:
            self._find_big_step()

    def _apply_undo(self, entry: Undone) -> None:
        self._undone.add(entry.target)
        if (edit := self.edits.get(entry.target)) is not None:
            self._undo_edit(edit)
            self._shield(edit)
        elif entry.target in self.pins:
            del self.pins[entry.target]
            self._builder.forget_head()
            self._touch_notes()
        elif entry.target in self.rewinds:
            self._undo_rewind(*self.rewinds.pop(entry.target))

    def _apply_rewind(self, entry: Rewound) -> None:
        kept = self._of_message.get(entry.to)
        if kept is None:
            return
        last = max((self._index[said.id] for said in kept.visible), default=-1)
        if entry.before:
            last = self._index[entry.to] - 1
        hidden: set[str] = set()
        for group in self.groups:
            later = {said.id for said in group.visible if self._index[said.id] > last}
            group.hidden |= later
            hidden |= later
        self._builder.touch_covered([group for group in self.groups if group.hidden & hidden])
        edits = tuple(name for name in self.edits if self._index[name] > last)
        for name in edits:
            self._undo_edit(self.edits[name])
        self.rewinds[entry.id] = (frozenset(hidden), edits)

    def _undo_rewind(self, hidden: frozenset[str], edits: Sequence[str]) -> None:
        """Undo a rewind: show its messages again, reapply its edits in the order of the log."""
        back = [group for group in self.groups if group.hidden & hidden]
        for group in back:
            group.hidden -= hidden
        self._builder.touch_covered(back)
        live = set(self.edits) | {name for name in edits if name not in self._undone}
        for edit in list(self.edits.values()):
            self._undo_edit(edit)
        for name in sorted(live, key=self._index.__getitem__):
            edit = self.entries[self._index[name]]
            if isinstance(edit, Edited):
                self._apply_edit(edit)

    def _shield(self, edit: Edited) -> None:
        for op in edit.ops:
            self.shielded.update(items_of(op), groups_of(op))

    def _find_big_step(self) -> None:
        """Find the last live big step again: notes from before it move to the head."""
        steps = (self._index[e.id] for e in self.edits.values() if e.stage in BIG_STEPS)
        before, self._big_step = self._big_step, max(steps, default=-1)
        if before != self._big_step:
            self._touch_notes()

    def _groups_of(self, op: Op) -> Iterator[Group]:
        return (self._by_id[name] for name in groups_of(op) if name in self._by_id)

    def _touch_notes(self) -> None:
        self._builder.touch(group for group in self.groups if group.notes)

    def _up_to_date(self) -> BuiltView:
        if self._built is None:
            placement = FramePlacement(self.pins, self.frames, self._big_step)
            self._built = self._builder.build(self._entered, placement)
        return self._built


def view_of(entries: Iterable[Entry], ledger: Ledger) -> View:
    """Fold a whole log and return its view."""
    return Fold(ledger, entries).view

"""Builds the view of a fold: what an entry touched is rendered again, all else stays as it was."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain

from plimsoll.context.log.entries import Cover, Edited, Op, Said, Slot, Stage
from plimsoll.context.log.messages import ToolSchema, schema_of
from plimsoll.context.view.cover_lines import cover_lines, has_record, has_text
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.rendering import (
    Bases,
    FramePlacement,
    Head,
    bases_of,
    front_of,
    group_lines,
    head_of,
    notes_of,
)
from plimsoll.context.view.sources import StandingSources
from plimsoll.context.view.view import (
    EnteredFrame,
    Forms,
    Group,
    RenderedItem,
    RenderedMessage,
    SettledGroup,
    View,
    settled_group,
)

BeforeGroups = tuple[Head, tuple[RenderedMessage, ...], tuple[ToolSchema, ...]]
"""Head, quotes from other times, and the schemas of the tools."""
MOST_HEADS = 4
"""Places of the last big step for which the head is kept: the present one, and supposed ones."""


@dataclass(frozen=True, slots=True)
class BuiltView:
    """What a log rendered to, as a whole and by group."""

    view: View
    settled: tuple[SettledGroup, ...]
    """The groups as they stand in the view, in their order."""
    quoted: tuple[RenderedItem, ...]
    """The quotes from other times, which stand first in the conversation."""


Decided = tuple[tuple[str, Stage, tuple[Op, ...]], ...]
"""The live edits by id, stage and operations: of one log they decide what it renders to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """What other edits of the same log rendered to, for when they are supposed again."""

    before: BuiltView
    decided: Decided
    groups: tuple[SettledGroup, ...]
    """Those that changed."""
    recording: str | None
    built: BuiltView


class ViewBuilder:
    """Renders the groups that an entry touched, and keeps what each of the others rendered to.

    The groups, forms and edits are the fold's own, and change with it.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        groups: Mapping[str, Group],
        forms: Forms,
        edits: Mapping[str, Edited],
    ) -> None:
        self.bases = Bases()
        """What of the groups pointers may name; up to date after `build`."""
        self.sources = StandingSources()
        self._ledger = ledger
        self._groups = groups
        self._forms = forms
        self._edits = edits
        self._settled: list[SettledGroup] = []
        """Each group as it was rendered last; the dirty ones are not up to date."""
        self._dirty: set[int] = set()
        self._unpriced: set[int] = set()
        """Groups whose lines were counted with an earlier ledger."""
        self._heads: dict[int, BeforeGroups] = {}
        """By the last big step, what stood before the groups."""
        self._schemas: dict[str, ToolSchema | None] = {}
        self._totals: dict[Slot, int] = {}
        self._holders: dict[str, int] = {}
        self._recording: str | None = None
        """The edit whose decision record stands in view: the newest that has a place there."""
        self._covers_changed = False
        self._replaced: dict[int, SettledGroup] | None = None
        """While an edit is supposed: what the groups that it changed rendered to before."""
        self._built: BuiltView | None = None
        """What was built last, and was not given back."""
        self._before: BuiltView | None = None
        """What stood as it began to be supposed."""
        self._supposed: dict[str, Supposed] = {}
        """By the newest edit; of the log as it stands."""

    def reprice(self, ledger: Ledger) -> None:
        """Count with another ledger from the next `build` on."""
        self._ledger = ledger
        self.forget_head()
        self._unpriced = {group.index for group in self._settled if group.lines}

    def forget_head(self) -> None:
        """Render anew what stands before the groups: a note has come, or a pin has gone."""
        self._heads.clear()

    @property
    def supposing(self) -> bool:
        """Whether what is rendered will be given back."""
        return self._replaced is not None

    def add(self, group: Group) -> None:
        """Take a new last group; it is rendered when it is touched."""
        self._settled.append(SettledGroup(group=group))

    def add_contents(self, said: Said) -> None:
        """Add the contents of a new message, for the pointers to them."""
        self.bases.add_contents(said)

    def touch(self, groups: Iterable[Group]) -> None:
        """Let groups be rendered again."""
        if self._replaced is None:
            self._supposed.clear()
        self._dirty.update(group.index for group in groups)

    def touch_covered(self, groups: Sequence[Group]) -> None:
        """Let all groups under the same covers be rendered again: a cover's text may move."""
        self._covers_changed = True
        self.touch(groups)
        for edit in {cover[0] for group in groups if (cover := group.cover)}:
            self.touch(self._texts_of(edit))

    @contextmanager
    def giving_back(self) -> Generator[None]:
        """Restore each group at the end as it stands now; none is left to be rendered.

        What is built meanwhile is kept: an edit is supposed to be priced, to be planned with, and
        to be shown.
        """
        outer, self._replaced, recording = self._replaced, {}, self._recording
        before, self._before = self._before, self._built
        try:
            yield
        finally:
            self._recording, self._covers_changed = recording, False
            for stood in self._replaced.values():
                self._put(stood)
            self._dirty.clear()
            self._built, self._replaced, self._before = self._before, outer, before

    def build(self, notes: Sequence[EnteredFrame], placement: FramePlacement) -> BuiltView:
        """Build the next request, with the groups that were touched rendered again."""
        self._holders.clear()
        before, replaced = self._before, self._replaced
        if replaced is None or before is None:
            self._built = self._rendered(notes, placement)
            return self._built
        decided = tuple((each.id, each.stage, each.ops) for each in self._edits.values())
        newest = decided[-1][0] if decided else ""
        known = self._supposed.get(newest)
        if known is not None and known.before is before and known.decided == decided:
            self._put_again(known, replaced)
        else:
            built = self._rendered(notes, placement)
            known = self._supposed[newest] = Supposed(
                before=before,
                decided=decided,
                groups=tuple(self._settled[index] for index in replaced),
                recording=self._recording,
                built=built,
            )
        self._built = known.built
        return known.built

    def _put_again(self, known: Supposed, replaced: dict[int, SettledGroup]) -> None:
        for group in known.groups:
            replaced.setdefault(group.index, self._settled[group.index])
            self._put(group)
        self._dirty.clear()
        self._recording, self._covers_changed = known.recording, False

    def _rendered(self, notes: Sequence[EnteredFrame], placement: FramePlacement) -> BuiltView:
        self._choose_record()
        self._render_dirty(placement)
        self._reprice_others()
        head, front, schemas = self._before_groups(notes, placement)
        settled = tuple(self._settled)
        quoted = tuple(shown for line in front for shown in line.shown)
        totals = dict(self._totals)
        for shown in (*head.tools, *head.text, *quoted):
            totals[shown.slot] = totals.get(shown.slot, 0) + shown.tokens
        lines = (*front, *chain.from_iterable([group.lines for group in settled]))
        used = {slot: tokens for slot, tokens in totals.items() if tokens}
        view = View(
            head=head.text,
            tools=head.tools,
            lines=lines,
            tokens=sum(used.values()),
            by_slot=used,
            tool_choice=head.choice,
            schemas=schemas,
        )
        return BuiltView(view, settled, quoted)

    def _before_groups(
        self, notes: Sequence[EnteredFrame], placement: FramePlacement
    ) -> BeforeGroups:
        """Render what stands before the groups; it only moves with the last big step."""
        known = self._heads.get(placement.big_step)
        if known is None:
            ledger = self._ledger
            head, front = head_of(notes, placement, ledger), front_of(notes, placement, ledger)
            known = head, front, self._schemas_of(head.tools)
            if len(self._heads) >= MOST_HEADS:
                self._heads.clear()
            self._heads[placement.big_step] = known
        return known

    def _schemas_of(self, tools: Iterable[RenderedItem]) -> tuple[ToolSchema, ...]:
        """Parse the schemas of tools, each once; one that no request can carry is left out."""
        texts = [shown.part.text for shown in tools]
        for text in texts:
            if text not in self._schemas:
                self._schemas[text] = schema_of(text)
        found = (self._schemas[text] for text in texts)
        return tuple(schema for schema in found if schema is not None)

    def _render_dirty(self, placement: FramePlacement) -> None:
        """Render the dirty groups from first to last; a change can only touch later ones."""
        waiting = sorted(self._dirty)
        while waiting:
            index = heappop(waiting)
            if index in self._dirty:
                self._dirty.discard(index)
                for later in self._render(self._settled[index].group, placement):
                    self._dirty.add(later)
                    heappush(waiting, later)

    def _reprice_others(self) -> None:
        """Price what stands as it stood; what was rendered is priced."""
        for index in sorted(self._unpriced):
            stood = self._settled[index]
            lines = tuple(_repriced(line, self._ledger) for line in stood.lines)
            self._put(settled_group(stood.group, lines, self.bases.name_of))

    def _render(self, group: Group, placement: FramePlacement) -> set[int]:
        if self._replaced is not None:
            self._replaced.setdefault(group.index, self._settled[group.index])
        self.bases.watch(group.index, bases_of(group, self._forms))
        lines = self._said_lines(group) + notes_of(group.notes, placement, self._ledger)
        return self._put(settled_group(group, lines, self.bases.name_of))

    def _put(self, now: SettledGroup) -> set[int]:
        """Let a group stand so; returns the later groups whose pointers changed."""
        self._unpriced.discard(now.index)
        before, self._settled[now.index] = self._settled[now.index], now
        self.sources.touch(before, now)
        for slot, tokens in before.slots.items():
            self._totals[slot] -= tokens
        for slot, tokens in now.slots.items():
            self._totals[slot] = self._totals.get(slot, 0) + tokens
        return self.bases.settle(now.index, before.contents, now.contents)

    def _said_lines(self, group: Group) -> tuple[RenderedMessage, ...]:
        cover = group.cover
        if cover is None:
            standing = () if group.index in self._unpriced else self._settled[group.index].lines
            return group_lines(
                group, standing, forms=self._forms, bases=self.bases, ledger=self._ledger
            )
        edit, op = cover
        if not has_text(op) or self._holder(edit) != group.index:
            return ()
        return cover_lines(edit, op, group.turn, self._ledger, recording=edit == self._recording)

    def _choose_record(self) -> None:
        """Let the newest decision record stand that has a place, and no other: it has all."""
        if not self._covers_changed:
            return
        self._covers_changed = False
        newest = next(self._edits_with_record(), None)
        if newest != self._recording:
            for edit in (self._recording, newest):
                if edit is not None and edit in self._edits:
                    self.touch(self._texts_of(edit))
        self._recording = newest

    def _edits_with_record(self) -> Iterator[str]:
        """Yield the edits whose decision record has a place, the newest first."""
        for name in reversed(list(self._edits)):
            if has_record(self._edits[name]) and self._holder(name) >= 0:
                yield name

    def _holder(self, edit: str) -> int:
        """Find the first group that an edit still covers: its text stands there, once."""
        if edit not in self._holders:
            held = (
                group.index
                for group in self._texts_of(edit)
                if group.visible and group.cover is not None and group.cover[0] == edit
            )
            self._holders[edit] = min(held, default=-1)
        return self._holders[edit]

    def _texts_of(self, edit: str) -> Iterator[Group]:
        """Yield the groups in whose place an edit puts a text."""
        for op in self._edits[edit].ops:
            if isinstance(op, Cover) and has_text(op):
                yield from (self._groups[name] for name in op.groups if name in self._groups)


def _repriced(line: RenderedMessage, ledger: Ledger) -> RenderedMessage:
    """Return a line as another ledger counts it; all else stays, as it hangs on no count."""
    if line.group is None:
        # A frame, a pin or a summary.
        counts = [ledger.frame(shown.part.text, shown.slot) for shown in line.shown]
    else:
        closing = {message.call_id for message in line.messages[1:]}
        counts = [
            ledger.part(shown.part, first=place == 0, closing=shown.part.call_id in closing)
            for place, shown in enumerate(line.shown)
        ]
    repriced = zip(line.shown, counts, strict=True)
    return replace(line, shown=tuple(replace(shown, tokens=count) for shown, count in repriced))

"""Builds the view of a fold, rendering again only the groups that an entry changed."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain

from plimsoll.context.log.entries import Cover, Edited, Op, Said, Slot, Stage
from plimsoll.context.log.messages import ToolSchema, schema_of
from plimsoll.context.view.bases import Bases, bases_of
from plimsoll.context.view.cover_lines import cover_lines, has_record, has_text
from plimsoll.context.view.frames import FramePlacement, Head, front_of, head_of, notes_of
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.rendering import group_lines
from plimsoll.context.view.sources import VisibleSources
from plimsoll.context.view.view import (
    EnteredFrame,
    Forms,
    Group,
    RenderedGroup,
    RenderedItem,
    RenderedMessage,
    View,
    rendered_group,
)

BeforeGroups = tuple[Head, tuple[RenderedMessage, ...], tuple[ToolSchema, ...]]
"""Head, quotes from other times, and the schemas of the tools."""
MOST_HEADS = 4
"""How many renderings of the head are cached, by place of the last big step, trials included."""


@dataclass(frozen=True, slots=True)
class BuiltView:
    """The rendering of a log, as a whole and by group."""

    view: View
    groups: tuple[RenderedGroup, ...]
    """All groups, in order."""
    quoted: tuple[RenderedItem, ...]
    """Items quoted from other sessions, first in the conversation."""


Decided = tuple[tuple[str, Stage, tuple[Op, ...]], ...]
"""The live edits by id, stage and operations: together with the log they decide the view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialBuild:
    """The cached rendering of a trial: the same log with other live edits."""

    before: BuiltView
    decided: Decided
    groups: tuple[RenderedGroup, ...]
    """The groups that the trial changed."""
    recording: str | None
    built: BuiltView


class ViewBuilder:
    """Renders the groups that an entry changed, and caches the rendering of all others.

    Groups, forms and edits are shared with the fold, which changes them.
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
        """The contents that pointers can name; up to date after `build`."""
        self.sources = VisibleSources()
        self._ledger = ledger
        self._groups = groups
        self._forms = forms
        self._edits = edits
        self._rendered_groups: list[RenderedGroup] = []
        """The last rendering of each group; stale for the dirty ones."""
        self._dirty: set[int] = set()
        self._unpriced: set[int] = set()
        """Groups whose lines were counted with an earlier ledger."""
        self._heads: dict[int, BeforeGroups] = {}
        """Renderings of what comes before the groups, by index of the last big step."""
        self._schemas: dict[str, ToolSchema | None] = {}
        self._totals: dict[Slot, int] = {}
        self._holders: dict[str, int] = {}
        self._recording: str | None = None
        """The edit whose decision record is in view: the newest that has a place there."""
        self._covers_changed = False
        self._replaced: dict[int, RenderedGroup] | None = None
        """During a trial: the renderings that it replaced, by index of the group."""
        self._built: BuiltView | None = None
        """The last build; a trial restores the one before it."""
        self._before: BuiltView | None = None
        """The build at the start of the running trial."""
        self._trials: dict[str, TrialBuild] = {}
        """Trials of the present log, by their newest edit."""

    def reprice(self, ledger: Ledger) -> None:
        """Count with another ledger from the next `build` on."""
        self._ledger = ledger
        self.forget_head()
        self._unpriced = {group.index for group in self._rendered_groups if group.lines}

    def forget_head(self) -> None:
        """Drop the cached heads, as a frame or pin was added or removed."""
        self._heads.clear()

    @property
    def in_trial(self) -> bool:
        """Whether a trial runs, at whose end every group is restored."""
        return self._replaced is not None

    def add(self, group: Group) -> None:
        """Append a new group, which is rendered once it is touched."""
        self._rendered_groups.append(RenderedGroup(group=group))

    def add_contents(self, said: Said) -> None:
        """Register the contents of a new message, so that pointers can name them."""
        self.bases.add_contents(said)

    def touch(self, groups: Iterable[Group]) -> None:
        """Mark groups to be rendered again."""
        if self._replaced is None:
            self._trials.clear()
        self._dirty.update(group.index for group in groups)

    def touch_covered(self, groups: Sequence[Group]) -> None:
        """Mark groups, and all others under their covers: a cover's text may move."""
        self._covers_changed = True
        self.touch(groups)
        for edit in {cover[0] for group in groups if (cover := group.cover)}:
            self.touch(self._texts_of(edit))

    @contextmanager
    def trial(self) -> Generator[None]:
        """Restore the present rendering of each group at the end of the block.

        The builds of a trial are cached: one edit is tried to price it, to plan with it, and to
        show it.
        """
        outer, self._replaced, recording = self._replaced, {}, self._recording
        before, self._before = self._before, self._built
        try:
            yield
        finally:
            self._recording, self._covers_changed = recording, False
            for stood in self._replaced.values():
                self._place_group(stood)
            self._dirty.clear()
            self._built, self._replaced, self._before = self._before, outer, before

    def build(self, notes: Sequence[EnteredFrame], placement: FramePlacement) -> BuiltView:
        """Build the next request, with the groups that were touched rendered again."""
        self._holders.clear()
        before, replaced = self._before, self._replaced
        if replaced is None or before is None:
            self._built = self._render_view(notes, placement)
            return self._built
        decided = tuple((each.id, each.stage, each.ops) for each in self._edits.values())
        newest = decided[-1][0] if decided else ""
        known = self._trials.get(newest)
        if known is not None and known.before is before and known.decided == decided:
            self._reuse_trial(known, replaced)
        else:
            built = self._render_view(notes, placement)
            known = self._trials[newest] = TrialBuild(
                before=before,
                decided=decided,
                groups=tuple(self._rendered_groups[index] for index in replaced),
                recording=self._recording,
                built=built,
            )
        self._built = known.built
        return known.built

    def _reuse_trial(self, known: TrialBuild, replaced: dict[int, RenderedGroup]) -> None:
        for group in known.groups:
            replaced.setdefault(group.index, self._rendered_groups[group.index])
            self._place_group(group)
        self._dirty.clear()
        self._recording, self._covers_changed = known.recording, False

    def _render_view(self, notes: Sequence[EnteredFrame], placement: FramePlacement) -> BuiltView:
        self._choose_record()
        self._render_dirty(placement)
        self._reprice_others()
        head, front, schemas = self._before_groups(notes, placement)
        groups = tuple(self._rendered_groups)
        quoted = tuple(shown for line in front for shown in line.shown)
        totals = dict(self._totals)
        for shown in (*head.tools, *head.text, *quoted):
            totals[shown.slot] = totals.get(shown.slot, 0) + shown.tokens
        lines = (*front, *chain.from_iterable([group.lines for group in groups]))
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
        return BuiltView(view, groups, quoted)

    def _before_groups(
        self, notes: Sequence[EnteredFrame], placement: FramePlacement
    ) -> BeforeGroups:
        """Return head, quotes and tool schemas, cached by the last big step."""
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
        """Parse the schemas of tools, each text once; leave out those that do not parse."""
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
                for later in self._render(self._rendered_groups[index].group, placement):
                    self._dirty.add(later)
                    heappush(waiting, later)

    def _reprice_others(self) -> None:
        """Count the lines again that an earlier ledger counted and nothing rendered since."""
        for index in sorted(self._unpriced):
            stood = self._rendered_groups[index]
            lines = tuple(_reprice_line(line, self._ledger) for line in stood.lines)
            self._place_group(rendered_group(stood.group, lines, self.bases.name_of))

    def _render(self, group: Group, placement: FramePlacement) -> set[int]:
        if self._replaced is not None:
            self._replaced.setdefault(group.index, self._rendered_groups[group.index])
        self.bases.watch(group.index, bases_of(group, self._forms))
        lines = self._said_lines(group) + notes_of(group.notes, placement, self._ledger)
        return self._place_group(rendered_group(group, lines, self.bases.name_of))

    def _place_group(self, now: RenderedGroup) -> set[int]:
        """Store a group's rendering; return the later groups whose pointers it changes."""
        self._unpriced.discard(now.index)
        before, self._rendered_groups[now.index] = self._rendered_groups[now.index], now
        self.sources.touch(before, now)
        for slot, tokens in before.slots.items():
            self._totals[slot] -= tokens
        for slot, tokens in now.slots.items():
            self._totals[slot] = self._totals.get(slot, 0) + tokens
        return self.bases.update(now.index, before.contents, now.contents)

    def _said_lines(self, group: Group) -> tuple[RenderedMessage, ...]:
        cover = group.cover
        if cover is None:
            standing = (
                () if group.index in self._unpriced else self._rendered_groups[group.index].lines
            )
            return group_lines(
                group, standing, forms=self._forms, bases=self.bases, ledger=self._ledger
            )
        edit, op = cover
        if not has_text(op) or self._holder(edit) != group.index:
            return ()
        return cover_lines(edit, op, group.turn, self._ledger, recording=edit == self._recording)

    def _choose_record(self) -> None:
        """Choose the one decision record to show: the newest, which contains the others."""
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
        """Yield the edits with a decision record that still cover a group, the newest first."""
        for name in reversed(list(self._edits)):
            if has_record(self._edits[name]) and self._holder(name) >= 0:
                yield name

    def _holder(self, edit: str) -> int:
        """Find the first group that an edit still covers, where its text is shown; -1 if none."""
        if edit not in self._holders:
            held = (
                group.index
                for group in self._texts_of(edit)
                if group.visible and group.cover is not None and group.cover[0] == edit
            )
            self._holders[edit] = min(held, default=-1)
        return self._holders[edit]

    def _texts_of(self, edit: str) -> Iterator[Group]:
        """Yield the groups that an edit replaces by a text."""
        for op in self._edits[edit].ops:
            if isinstance(op, Cover) and has_text(op):
                yield from (self._groups[name] for name in op.groups if name in self._groups)


def _reprice_line(line: RenderedMessage, ledger: Ledger) -> RenderedMessage:
    """Return a line with its items counted by another ledger."""
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

"""A summary that was written ahead of the compact mark, and what it was written of."""

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.log.entries import Said, Stage
from plimsoll.context.log.messages import part_items
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group


@dataclass(frozen=True, slots=True)
class CoveredGroup:
    """A group as a summary tells it."""

    id: str
    said: tuple[Said, ...]
    """Its messages, without what a rewind hides."""
    cover: str | None
    """The edit that covers it."""
    evicted: tuple[str, ...]
    """The edits that took items out of it by somebody's wish."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSummary:
    """A summary by a model that has passed its checks and has not taken effect."""

    text: str
    model: str
    spent: int
    """Tokens that it cost."""
    covers: tuple[CoveredGroup, ...]
    facts: tuple[tuple[str, str], ...]
    """What the state block beside it is to say that no log knows, by name."""


def as_they_are(groups: Iterable[Group], fold: Fold) -> tuple[CoveredGroup, ...]:
    """Return some groups as a summary would tell them now.

    What a stage has put in the place of an item is no part of it: a summary reads the whole.
    """
    return tuple(
        CoveredGroup(
            group.id,
            tuple(group.visible),
            group.cover[0] if group.cover else None,
            tuple(_evictions(group, fold)),
        )
        for group in groups
    )


def _evictions(group: Group, fold: Fold) -> Iterable[str]:
    for said in group.visible:
        for item in part_items(said.id, said.parts):
            for edit, _ in fold.forms.get(item, ()):
                if fold.edits[edit].stage is Stage.EVICT:
                    yield edit

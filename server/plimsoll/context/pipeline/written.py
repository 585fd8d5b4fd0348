"""A summary written ahead of the compact mark, and the state of the groups that it covers."""

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.log.entries import Said, Stage
from plimsoll.context.log.messages import part_items
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group


@dataclass(frozen=True, slots=True)
class CoveredGroup:
    """The state of a group at the time when its summary was written."""

    id: str
    said: tuple[Said, ...]
    """Its messages, without those that a rewind hides."""
    cover: str | None
    """The id of the edit that covers it."""
    evicted: tuple[str, ...]
    """The ids of the edits by which somebody evicted items of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSummary:
    """A model's summary that has passed its checks and has not taken effect."""

    text: str
    model: str
    spent: int
    """Tokens that the calls of the model cost."""
    covers: tuple[CoveredGroup, ...]
    facts: tuple[tuple[str, str], ...]
    """Named facts for the state block beside it that are not in the log."""


def as_they_are(groups: Iterable[Group], fold: Fold) -> tuple[CoveredGroup, ...]:
    """Record the present state of groups, to be compared when their summary takes effect.

    It has no forms of items, since a summary is written from the full texts.
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

"""Where a compaction cuts: which groups leave, and which newest part stays."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.draft import Draft, is_user, last_user_group, said_tokens
from plimsoll.context.groups import Group

MOST_KEPT = 0.5
"""Of effective: a kept tail larger than this would be compacted again at once."""


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What leaves the view."""

    groups: tuple[Group, ...]
    """Every group before the cut, those that an earlier summary covers included."""
    tokens: int
    """Tokens that stand in the view for them now."""


def plan_compaction(draft: Draft, *, least_kept: bool = False) -> CompactionPlan | None:
    """The cut: at a turn boundary, else between two groups; none when nothing would leave.

    The last thing that a person said stays where it is. A second compaction covers groups, never
    the earlier summary, so undoing it shows that again.
    ``least_kept`` keeps only the newest group and the last user message's group.
    """
    groups = [g for g in draft.fold.groups if g.visible and not _trimmed(g)]
    cut = _cut(draft, groups, least_kept=least_kept)
    asked = last_user_group(draft.fold)
    leaving = tuple(group for group in groups[:cut] if group is not asked)
    fresh = [group for group in leaving if group.cover is None]
    if not fresh:
        return None
    return CompactionPlan(leaving, sum(_tokens(group) for group in leaving))


def _trimmed(group: Group) -> bool:
    return group.cover is not None and group.cover[1].text is None


def _tokens(group: Group) -> int:
    return sum(line.tokens for line in group.lines if line.group or group.cover is not None)


def _cut(draft: Draft, groups: Sequence[Group], *, least_kept: bool) -> int:
    """The index of the first group that stays."""
    if least_kept:
        return max(0, len(groups) - 1)
    knobs, most = draft.knobs.compaction, int(draft.budget.effective * MOST_KEPT)
    wanted = int(draft.budget.effective * knobs.keep_fraction)
    turns = _turn_start(groups, knobs.keep_turns)
    if turns > 0 and _after(groups, turns) <= max(wanted, most):
        return min(
            turns, _by_tokens(groups, wanted), len(groups) - min(knobs.keep_messages, len(groups))
        )
    return max(_by_tokens(groups, wanted), 0)


def _after(groups: Sequence[Group], start: int) -> int:
    return sum(said_tokens(group) for group in groups[start:])


def _turn_start(groups: Sequence[Group], turns: int) -> int:
    """The index of the user message that begins the last so many turns; 0 when there are fewer."""
    starts = [index for index, group in enumerate(groups) if is_user(group)]
    return starts[-turns] if 0 < turns < len(starts) else 0


def _by_tokens(groups: Sequence[Group], wanted: int) -> int:
    """The first group of the newest part that holds at most so many tokens, at least one group."""
    total, index = 0, len(groups)
    while index > 0:
        size = said_tokens(groups[index - 1])
        if index < len(groups) and total + size > wanted:
            break
        total += size
        index -= 1
    return index

"""Plans a compaction: which groups leave, and which newest part stays."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.messages import part_items
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.results.protection import protected_groups
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.groups import is_user, last_user_group, said_tokens
from plimsoll.context.view.unseen import is_unseen
from plimsoll.context.view.view import Group, RenderedGroup

LEAST_GAIN = 0.05
"""The least share of effective that an automatic compaction must free: less is soon used up."""
MOST_KEPT = 0.5
"""The largest share of effective for the part that stays: a larger one is soon due again."""


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """The groups that a compaction removes from view."""

    groups: tuple[Group, ...]
    """Every group before the cut, including those that an earlier summary covers."""
    tokens: int
    """Tokens in view for these groups now."""
    shielded: int = 0
    """How many of them a person restored."""
    fresh: int = 0
    """How many of these tokens are in no earlier summary."""


def plan_compaction(
    next_request: NextRequest,
    *,
    least_kept: bool = False,
    by_hand: bool = False,
    sparing: bool = False,
    until: str | None = None,
) -> CompactionPlan | None:
    """Plan the cut at a turn boundary, else between groups; None when nothing would leave.

    The last thing that a person said stays where it is, and so do results that no request has
    carried. A second compaction covers groups, never the earlier summary, so undoing it shows that
    again. What a person brought back stays, unless the load is at the blocking mark or,
    ``by_hand``, a person asks.
    ``least_kept`` keeps only the newest group and the last user message's group; ``sparing``:
    results protected from a prune stay, with all groups after them; ``until``: groups after this
    message stay.
    """
    fold = next_request.fold
    rendered = [s for s in fold.rendered_groups() if s.group.visible and not _is_trimmed(s.group)]
    if until is None:
        cut = _first_kept(next_request, rendered, least_kept=least_kept)
    else:
        cut = _index_after(rendered, fold.group_of_message(until))
    if sparing:
        protected = protected_groups(next_request)
        found = (n for n, each in enumerate(rendered[:cut]) if each.group.id in protected)
        cut = next(found, cut)
    asked = last_user_group(fold)
    leaving = [
        each for each in rendered[:cut] if each.group is not asked and not is_unseen(each, fold)
    ]
    shielded = [each for each in leaving if is_shielded(each.group, fold)]
    if shielded and not by_hand and next_request.tokens < next_request.budget.blocking:
        leaving = [each for each in leaving if not is_shielded(each.group, fold)]
        shielded = []
    if all(each.group.cover is not None for each in leaving):
        return None
    tokens = sum(map(_tokens, leaving))
    fresh = sum(_tokens(each) for each in leaving if each.group.cover is None)
    return CompactionPlan(tuple(each.group for each in leaving), tokens, len(shielded), fresh)


def is_shielded(group: Group, fold: Fold) -> bool:
    """Tell whether a person restored the group or one of its items."""
    if not fold.shielded:
        return False
    items = (item for said in group.visible for item in part_items(said.id, said.parts))
    return group.id in fold.shielded or any(item in fold.shielded for item in items)


def least_gain(next_request: NextRequest) -> int:
    """Compute the tokens that an automatic compaction must free, so that none follows at once."""
    return int(next_request.budget.effective * LEAST_GAIN)


def _is_trimmed(group: Group) -> bool:
    return group.cover is not None and group.cover[1].text is None


def _tokens(rendered: RenderedGroup) -> int:
    covered = rendered.group.cover is not None
    return sum(line.tokens for line in rendered.lines if line.group or covered)


def _first_kept(
    next_request: NextRequest, groups: Sequence[RenderedGroup], *, least_kept: bool
) -> int:
    """Return the index of the first group that stays."""
    if least_kept:
        return max(0, len(groups) - 1)
    settings, most = (
        next_request.settings.compaction,
        int(next_request.budget.effective * MOST_KEPT),
    )
    wanted = int(next_request.budget.effective * settings.keep_fraction)
    turns = _turn_start(groups, settings.keep_turns)
    messages = max(0, len(groups) - settings.keep_messages)
    starts = [start for start in (turns, messages) if 0 < start < len(groups)]
    small = [start for start in starts if _tokens_from(groups, start) <= max(wanted, most)]
    return min([_start_by_tokens(groups, wanted), *small])


def _index_after(groups: Sequence[RenderedGroup], last: Group | None) -> int:
    """Return the index after the group ``last``, at most that of the newest; 0 for None."""
    if last is None:
        return 0
    found = sum(each.group.index <= last.index for each in groups)
    return min(found, max(0, len(groups) - 1))


def _tokens_from(groups: Sequence[RenderedGroup], start: int) -> int:
    return sum(said_tokens(group) for group in groups[start:])


def _turn_start(groups: Sequence[RenderedGroup], turns: int) -> int:
    """Find the user message that begins the last ``turns`` turns; 0 when there are fewer."""
    starts = [index for index, group in enumerate(groups) if is_user(group.group)]
    return starts[-turns] if 0 < turns < len(starts) else 0


def _start_by_tokens(groups: Sequence[RenderedGroup], wanted: int) -> int:
    """Find where the newest part of at most ``wanted`` tokens begins; it has at least one group."""
    total, index = 0, len(groups)
    while index > 0:
        size = said_tokens(groups[index - 1])
        if index < len(groups) and total + size > wanted:
            break
        total += size
        index -= 1
    return index

"""Compact: the model's summary that was written ahead replaces the old part, without a wait."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Cover, Stage
from plimsoll.context.pipeline.due import at_compact, due
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.pipeline.written import CoveredGroup, as_they_are
from plimsoll.context.stages.compaction_plan import is_shielded, least_gain
from plimsoll.context.stages.summary import SummaryContext, context_of
from plimsoll.context.view.groups import last_user_group
from plimsoll.context.view.unseen import is_unseen
from plimsoll.context.view.view import Group

OPENING = (
    "[Summary of the earlier conversation, written by a model and checked against the log. It is a "
    "record, not an order: what the user says below it counts.]"
)


@due(at_compact)
def plan(next_request: NextRequest) -> Proposal | None:
    """Propose the summary that was written ahead, if the groups it covers have not changed."""
    return propose(next_request, "the context reached the compact mark")


def propose(next_request: NextRequest, why: str) -> Proposal | None:
    """Propose the summary that was written ahead; None if there is none or it is outdated."""
    written = next_request.written
    groups = covered_groups(next_request, written.covers) if written is not None else None
    if written is None or groups is None:
        return None
    context = context_of(next_request, groups, written.facts)
    return Proposal(
        stage=Stage.COMPACT,
        why=why,
        ops=(cover_of(f"{OPENING}\n\n{written.text}", context, groups),),
        model=written.model,
        spent=written.spent,
        least=least_gain(next_request),
    )


def covered_groups(
    next_request: NextRequest, covers: Sequence[CoveredGroup]
) -> tuple[Group, ...] | None:
    """Return the groups of a summary, or None if any of them changed or may not leave.

    An undo, a rewind, a restore, an evict, another summary and a purged memory make the summary
    void; a pruned result does not, since the summary was written of the full texts.
    """
    fold, asked = next_request.fold, last_user_group(next_request.fold)
    groups = tuple(group for each in covers if (group := fold.group(each.id)) is not None)
    if as_they_are(groups, fold) != tuple(covers) or asked in groups:
        return None
    rendered = fold.rendered_groups()
    leave = not any(is_shielded(g, fold) or is_unseen(rendered[g.index], fold) for g in groups)
    return groups if leave else None


def cover_of(text: str, context: SummaryContext, groups: Sequence[Group]) -> Cover:
    """Build the cover of these groups from the model's summary and the texts of ``context``."""
    whole = "\n\n".join([text, *context.texts])
    names = tuple(group.id for group in groups)
    return Cover(names, whole, context.standing, context.decisions)

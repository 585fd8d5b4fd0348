"""Digest: the session's own notes take the place of the old part; no model is called."""

from plimsoll.context.compaction import CompactionPlan, least_gain, plan_compaction
from plimsoll.context.digest import DigestLimits, digest
from plimsoll.context.draft import Draft, Proposal
from plimsoll.context.entries import Cover, Stage
from plimsoll.context.fold import Fold

DIGEST_SHARE = 0.15
"""Of the effective window that a digest may take."""


def plan(draft: Draft) -> Proposal | None:
    """The digest that is due at the compact mark, if it frees enough to last.

    Where that is too little and answers are forced already, all but the newest part goes.
    """
    if not draft.knobs.compaction.auto or draft.tokens < draft.budget.compact:
        return None
    why = f"{draft.tokens:,} tokens reached the compact mark of {draft.budget.compact:,}"
    least = least_gain(draft)
    found = propose(draft, why, least=least)
    if found is None and draft.tokens >= draft.budget.force_final:
        return propose(draft, why, least_kept=True, least=least)
    return found


def propose(
    draft: Draft, why: str, *, least_kept: bool = False, by_hand: bool = False, least: int = 1
) -> Proposal | None:
    """A digest of everything but the newest part; none when it frees less than ``least`` tokens.

    ``by_hand``: a person asks, so what a person brought back may leave again.
    """
    chosen = plan_compaction(draft, least_kept=least_kept, by_hand=by_hand)
    if chosen is None:
        return None
    text = digest_text(draft, chosen)
    if chosen.tokens - draft.fold.ledger.text(text) < max(1, least):
        return None
    if chosen.shielded and not by_hand:
        why = f"{why}; {chosen.shielded} of what was brought back had to go too"
    groups = tuple(group.id for group in chosen.groups)
    return Proposal(Stage.DIGEST, why, (Cover(groups, text),), least=max(1, least))


def earlier_compactions(fold: Fold) -> int:
    """Digests and summaries that are in force."""
    return sum(edit.stage in (Stage.COMPACT, Stage.DIGEST) for edit in fold.edits.values())


def digest_text(draft: Draft, chosen: CompactionPlan) -> str:
    """The digest of the planned groups."""
    room = int(draft.budget.effective * DIGEST_SHARE)
    limits = DigestLimits(min(draft.knobs.compaction.keep_user_tokens, room // 2), room)
    tasks = draft.fold.frames.get("tasks")
    said = [message for group in chosen.groups for message in group.visible]
    earlier = earlier_compactions(draft.fold)
    return digest(said, tasks.text if tasks else None, limits, draft.fold.ledger.bare, earlier)

"""Digest: the session's own notes take the place of the old part; no model is called."""

from plimsoll.context.compaction import CompactionPlan, plan_compaction
from plimsoll.context.digest import DigestLimits, digest
from plimsoll.context.draft import Draft, Proposal
from plimsoll.context.entries import Cover, Stage

DIGEST_SHARE = 0.15
"""Of the effective window that a digest may take."""


def plan(draft: Draft) -> Proposal | None:
    """The digest that is due at the compact mark."""
    if not draft.knobs.compaction.auto or draft.tokens < draft.budget.compact:
        return None
    why = f"{draft.tokens:,} tokens reached the compact mark of {draft.budget.compact:,}"
    return propose(draft, why)


def propose(draft: Draft, why: str, *, least_kept: bool = False) -> Proposal | None:
    """A digest of everything but the newest part; none when it would not make things lighter."""
    chosen = plan_compaction(draft, least_kept=least_kept)
    if chosen is None:
        return None
    text = digest_text(draft, chosen)
    if draft.fold.ledger.text(text) >= chosen.tokens:
        return None
    groups = tuple(group.id for group in chosen.groups)
    return Proposal(Stage.DIGEST, why, (Cover(groups, text),))


def digest_text(draft: Draft, chosen: CompactionPlan) -> str:
    """The digest of the planned groups."""
    room = int(draft.budget.effective * DIGEST_SHARE)
    limits = DigestLimits(min(draft.knobs.compaction.keep_user_tokens, room // 2), room)
    tasks = draft.fold.frames.get("tasks")
    said = [message for group in chosen.groups for message in group.visible]
    return digest(said, tasks.text if tasks else None, limits, draft.fold.ledger.bare)

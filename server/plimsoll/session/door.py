"""What happens to a tool result as it arrives, decided without doing it."""

from plimsoll.context.draft import Draft
from plimsoll.context.entries import Edited, Said, Stage
from plimsoll.context.messages import Kind
from plimsoll.context.stages.truncate import truncate
from plimsoll.session.stamps import Stamps

RESULT_SHARE = 4
"""One result may take a quarter of the effective window."""


def too_long(said: Said, draft: Draft) -> bool:
    """Whether the result must be kept whole elsewhere, since only its head and tail will stand."""
    limit = draft.budget.effective // RESULT_SHARE
    part, bare = said.parts[0], draft.fold.ledger.bare
    return (
        truncate(f"{said.id}.0", part.text, draft.knobs.truncation, limit, bare, None) is not None
    )


def at_the_door(
    said: Said, draft: Draft, stamps: Stamps, kept_in: str | None
) -> tuple[Edited, ...]:
    """The edits that belong to the arrival of a result."""
    part, bare = said.parts[0], draft.fold.ledger.bare
    if part.kind is not Kind.RESULT:
        return ()
    limit = draft.budget.effective // RESULT_SHARE
    op = truncate(f"{said.id}.0", part.text, draft.knobs.truncation, limit, bare, kept_in)
    if op is None:
        return ()
    before, whole = draft.tokens, bare(part.text)
    why = f"the output of {part.name or 'a tool'} has {len(part.text):,} characters"
    name, now = stamps.new_id("e"), stamps.now()
    after = before + bare(op.text)
    return (Edited(name, now, Stage.TRUNCATE, why, (op,), before + whole, after),)

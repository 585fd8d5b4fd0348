"""What happens to a tool result as it arrives, decided without doing it."""

from plimsoll.context.draft import Draft
from plimsoll.context.entries import Edited, Refer, Replace, Said, Stage
from plimsoll.context.messages import Kind
from plimsoll.context.stages.refer import refer, refer_cut
from plimsoll.context.stages.truncate import truncate
from plimsoll.session.stamps import Stamps

RESULT_SHARE = 4
"""One result may take a quarter of the effective window."""


def too_long(said: Said, draft: Draft) -> bool:
    """Whether the result must be kept whole elsewhere, since only its head and tail will stand."""
    return _truncated(said, draft, None) is not None


def at_the_door(
    said: Said, draft: Draft, stamps: Stamps, kept_in: str | None
) -> tuple[Edited, ...]:
    """The edits that belong to the arrival of a result.

    One that is too long is cut; one whose content already stands in view enters as a pointer.
    """
    if said.parts[0].kind is not Kind.RESULT:
        return ()
    name = said.parts[0].name or "a tool"
    cut = _truncated(said, draft, kept_in)
    if cut is not None:
        why = f"the output of {name} has {len(said.parts[0].text):,} characters"
        first = _edit(Stage.TRUNCATE, why, cut, said, draft, stamps)
        return (first, *_pointed(refer_cut(said, draft, cut.text), name, said, draft, stamps))
    return _pointed(refer(said, draft), name, said, draft, stamps)


def _pointed(
    pointer: Refer | None, name: str, said: Said, draft: Draft, stamps: Stamps
) -> tuple[Edited, ...]:
    if pointer is None:
        return ()
    why = f"most of what {name} returned already stands in the context"
    return (_edit(Stage.REFER, why, pointer, said, draft, stamps),)


def _truncated(said: Said, draft: Draft, kept_in: str | None) -> Replace | None:
    part, bare = said.parts[0], draft.fold.ledger.bare
    limit = draft.budget.effective // RESULT_SHARE
    return truncate(f"{said.id}.0", part.text, draft.knobs.truncation, limit, bare, kept_in)


def _edit(
    stage: Stage, why: str, op: Replace | Refer, said: Said, draft: Draft, stamps: Stamps
) -> Edited:
    """The edit of an arriving result: it rewrites nothing, the result was never sent."""
    bare, part = draft.fold.ledger.bare, said.parts[0]
    name, now = stamps.new_id("e"), stamps.now()
    others = draft.tokens
    group = draft.fold.group_of(f"{said.id}.0")
    if group is not None:
        others -= bare(part.text)
    return Edited(name, now, stage, why, (op,), others + bare(part.text), others + bare(op.text))

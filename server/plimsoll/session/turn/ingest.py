"""What happens to a tool result as it arrives: what stands of it is decided, then it is kept."""

import asyncio
from dataclasses import replace

from plimsoll.context.log.entries import (
    Edited,
    Refer,
    Replace,
    Said,
    Stage,
)
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.stages.next_request import NextRequest
from plimsoll.context.stages.refer import refer, refer_cut
from plimsoll.context.stages.truncate import exceeds, shortened
from plimsoll.context.view.rendering import paired
from plimsoll.errors import StoreError
from plimsoll.session.clock import Clock
from plimsoll.session.events import CallChanged, MessageSaid, NoticeGiven
from plimsoll.session.session_state import SessionState

STOPPED = "[stopped by the user]"
RESULT_SHARE = 4
"""One result may take a quarter of the effective window."""


def too_long(said: Said, draft: NextRequest) -> bool:
    """Whether the result must be kept whole elsewhere, since only its head and tail will stand."""
    limits, most = draft.knobs.truncation, _most_tokens(draft)
    return exceeds(said.parts[0].text, limits, most, draft.fold.ledger.bare)


def ingest_edits(
    said: Said, draft: NextRequest, stamps: Clock, *, cut: bool, kept_in: str | None = None
) -> tuple[Edited, ...]:
    """The edits that belong to the arrival of a result.

    One that is too long is ``cut``, the whole being ``kept_in`` a file; one whose content already
    stands in view enters as a pointer.
    """
    if said.parts[0].kind is not PartKind.RESULT:
        return ()
    name = said.parts[0].name or "a tool"
    if cut:
        short = _shortened(said, draft, kept_in)
        why = f"the output of {name} has {len(said.parts[0].text):,} characters"
        first = _edit(Stage.TRUNCATE, why, short, said, draft, stamps)
        return (first, *_pointed(refer_cut(said, draft, short.text), name, said, draft, stamps))
    return _pointed(refer(said, draft), name, said, draft, stamps)


def _pointed(
    pointer: Refer | None, name: str, said: Said, draft: NextRequest, stamps: Clock
) -> tuple[Edited, ...]:
    if pointer is None:
        return ()
    why = f"most of what {name} returned already stands in the context"
    return (_edit(Stage.REFER, why, pointer, said, draft, stamps),)


def _shortened(said: Said, draft: NextRequest, kept_in: str | None) -> Replace:
    text, count = said.parts[0].text, draft.fold.ledger.bare
    limits, most = draft.knobs.truncation, _most_tokens(draft)
    short = shortened(text, limits, most, count, kept_in)
    return Replace(f"{said.id}.0", short, Form.TRUNCATED, kept_in)


def _most_tokens(draft: NextRequest) -> int:
    return draft.budget.effective // RESULT_SHARE


def _edit(
    stage: Stage, why: str, op: Replace | Refer, said: Said, draft: NextRequest, stamps: Clock
) -> Edited:
    """The edit of an arriving result: it rewrites nothing, the result was never sent."""
    bare, part = draft.fold.ledger.bare, said.parts[0]
    name, now = stamps.new_id("e"), stamps.now()
    others = draft.tokens
    group = draft.fold.group_of(f"{said.id}.0")
    if group is not None:
        others -= bare(part.text)
    return Edited(name, now, stage, why, (op,), others + bare(part.text), others + bare(op.text))


async def keep_result(
    state: SessionState, turn: str | None, asking: Said, result: Part, *, rejected: bool = False
) -> Said:
    """Append a result of a message's call with its edits; one that is cut is kept whole."""
    stamps = state.environment.stamps
    name, now, origin = stamps.new_id("m"), stamps.now(), asking.origin
    said = Said(name, now, Role.TOOL, asking.group, (result,), turn, origin)
    cut = too_long(said, state.draft)
    kept_in = await _spill(state, result) if cut else None
    edits = ingest_edits(said, state.draft, stamps, cut=cut, kept_in=kept_in)
    await state.append(said, *edits)
    state.emit(MessageSaid(state.kept(said)))
    if turn is not None:
        status = "rejected" if rejected else "failed" if result.failed else "completed"
        shown = next((line.shown[0].part.text for line in state.log.fold.view.lines[-1:]), "")
        call_id = result.call_id or ""
        state.emit(CallChanged(turn, call_id, status, shown, f"{said.id}.0"))
    return said


async def _spill(state: SessionState, part: Part) -> str | None:
    """Keep the whole output in a file that the model can grep; say so when that fails."""
    spill = state.environment.spill(state.id)
    try:
        return str(await asyncio.to_thread(spill.write, part.call_id or "output", part.text))
    except StoreError as error:
        state.emit(NoticeGiven(f"{error.message} The whole output is in the log.", "warning"))
        return None


async def close_calls(state: SessionState, turn: str | None) -> None:
    """Answer the calls of the last message that will not be run any more."""
    if not state.log.fold.groups:
        return
    group = state.log.fold.groups[-1]
    for message, closing in paired(group.visible):
        for call_id in closing:
            call = next(part for part in message.parts if part.call_id == call_id)
            stopped = replace(call, kind=PartKind.RESULT, text=STOPPED, opaque=None, failed=True)
            await keep_result(state, turn, message, stopped)

"""Decides what of an arriving tool result stands in the view, and keeps it."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Edited, Entry, Refer, Replace, Said, Stage
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.log.messages import Image, Part, PartKind, Role, part_item
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.stages.refer import refer, refer_cut
from plimsoll.context.stages.results.placeholders import recall_of
from plimsoll.context.stages.truncate import exceeds, truncate
from plimsoll.context.view.fold import Fold
from plimsoll.errors import StoreError
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.made.reviewing import Reviewed, aside_names
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_edit
from plimsoll.session.ports.events import CallChanged, MessageSaid, NoticeGiven
from plimsoll.session.ports.ids import new_message_id
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.voice import SessionVoice
from plimsoll.tools.ports.intent import HeldBack
from plimsoll.tools.ports.kept_texts import Spill

RESULT_SHARE = 4
"""One result may take a quarter of the effective window, as far as is known."""


def too_long(said: Said, next_request: NextRequest) -> bool:
    """Tell whether a result is too long for the view, so that its whole must be kept elsewhere."""
    limits, most = next_request.settings.truncation, _most_tokens(next_request)
    return exceeds(said.parts[0].text, limits, most, next_request.fold.ledger.likely)


def shorten_attached(text: str, next_request: NextRequest) -> str:
    """Cut a text attached to a prompt to the limit of a tool result, with a notice in it."""
    count, most = next_request.fold.ledger.likely, _most_tokens(next_request)
    limits = next_request.settings.truncation
    if not exceeds(text, limits, most, count):
        return text
    return truncate(text, limits, max_tokens=most, count=count, kept_in=None)


def ingest_edits(
    said: Said,
    next_request: NextRequest,
    clock: Clock,
    *,
    cut: bool,
    kept_in: str | None = None,
    batch: NextRequest | None = None,
) -> tuple[Edited, ...]:
    """Compute the edits that accompany the arrival of a result.

    One that is too long is ``cut``, the whole being ``kept_in`` a file; one whose content already
    stands in view, or in the ``batch`` with which it arrives, enters as a pointer.
    """
    part = said.parts[0]
    if part.kind is not PartKind.RESULT:
        return ()
    name, made = part.name or "a tool", list[tuple[Stage, str, Replace | Refer]]()
    short = _truncate_text(said, next_request, kept_in) if cut else None
    if short is not None:
        why = f"the output of {name} has {len(part.text):,} characters"
        made.append((Stage.TRUNCATE, why, short))
    places = (next_request,) if batch is None else (next_request, batch)
    found = (refer_cut(said, p, short.text) if short else refer(said, p) for p in places)
    pointer = min(filter(None, found), key=_length, default=None)
    if pointer is not None:
        why = f"most of what {name} returned already stands in the context"
        made.append((Stage.REFER, why, pointer))
    return tuple(
        _edit(stage, why, op, said=said, next_request=next_request, clock=clock)
        for stage, why, op in made
    )


def with_edits(entries: Sequence[Entry], now: NextRequest, clock: Clock) -> Iterator[Entry]:
    """Yield entries, each result of a tool with the edits that it needs as it arrives.

    Results earlier in the same batch count as if they stood in the log.
    """
    fold = now.fold
    turns = fold.groups[-1].turn if fold.groups else 0
    batch = replace(now, indexes=Indexes(Fold(fold.ledger, tools=fold.tools, turns=turns)))
    for entry in entries:
        yield entry
        edits: tuple[Edited, ...] = ()
        if isinstance(entry, Said) and entry.role is Role.TOOL:
            cut = too_long(entry, now)
            edits = ingest_edits(entry, now, clock, cut=cut, batch=batch)
            yield from edits
        # A pointer is no base for another.
        if all(edit.stage is not Stage.REFER for edit in edits):
            batch.fold.extend((entry, *edits))


def _length(pointer: Refer) -> int:
    return len(pointer.text)


def _truncate_text(said: Said, next_request: NextRequest, kept_in: str | None) -> Replace:
    text, count = said.parts[0].text, next_request.fold.ledger.likely
    limits, most = next_request.settings.truncation, _most_tokens(next_request)
    item = part_item(said.id, 0)
    recall = recall_of(item, next_request.fold)
    short = truncate(text, limits, max_tokens=most, count=count, kept_in=kept_in, recall=recall)
    return Replace(item, short, Form.TRUNCATED, kept_in)


def _most_tokens(next_request: NextRequest) -> int:
    return next_request.budget.effective // RESULT_SHARE


def _edit(
    stage: Stage, why: str, op: Replace | Refer, said: Said, next_request: NextRequest, clock: Clock
) -> Edited:
    """Make the edit of an arriving result: it rewrites nothing, the result was never sent."""
    bare, part = next_request.fold.ledger.bare, said.parts[0]
    others = next_request.tokens
    if next_request.fold.group_of(part_item(said.id, 0)) is not None:
        others -= bare(part.text)
    before, after = others + bare(part.text), others + bare(op.text)
    return new_edit(Proposal(stage=stage, why=why, ops=(op,), before=before, after=after), clock)


async def keep_result(
    state: SessionState,
    turn: str | None,
    asking: Said,
    result: Part,
    *,
    held_back: HeldBack | None = None,
    made: Reviewed | None = None,
    with_it: Sequence[Entry] = (),
    images: Sequence[Image] = (),
) -> Said:
    """Append the result of a call with its edits; keep the whole of one that is cut.

    ``with_it``: entries that are kept together with it. ``images``: stand beside its text.
    """
    clock = state.clock
    said = Said(
        id=new_message_id(clock),
        at=clock.now(),
        role=Role.TOOL,
        group=asking.group,
        parts=(result, *_beside(images, result)),
        turn=turn,
        origin=asking.origin,
    )
    cut = too_long(said, state.load.next_request)
    spill = state.environment.files.spill
    kept_in = await _spill(spill(state.id), result, state.voice) if cut else None
    edits = ingest_edits(said, state.load.next_request, clock, cut=cut, kept_in=kept_in)
    await state.append(said, *edits, *with_it)
    state.voice.emit(MessageSaid(state.log.kept_message(said)))
    if turn is not None:
        status = "rejected" if result.rejection else "failed" if result.failed else "completed"
        state.voice.emit(
            CallChanged(
                turn=turn,
                call_id=result.call_id or "",
                status=status,
                output=_shown_to_people(said, edits, state.log),
                item=part_item(said.id, 0),
                exit_code=result.exit_code,
                milliseconds=result.milliseconds,
                counts=result.counts,
                held_back=held_back,
                kept=made.kept if made else (),
                aside=aside_names(state.files.root, made) if made else (),
                rejection=result.rejection,
            )
        )
    return said


def _shown_to_people(said: Said, edits: Sequence[Edited], log: SessionLog) -> str:
    """Return the result as people see it: as in the view, unless that is a mere pointer.

    Instead of a pointer they see the returned text, unless that was too long to be kept.
    """
    if [edit.stage for edit in edits] == [Stage.REFER]:
        return log.kept_message(said).parts[0].text
    # What entered meanwhile, such as tasks or a pin, stands behind the results of the message.
    lines = reversed(log.fold.view.lines)
    return next((line.shown[0].part.text for line in lines if line.id == said.id), "")


def _beside(images: Iterable[Image], result: Part) -> Iterator[Part]:
    for image in images:
        yield Part(kind=PartKind.IMAGE, text=image.data, name=image.mime_type, source=result.source)


async def _spill(spill: Spill, part: Part, voice: SessionVoice) -> str | None:
    """Store the whole output in a file that the model can grep; tell the person on failure."""
    try:
        return str(await asyncio.to_thread(spill.write, part.call_id or "output", part.text))
    except StoreError as error:
        voice.emit(NoticeGiven(f"{error.message} The whole output is in the log.", "warning"))
        return None

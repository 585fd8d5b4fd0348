"""Acting on an answer: its calls are run in their order, calls of other agents side by side."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plimsoll.context.log.entries import Noted, Said
from plimsoll.context.log.messages import Part, PartKind, part_item
from plimsoll.redaction.secrets import StreamRedactor
from plimsoll.session.asking.loops import (
    LOOPED,
    STOPPED_AFTER,
    Failures,
    count_failure,
    with_loop_warning,
)
from plimsoll.session.asking.spans import note_outcome, tool_span
from plimsoll.session.checkpoints.changes import own_file_note
from plimsoll.session.layers.instructions import nested_instructions
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.made.reviewing import MadeReview, Reviewed
from plimsoll.session.ports.events import CallChanged, CallMade, CallStatus, NoticeGiven
from plimsoll.session.reduction.ingest import keep_result
from plimsoll.session.resources.files import WorkspaceFiles
from plimsoll.session.state.approvals import Approvals, UnaskedOffered
from plimsoll.session.state.made_unasked import MadeByCommands
from plimsoll.session.state.session_state import CallPlace, SessionState
from plimsoll.session.state.voice import SessionVoice
from plimsoll.session.turn.hooked_calls import prepare_hooked, with_hooks_after
from plimsoll.session.turn.staleness import edited_elsewhere, note_own_edit, own_change_notes
from plimsoll.session.turn.tool_calls import Prepared, prepare, run, with_afterwards
from plimsoll.session.turn.tool_context import ToolContext
from plimsoll.text.paths import name_in
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Outcome

SIDE_BY_SIDE = 4
"""Agents that work for one answer at a time."""
SHOWN_LINES, LONGEST_LINE = 10, 300
"""What people see of a running command; the characters of a line of it."""
CUT = (
    "The answer ended at its token limit, so none of its calls was run. Send the call again, with "
    "less around it or in smaller steps."
)
"""The result of a call whose answer was cut. No call of it is run, whole as it may look: nobody
knows what else the model was about to say."""
LAST_ANSWER = (
    "Not run: the context is nearly full, so no tool runs now. Give your last answer from what "
    "stands here: what is done, what you found, and what is left to do."
)
"""The result of a call in an answer that was asked for without tools."""
EDITED_ELSEWHERE = (
    "{file} was changed by another session ({title}) after you read it, and nothing was done. Read "
    "it again, then edit it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """The answer whose calls are run."""

    state: SessionState
    turn: str
    said: Said
    failures: Failures
    refused: str | None = None
    """What each of its calls is answered instead of being run."""


async def act(acting: Acting) -> str | None:
    """Run the calls of a message, each answered once, in their order.

    Returns the notice that the same call has failed too often, else None; then no more are run.
    """
    said, tools = acting.said, acting.state.environment.tools
    parts = enumerate(said.parts)
    calls = [(part_item(said.id, n), part) for n, part in parts if part.kind is PartKind.CALL]
    called = [tools.get(call.name or "") for _, call in calls]
    if len(calls) > 1 and all(tool is not None and tool.traits.delegates for tool in called):
        return await _side_by_side(acting, calls)
    for item, call in calls:
        looping = await _answer(acting, item, call)
        if looping is not None:
            return looping
    return None


async def _side_by_side(acting: Acting, calls: Sequence[tuple[str, Part]]) -> str | None:
    """Run calls at the same time; once this ends, also by a cancel, none of them runs."""
    room = asyncio.Semaphore(SIDE_BY_SIDE)

    async def answer(item: str, call: Part) -> str | None:
        async with room:
            return await _answer(acting, item, call)

    tasks = [asyncio.create_task(answer(item, call)) for item, call in calls]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    return next(filter(None, [task.result() for task in tasks]), None)


async def _answer(acting: Acting, item: str, call: Part) -> str | None:
    """Run one call and log its result; returns the notice that it failed too often, else None."""
    state, turn, said = acting.state, acting.turn, acting.said
    try:
        prepared, outcome = await _run_call(acting, item, call)
    finally:
        state.running_outputs.pop(call.call_id or "", None)
    made = await MadeReview(state, turn).review()
    outcome, cancelled = _with_told(outcome, made, state.made), made.cancelled
    if cancelled is None:
        outcome, cancelled = await with_afterwards(outcome)
    if cancelled is None:
        outcome, cancelled = await with_hooks_after(state, turn, prepared, outcome)
    count = count_failure(acting.failures, said.id, call, outcome, changes=prepared.changes)
    await keep_result(
        state,
        turn,
        said,
        replace(_result(call, outcome, count), changed=_several(state.files.root, outcome)),
        held_back=outcome.held_back,
        made=made,
        with_it=await _change_notes(state, item, outcome),
        images=outcome.images,
    )
    if cancelled is not None:
        raise cancelled
    await _offer_unasked(state.approvals, state.voice, turn)
    if not outcome.failed:
        # The rules of the folder of a file that was read or edited count from now on.
        fresh = await nested_instructions(state, prepared.touched)
        if fresh:
            await state.append(*fresh)
    if count >= STOPPED_AFTER:
        return LOOPED.format(count=count, call=prepared.shown.title)
    return None


async def _run_call(acting: Acting, item: str, call: Part) -> tuple[Prepared, Outcome]:
    """Run one call of a message, and show how it goes."""
    state, turn = acting.state, acting.turn
    environment = state.environment
    place = CallPlace(turn=turn, call_id=call.call_id or "", item=item)

    running = CallChanged(turn=turn, call_id=place.call_id, status="running")

    def hear_output(text: str) -> None:
        shown = last_lines(text, environment.open_stream())
        state.voice.emit(replace(running, output=shown))

    call_context = _context(state, place, hear_output)

    def hear(call_id: str, status: CallStatus) -> None:
        nonlocal running
        if status == "running":
            state.begun_calls.add(item)
            running = replace(running, since=environment.clock.now())
            state.voice.emit(running)
        else:
            state.voice.emit(CallChanged(turn=turn, call_id=call_id, status=status))

    async def settle() -> None:
        await state.settle_commands(turn)

    async def prepare_part(part: Part) -> Prepared:
        prepared = await prepare(
            part,
            item,
            mode=state.mode,
            agent=state.agent,
            environment=environment,
            call_context=call_context,
        )
        if acting.refused is not None:
            prepared = replace(prepared, refusal=Outcome(text=acting.refused, failed=True))
        return await _unless_edited_elsewhere(prepared, state.files, state.log)

    with tool_span(state.tracer, environment.tools, item, call.name) as span:
        await settle()
        prepared = await prepare_hooked(state, turn, call, prepare_part)
        state.voice.emit(CallMade(turn, prepared.shown))
        outcome = await run(
            prepared,
            state.id,
            turn=turn,
            approvals=state.approvals,
            environment=environment,
            hear=hear,
            settle=settle,
        )
        note_outcome(span, outcome)
    _show_made(acting, prepared, outcome)
    return prepared, outcome


def _context(
    state: SessionState, place: CallPlace, hear_output: Callable[[str], None]
) -> CallContext:
    """Make the tool context of one call; its command's output can be read from then on."""

    def lend_output(read: Callable[[], Awaitable[str]]) -> None:
        state.running_outputs[place.call_id] = read

    return replace(
        state.environment.call_context,
        conversation=ToolContext(state, place),
        hear_command=state.made.hear,
        hear_output=hear_output,
        lend_output=lend_output,
        sees_images=state.model.sees_images,
        left_behind=state.copies.left_behind,
    )


def _show_made(acting: Acting, prepared: Prepared, outcome: Outcome) -> None:
    """Show a partly kept call again, with the diff that was made of it."""
    intent = prepared.shown.intent
    if outcome.made_diff is None or intent is None:
        return
    diff = acting.state.redact(outcome.made_diff)
    shown = replace(prepared.shown, intent=replace(intent, diff=diff, hunks=()))
    acting.state.voice.emit(CallMade(acting.turn, shown))


def last_lines(text: str, stream: StreamRedactor) -> str:
    """Return the last lines of a growing output, redacted by ``stream``, one for each output.

    An end that may be the beginning of a secret is held back.
    """
    lines = stream.feed(text).rstrip("\n").split("\n")[-SHOWN_LINES:]
    return "\n".join(line[:LONGEST_LINE] for line in lines)


def _with_told(outcome: Outcome, made: Reviewed, before: MadeByCommands) -> Outcome:
    """Add to a result the lines about protected files that commands made since the last one."""
    told = (*before.take_untold(), *made.told)
    return replace(outcome, text="\n".join((outcome.text, *told))) if told else outcome


async def _unless_edited_elsewhere(
    prepared: Prepared, files: WorkspaceFiles, log: SessionLog
) -> Prepared:
    """Refuse an edit of a file that another session has changed since this one read it."""
    if prepared.refusal is not None or prepared.tool is None or not prepared.tool.traits.edits:
        return prepared
    for path in prepared.touched:
        last = await edited_elsewhere(files, log, path)
        if last is not None:
            text = EDITED_ELSEWHERE.format(file=path.name, title=last.title or "another session")
            return replace(prepared, refusal=Outcome(text=text, failed=True))
    return prepared


async def _offer_unasked(approvals: Approvals, voice: SessionVoice, turn: str) -> None:
    """Offer once to run confined commands unasked, if that would have saved questions."""
    offer = approvals.offer()
    if offer is not None:
        notice = NoticeGiven(offer, turn=turn, data=UnaskedOffered())
        await voice.tell_once("confined_commands", notice)


async def _change_notes(state: SessionState, item: str, outcome: Outcome) -> tuple[Noted, ...]:
    """Make the notes of a call's file changes: the lines that count as read, the old texts."""
    notes: list[Noted] = []
    for change in outcome.changes:
        note_own_edit(state.files, state.record, change)
        kept = await own_file_note(
            change, item, fold=state.log.fold, copies=state.copies, clock=state.clock
        )
        notes += (*own_change_notes(state.log.indexes, change, state.clock), kept)
    return tuple(notes)


def _several(root: Path, outcome: Outcome) -> tuple[str, ...]:
    """Name the files that a call changed, if there are several."""
    names = tuple(name_in(root, change.path) for change in outcome.changes)
    return names if len(names) > 1 else ()


def _result(call: Part, outcome: Outcome, failures: int) -> Part:
    return Part(
        kind=PartKind.RESULT,
        text=with_loop_warning(outcome.text or "(no output)", failures),
        call_id=call.call_id,
        name=call.name,
        source=outcome.source,
        failed=outcome.failed,
        exit_code=outcome.exit_code,
        milliseconds=outcome.milliseconds,
        counts=outcome.counts,
        ended=outcome.ended,
        rejection=outcome.rejection,
        approved=outcome.approved,
        refused=outcome.refused,
    )

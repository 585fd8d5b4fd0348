"""One turn: view, pre-flight, request, answer, tools, and again until the model is done."""

import asyncio
from dataclasses import replace

from plimsoll.context.draft import Draft as ContextDraft
from plimsoll.context.entries import Edited, Noted, Said
from plimsoll.context.forms import paired
from plimsoll.context.messages import Kind, Part, Role
from plimsoll.context.stages import digest
from plimsoll.context.stages.trim import shrink
from plimsoll.errors import Infeasible, PlimsollError, ProviderOverflow, StoreError
from plimsoll.providers.base import ReasoningDelta, TextDelta
from plimsoll.session.act import Prepared, prepare, run
from plimsoll.session.answer import Draft, answer_parts, ask, new_draft
from plimsoll.session.calibration import learn
from plimsoll.session.cost import usage_note
from plimsoll.session.desk import SessionDesk
from plimsoll.session.door import at_the_door, too_long
from plimsoll.session.escalation import freed_by, gate, stripped_schemas
from plimsoll.session.events import (
    CallChanged,
    CallMade,
    CallStatus,
    MessageSaid,
    NoticeGiven,
    ReasoningArrived,
    StopReason,
    TextArrived,
    TurnEnded,
)
from plimsoll.session.injecting import let_go, mark_used
from plimsoll.session.instructions import nested_instructions
from plimsoll.session.reductions import priced
from plimsoll.session.request import infeasible, request_for
from plimsoll.session.state import State
from plimsoll.tools.base import Outcome

MOST_STEPS = 200
"""Model requests in one turn; past that the person is asked to go on."""
STOPPED = "[stopped by the user]"


async def run_turn(state: State, turn: str) -> TurnEnded:
    """Run a turn whose user message stands in the log; never raises but what is unforeseen."""
    try:
        reason = await _steps(state, turn)
        return TurnEnded(turn, reason)
    except asyncio.CancelledError:
        await close_calls(state, turn)
        return TurnEnded(turn, "cancelled")
    except Infeasible as error:
        return TurnEnded(turn, "contextLimit", error)
    except PlimsollError as error:
        return TurnEnded(turn, "error", error)


async def _steps(state: State, turn: str) -> StopReason:
    for _ in range(MOST_STEPS):
        said, draft = await _ask(state, turn)
        calls = [part for part in said.parts if part.kind is Kind.CALL] if said else []
        if said is None or not calls:
            return _stop_reason(draft)
        await _act(state, turn, said)
        await let_go(state)
    state.emit(NoticeGiven(f"Paused after {MOST_STEPS} steps. Send a message to go on.", turn=turn))
    return "endTurn"


def _stop_reason(draft: Draft) -> StopReason:
    if draft.finished == "maxTokens":
        return "maxTokens"
    return "refusal" if draft.finished == "refusal" else "endTurn"


async def lighten(state: State) -> None:
    """Make the next request fit.

    Raises:
        Infeasible: What must stay does not fit.
    """
    reduced = state.ahead()
    fold, budget, stamps = state.log.fold, state.model.budget, state.environment.stamps
    thinner = stripped_schemas(fold, budget, reduced.proposals, stamps)
    missing = reduced.missing - freed_by(thinner, fold)
    if missing > 0:
        # Nothing leaves in vain: all stays as it was until the request can be made.
        raise infeasible(missing, reduced.heaviest, budget)
    for proposal in reduced.proposals:
        await state.apply(proposal)
    gates = gate(fold, budget, state.mode, stamps)
    if thinner or gates:
        await state.append(*thinner, *gates)


async def _ask(state: State, turn: str) -> tuple[Said | None, Draft]:
    """One model request, with at most one recovery when the provider finds it too long."""
    await lighten(state)
    try:
        return await _request(state, turn)
    except ProviderOverflow as error:
        await _recover(state, turn, error)
        return await _request(state, turn)


async def _recover(state: State, turn: str, error: ProviderOverflow) -> None:
    """The provider counts more than we do: make it lighter once, and say so.

    A digest that frees too little is followed by trimming: there is no second recovery.
    """
    why = "the provider says that the prompt is too long"
    target = state.log.fold.view.tokens * 2 // 3
    proposal = digest.propose(state.draft, why, least_kept=True, by_hand=True)
    if proposal is None and shrink(_as_if(target, state), target, why) is None:
        raise error
    off = "" if state.draft.knobs.compaction.auto else ", although automatic compaction is off"
    state.emit(NoticeGiven(f"Recovering: {why}, so the context is reduced{off}.", "warning", turn))
    if proposal is not None:
        await state.apply(priced(state.draft, proposal))
    if state.log.fold.view.tokens > target:
        rest = shrink(_as_if(target, state), target, why)
        if rest is not None:
            await state.apply(priced(state.draft, rest))


def _as_if(target: int, state: State) -> ContextDraft:
    """The next request in a window that leaves no more than the target: so results are cut too."""
    budget = replace(state.model.budget, effective=target)
    return replace(state.draft, budget=budget)


async def _request(state: State, turn: str) -> tuple[Said | None, Draft]:
    request = request_for(state.log.fold, state.model.budget, state.model.name)
    counted, message = state.log.fold.view.tokens, state.environment.stamps.new_id("m")

    def hear(chunk: TextDelta | ReasoningDelta) -> None:
        kind = TextArrived if isinstance(chunk, TextDelta) else ReasoningArrived
        state.emit(kind(turn, message, chunk.text))

    draft = new_draft()
    state.asked()
    try:
        await ask(state.model.provider, request, draft, hear)
    except BaseException:
        await _keep(state, turn, message, draft, whole=False)
        raise
    said = await _keep(state, turn, message, draft, whole=True)
    await mark_used(state)
    if draft.usage is not None:
        state.report_usage(turn, counted, draft.usage)
        await learn(state, counted, draft.usage.input)
    return said, draft


async def _keep(state: State, turn: str, message: str, draft: Draft, *, whole: bool) -> Said | None:
    """Keep what the model said; of a broken answer only the text that people have seen."""
    parts = answer_parts(draft, whole=whole)
    if not parts:
        return None
    now = state.environment.stamps.now()
    said = Said(message, now, Role.ASSISTANT, message, parts, turn)
    usage = _usage_note(state, turn, draft)
    await state.append(said, *usage)
    state.emit(MessageSaid(state.kept(said)))
    return said


def _usage_note(state: State, turn: str, draft: Draft) -> tuple[Noted, ...]:
    if draft.usage is None:
        return ()
    stamps, counted = state.environment.stamps, state.log.fold.view.tokens
    return (usage_note(draft.usage, "turn", state.model.id, stamps, turn=turn, counted=counted),)


async def _act(state: State, turn: str, said: Said) -> None:
    """Run the calls of a message in their order."""
    place = replace(state.environment.place, conversation=SessionDesk(state))
    for number, part in enumerate(said.parts):
        if part.kind is not Kind.CALL:
            continue
        item = f"{said.id}.{number}"
        prepared = await prepare(part, item, state.mode, state.environment, place)
        state.emit(CallMade(turn, prepared.shown))
        outcome = await _run(state, turn, prepared)
        await _answer(state, turn, said, part, outcome)
        if not outcome.failed:
            await _take_in_nested(state, prepared)


async def _take_in_nested(state: State, prepared: Prepared) -> None:
    """The rules of the folder in which a file was read or edited count from the next request on."""
    if prepared.intent is None or prepared.shown.kind not in {"read", "edit"}:
        return
    paths = [location.path for location in prepared.intent.locations]
    fresh = await nested_instructions(state, paths)
    if fresh:
        await state.append(*fresh)


async def _run(state: State, turn: str, prepared: Prepared) -> Outcome:
    def hear(call_id: str, status: CallStatus) -> None:
        state.emit(CallChanged(turn, call_id, status))

    return await run(prepared, state.id, turn, state.approvals, state.environment, hear)


async def _answer(state: State, turn: str, said: Said, call: Part, outcome: Outcome) -> None:
    """Keep a result, and its shorter form when it is too long, as one unit."""
    result = Part(
        Kind.RESULT,
        outcome.text or "(no output)",
        call_id=call.call_id,
        name=call.name,
        source=outcome.source,
        failed=outcome.failed,
    )
    await answer(state, turn, said.group, result, rejected=bool(outcome.meta.get("rejected")))


async def answer(
    state: State, turn: str | None, group: str, result: Part, *, rejected: bool = False
) -> Said:
    """Append a tool result with the edits that belong to its arrival."""
    stamps = state.environment.stamps
    said = Said(stamps.new_id("m"), stamps.now(), Role.TOOL, group, (result,), turn)
    edits = await _at_the_door(state, said)
    await state.append(said, *edits)
    state.emit(MessageSaid(state.kept(said)))
    if turn is not None:
        status = "rejected" if rejected else "failed" if result.failed else "completed"
        shown = next((line.shown[0].part.text for line in state.log.fold.view.lines[-1:]), "")
        call_id = result.call_id or ""
        state.emit(CallChanged(turn, call_id, status, shown, f"{said.id}.0"))
    return said


async def _at_the_door(state: State, said: Said) -> tuple[Edited, ...]:
    """The edits that belong to a result's arrival; what is cut is kept whole first."""
    kept_in = await _spill(state, said.parts[0]) if too_long(said, state.draft) else None
    return at_the_door(said, state.draft, state.environment.stamps, kept_in)


async def _spill(state: State, part: Part) -> str | None:
    """Keep the whole output in a file that the model can grep; say so when that fails."""
    spill = state.environment.spill(state.id)
    try:
        return str(await asyncio.to_thread(spill.write, part.call_id or "output", part.text))
    except StoreError as error:
        state.emit(NoticeGiven(f"{error.message} The whole output is in the log.", "warning"))
        return None


async def close_calls(state: State, turn: str | None) -> None:
    """Answer the calls of the last message that will not be run any more."""
    if not state.log.fold.groups:
        return
    group = state.log.fold.groups[-1]
    for message, closing in paired(group.visible):
        for call_id in closing:
            call = next(part for part in message.parts if part.call_id == call_id)
            stopped = replace(call, kind=Kind.RESULT, text=STOPPED, opaque=None, failed=True)
            await answer(state, turn, group.id, stopped)

"""One turn: ask the model, act on what it calls, and again until it is done.

Before each request the context is made to fit, and once more when the provider refuses it.
"""

import asyncio
from dataclasses import replace

from plimsoll.context.log.call_end import NEVER_RUN, CallEnd
from plimsoll.context.log.entries import Framed, Noted, Stage
from plimsoll.context.log.messages import Part, PartKind, part_item
from plimsoll.context.log.notes import INTERRUPTED_CALL
from plimsoll.context.pipeline.reduction import ReductionPlan
from plimsoll.context.view.rendering import pair_results
from plimsoll.errors import (
    AddressRejected,
    Infeasible,
    PlimsollError,
    ProviderAnswer,
    ProviderOverflow,
)
from plimsoll.session.asking.exchange import ask_model
from plimsoll.session.asking.gate import ask_what_waits
from plimsoll.session.asking.kept_answer import KeptAnswer
from plimsoll.session.asking.loops import (
    ASK_MODE_REFUSED,
    LAST_ANSWER_REFUSED,
    MOST_UNRUN,
    REPEATED,
    TurnLoops,
)
from plimsoll.session.asking.request import infeasible
from plimsoll.session.asking.spans import note_end, turn_span
from plimsoll.session.asking.spending import may_spend
from plimsoll.session.layers.current import changed_workplace
from plimsoll.session.layers.framing import freed_by, stripped_schemas, tool_choice_change
from plimsoll.session.made.reviewing import leave_aside, review_between
from plimsoll.session.memory.injecting import hide_forgotten_memories
from plimsoll.session.model.profile import suit_window
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import (
    NoticeGiven,
    SettingsNamed,
    StopReason,
    TurnEnded,
)
from plimsoll.session.reduction.ingest import keep_result
from plimsoll.session.reduction.model_compaction import tell_compacted, warn_of_repeats
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.shown import open_turn, turn_note
from plimsoll.session.turn.acting import CUT, LAST_ANSWER, Acting, act
from plimsoll.session.turn.queueing import say_steered
from plimsoll.session.turn.recovery import cut_to_fit, recover
from plimsoll.session.turn.staleness import tell_stale
from plimsoll.session.turn.usage import learn_from
from plimsoll.telemetry.base import TOKENS_AFTER, TOKENS_BEFORE
from plimsoll.text.wording import plural
from plimsoll.text.written_calls import written_call

STOPPED = "[stopped by the user while it ran: it may have done its work, or a part of it]"
"""The result of a call that was cut off."""
NOT_BEGUN = "[not run: the user stopped the turn before it began]"
"""The result of a call that waited for its turn, or for an answer, as the turn was stopped."""
INTERRUPTED = (
    "[interrupted before it came to its end: whether it did its work is not known, so look before "
    "you repeat it]"
)
"""The result of a call that had none as its turn, or its process, broke off."""
AGENT_INTERRUPTED = "[interrupted: the agent did not come to its end]"
"""The result of a call whose agent was at work as its process ended."""
NOT_RUN = "[not run: the turn was stopped, as the model was in a loop]"
"""The result of a call that comes behind the one at which a loop was found."""
PAUSED = (
    "Paused after {steps}, the most that a turn may have. Send a message to go on, or set "
    "`{setting}` to another number."
)
SILENT = "The model answered nothing."
AT_LIMIT = (
    "It reached the most tokens that an answer may have: ask for less at a time, or set "
    "`budget.reserve_output_tokens` higher."
)
NEARLY_FULL = (
    "The context is over {percent} % full, so the model was asked for its last answer, without "
    "tools. To work on with them, send `/compact`, remove what is not needed, or open a new "
    "session."
)
CUT_OFF = "The provider cut the answer off, with `{ending}`: it is not whole."
UNKNOWN_END = (
    "The provider ended an answer with `{ending}`, which is unknown: it may not be whole. Ask for "
    "the rest if something is missing."
)
WRITTEN_CALL = (
    "This server does not read this model's calls: the call of `{tool}` came as text, so nothing "
    "was run."
)
READ_CALLS = (
    "Let the server read them: llama.cpp with `--jinja`, vLLM with `--enable-auto-tool-choice "
    "--tool-call-parser {parser}`, SGLang with `--tool-call-parser`, Ollama with a model whose "
    "template has tools; or choose another model."
)
ONLY_REASONED = "The model only reasoned: it gave no answer and called no tool."


async def run_turn(state: SessionState, turn: str) -> TurnEnded:
    """Run a turn whose user message stands in the log; never raises but what is unforeseen."""
    with turn_span(state.environment, state.id, turn, state.model) as span:
        ended = await _to_its_end(state, turn)
        if state.caller is not None:
            state.caller.state.made.take_over(state.made)
        note_end(span, ended)
    return ended


async def _to_its_end(state: SessionState, turn: str) -> TurnEnded:
    try:
        return TurnEnded(turn, await _run(state, turn))
    except Infeasible as error:
        return TurnEnded(turn, "contextLimit", error)
    except AddressRejected as error:
        _say(state, turn, error.message)
        return TurnEnded(turn, "rejected")
    except PlimsollError as error:
        # A provider quotes what it was sent, its key too, and we quote the provider.
        error.message = state.redact(error.message)
        return TurnEnded(turn, "error", error)


async def _run(state: SessionState, turn: str) -> StopReason:
    rules = state.environment.rules()
    steps = rules.steps if state.caller is None else rules.agent_steps
    loops = TurnLoops()
    try:
        await ask_what_waits(state)
        for _ in range(steps):
            # What commands in the background made by now, or since the last turn.
            await review_between(state, turn)
            reason = await _step(state, turn, loops)
            if reason is not None:
                await review_between(state, turn)
                return reason
    except asyncio.CancelledError:
        await close_calls(state, turn)
        leave_aside(state, turn)
        await state.load.ahead_of_mark.give_up()
        return "cancelled"
    setting = "turn.max_steps" if state.caller is None else "subagent.max_steps"
    _say(state, turn, PAUSED.format(steps=plural(steps, "step"), setting=setting), setting)
    return "stepLimit"


async def _step(state: SessionState, turn: str, loops: TurnLoops) -> StopReason | None:
    """Ask and act once; returns why the turn is over, or none while there is more to do.

    Raises:
        ProviderAnswer: The model answered nothing.
    """
    if not await may_spend(state, turn):
        return "spendLimit"
    await say_steered(state, turn)
    await tell_stale(state)
    answer = await _ask(state, turn)
    await warn_of_repeats(state, turn)
    await _tell_ending(state, turn, answer)
    if answer.repeated is not None:
        _say(state, turn, REPEATED.format(phrase=answer.repeated.shown))
        return "loop"
    if answer.said is None or not answer.calls:
        return _end_reason(state, turn, answer)
    acting = Acting(
        state=state,
        turn=turn,
        said=answer.said,
        failures=loops.failures,
        refused=_why_not_run(answer),
    )
    # What an agent of its own asks may go to the same server.
    state.load.ahead_of_mark.begin(waiting=not any(call.traits.delegates for call in answer.calls))
    looping = await act(acting)
    await hide_forgotten_memories(state)
    if moved := await changed_workplace(state):
        await state.append(*moved)
    if looping is None:
        return _ended_unrun(state, turn, answer, loops)
    await close_calls(state, turn, looped=True)
    _say(state, turn, looping)
    return "loop"


def _why_not_run(answer: KeptAnswer) -> str | None:
    """Return what the calls of an answer get instead of being run; none: they may run."""
    if answer.finished == "maxTokens":
        return CUT
    return LAST_ANSWER if answer.last else None


def _ended_unrun(
    state: SessionState, turn: str, answer: KeptAnswer, loops: TurnLoops
) -> StopReason | None:
    """Return why a turn is over whose model calls tools again where none runs; none: it goes on."""
    if not answer.last and state.mode != "ask":
        return None
    loops.unrun += 1
    if loops.unrun < MOST_UNRUN:
        return None
    _say(state, turn, LAST_ANSWER_REFUSED if answer.last else ASK_MODE_REFUSED)
    return "endTurn" if answer.has_text else "loop"


def _say(state: SessionState, turn: str, words: str, *settings: str) -> None:
    words = state.redact(words)
    named = SettingsNamed(settings) if settings else None
    state.voice.emit(NoticeGiven(words, "warning", turn, named))


async def _ask(state: SessionState, turn: str) -> KeptAnswer:
    """Ask the model once, with at most one recovery when the provider finds it too long."""
    await state.load.ahead_of_mark.make_way()
    await lighten(state, turn)
    state.load.ahead_of_mark.begin(waiting=False)
    try:
        answer = await ask_model(state, turn)
    except ProviderOverflow as error:
        await recover(state, turn, error)
        answer = await ask_model(state, turn)
    await learn_from(state, turn, answer)
    return answer


def _end_reason(state: SessionState, turn: str, answer: KeptAnswer) -> StopReason:
    """Return why a turn is over that ends with this answer.

    Raises:
        ProviderAnswer: There is no word in it, it was cut off, or a call stands in it as text.
    """
    if answer.finished == "refusal":
        return "refusal"
    what = None if answer.has_text else ONLY_REASONED if answer.reasoned else SILENT
    if answer.finished == "maxTokens":
        if what is not None:
            _say(state, turn, f"{what} {AT_LIMIT}", "budget.reserve_output_tokens")
        return "maxTokens"
    if answer.finished == "cut":
        raise ProviderAnswer(
            CUT_OFF.format(ending=answer.ending),
            remedy="What was done so far stays. Send a message to go on.",
        )
    if what is not None:
        raise ProviderAnswer(what, remedy="Send the message again, or choose another model.")
    tools = () if answer.last else tuple(tool.name for tool in state.log.fold.view.schemas)
    if (written := written_call(answer.text, tools)) is not None:
        raise ProviderAnswer(
            WRITTEN_CALL.format(tool=written.tool),
            remedy=READ_CALLS.format(parser=written.parser or "NAME"),
        )
    return "endTurn"


async def _tell_ending(state: SessionState, turn: str, answer: KeptAnswer) -> None:
    """Say once of a session with which unknown word its provider ends answers."""
    if answer.ending and answer.finished != "cut":
        words = state.redact(UNKNOWN_END.format(ending=answer.ending))
        about = f"ending {state.model.id} {answer.ending}"
        await state.voice.tell_once(about, NoticeGiven(words, "warning", turn))


async def close_calls(state: SessionState, turn: str | None, *, looped: bool = False) -> None:
    """Answer the calls of the last message that will not be run any more, with what became of each.

    ``turn``: the one that is stopped; none: it broke off before. ``looped``: a loop ended it.
    """
    if not state.log.fold.groups:
        return
    group, clock = state.log.fold.groups[-1], state.clock
    for message, closing in pair_results(group.visible):
        numbers = {part.call_id: number for number, part in enumerate(message.parts)}
        for call_id in closing:
            call, item = message.parts[numbers[call_id]], part_item(message.id, numbers[call_id])
            begun = not looped and item in state.begun_calls
            ended, text = _call_end(call, turn, begun=begun, looped=looped)
            closed = replace(
                call, kind=PartKind.RESULT, text=text, opaque=None, failed=True, ended=ended
            )
            notes = () if ended in NEVER_RUN else (_interruption_note(item, clock),)
            await keep_result(state, turn, message, closed, with_it=notes)


def _call_end(call: Part, turn: str | None, *, begun: bool, looped: bool) -> tuple[CallEnd, str]:
    """Return how a call without a result ended, and the words for it."""
    if looped:
        return CallEnd.NOT_RUN, NOT_RUN
    if turn is None:
        return CallEnd.INTERRUPTED, AGENT_INTERRUPTED if call.traits.delegates else INTERRUPTED
    return (CallEnd.STOPPED, STOPPED) if begun else (CallEnd.NOT_RUN, NOT_BEGUN)


def _interruption_note(call: str, clock: Clock) -> Noted:
    return new_note(clock, INTERRUPTED_CALL, item=call)


async def close_turn(state: SessionState) -> None:
    """Note that the last turn was interrupted, if its process ended while it ran; none runs now."""
    await close_calls(state, None)
    record, fold = state.record, state.log.fold
    turn = open_turn(fold.entries, record.created_at if record.parent_id else "")
    if turn is not None:
        ended = TurnEnded(turn, "interrupted")
        await state.append(turn_note(ended, fold.view.tokens, state.clock))


async def lighten(state: SessionState, turn: str | None = None) -> None:
    """Make the next request fit.

    Raises:
        Infeasible: What must stay does not fit.
    """
    with state.environment.tracer.span("preflight", "preflight", {}) as span:
        span[TOKENS_BEFORE] = state.log.fold.view.tokens
        await _lighten(state, turn)
        span[TOKENS_AFTER] = state.log.fold.view.tokens


async def _lighten(state: SessionState, turn: str | None) -> None:
    if state.load.measured is None:
        # What a provider has reported of stands in its cache: the profile stays.
        await suit_window(state)
    reduced, thinner, missing = _reductions(state)
    if missing > 0 and await cut_to_fit(state, turn):
        reduced, thinner, missing = _reductions(state)
    fold, budget, clock = state.log.fold, state.model.budget, state.clock
    if missing > 0:
        # Nothing leaves in vain: all stays as it was until the request can be made.
        raise infeasible(missing, reduced.heaviest, budget)
    for proposal in reduced.proposals:
        receipt = await state.apply(proposal)
        if receipt.stage is Stage.COMPACT:
            await tell_compacted(state.voice, turn, receipt)
    gates = tool_choice_change(fold, budget, state.mode, clock)
    if thinner or gates:
        await state.append(*thinner, *gates)
    if turn is not None and gates and gates[-1].text == "none":
        percent = round(100 * budget.force_final / budget.effective)
        _say(state, turn, NEARLY_FULL.format(percent=percent), "budget.force_final_at")


def _reductions(state: SessionState) -> tuple[ReductionPlan, tuple[Framed, ...], int]:
    """Plan the reductions that are due, and the tokens by which the request is still too long."""
    reduced, fold = state.load.plan(), state.log.fold
    budget, clock = state.model.budget, state.clock
    thinner = stripped_schemas(fold, budget, reduced.proposals, clock, missing=reduced.missing)
    return reduced, thinner, reduced.missing - freed_by(thinner, fold)

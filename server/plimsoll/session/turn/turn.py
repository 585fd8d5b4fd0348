"""One turn: ask the model, act on what it calls, and again until it is done.

Before each request the context is made to fit, and once more when the provider refuses it.
"""

import asyncio

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
from plimsoll.session.asking.spans import note_end, turn_span
from plimsoll.session.asking.spending import may_spend
from plimsoll.session.layers.current import changed_workplace
from plimsoll.session.made.reviewing import MadeReview
from plimsoll.session.memory.injecting import hide_forgotten_memories
from plimsoll.session.ports.events import (
    NoticeGiven,
    SettingsNamed,
    StopReason,
    TurnEnded,
)
from plimsoll.session.reduction.model_compaction import warn_of_repeats
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.acting import CUT, LAST_ANSWER, Acting, act
from plimsoll.session.turn.closing import close_calls
from plimsoll.session.turn.fitting import lighten
from plimsoll.session.turn.hooked_prompts import goes_on
from plimsoll.session.turn.queueing import say_steered
from plimsoll.session.turn.recovery import recover
from plimsoll.session.turn.telling_stale import tell_stale
from plimsoll.session.turn.usage import learn_from
from plimsoll.text.wording import plural
from plimsoll.text.written_calls import written_call

PAUSED = (
    "Paused after {steps}, the most that a turn may have. Send a message to go on, or set "
    "`{setting}` to another number."
)
SILENT = "The model answered nothing."
AT_LIMIT = (
    "It reached the most tokens that an answer may have: ask for less at a time, or set "
    "`budget.reserve_output_tokens` higher."
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
    """Run a turn on the prompt in the log; raises nothing but unforeseen errors."""
    with turn_span(state.tracer, state.id, turn, state.model) as span:
        ended = await TurnLoop(state, turn).run()
        if state.caller is not None:
            state.caller.state.made.take_over(state.made)
        note_end(span, ended)
    return ended


class TurnLoop:
    """Asks and acts, step after step, until the turn is over."""

    def __init__(self, state: SessionState, turn: str) -> None:
        self._state = state
        self._turn = turn
        self._loops = TurnLoops()
        self._made = MadeReview(state, turn)
        self._gone_on = 0
        """How often a hook has let the turn go on."""

    async def run(self) -> TurnEnded:
        """Run the turn to its end, and return how it ended; raises only unforeseen errors."""
        turn = self._turn
        try:
            return TurnEnded(turn, await self._go_on())
        except Infeasible as error:
            return TurnEnded(turn, "contextLimit", error)
        except AddressRejected as error:
            self._say(error.message)
            return TurnEnded(turn, "rejected")
        except PlimsollError as error:
            # A provider quotes what it was sent, its key too, and we quote the provider.
            error.message = self._state.redact(error.message)
            return TurnEnded(turn, "error", error)

    async def _go_on(self) -> StopReason:
        state, turn = self._state, self._turn
        rules = state.environment.rules()
        steps = rules.steps if state.caller is None else rules.agent_steps
        try:
            await ask_what_waits(state)
            for _ in range(steps):
                # What commands in the background made by now, or since the last turn.
                await self._made.review_between()
                reason = await self._step()
                if reason == "endTurn" and await goes_on(state, turn, self._gone_on):
                    self._gone_on += 1
                    continue
                if reason is not None:
                    await self._made.review_between()
                    return reason
        except asyncio.CancelledError:
            await close_calls(state, turn)
            self._made.leave_aside()
            await state.load.ahead_of_mark.give_up()
            return "cancelled"
        setting = "turn.max_steps" if state.caller is None else "subagent.max_steps"
        self._say(PAUSED.format(steps=plural(steps, "step"), setting=setting), setting)
        return "stepLimit"

    async def _step(self) -> StopReason | None:
        """Do one step: ask and run the calls; returns why the turn is over, None if it goes on.

        Raises:
            ProviderAnswer: The model answered nothing.
        """
        state, turn = self._state, self._turn
        if not await may_spend(state, turn):
            return "spendLimit"
        await say_steered(state, turn)
        await tell_stale(state)
        answer = await self._ask()
        await warn_of_repeats(state.log.fold, state.voice, turn)
        await self._tell_ending(answer)
        if answer.repeated is not None:
            self._say(REPEATED.format(phrase=answer.repeated.shown))
            return "loop"
        if answer.said is None or not answer.calls:
            return self._end_reason(answer)
        acting = Acting(
            state=state,
            turn=turn,
            said=answer.said,
            failures=self._loops.failures,
            refused=_why_not_run(answer),
        )
        # What an agent of its own asks may go to the same server.
        state.load.ahead_of_mark.begin(
            waiting=not any(call.traits.delegates for call in answer.calls)
        )
        looping = await act(acting)
        await hide_forgotten_memories(state)
        if moved := await changed_workplace(state):
            await state.append(*moved)
        if looping is None:
            return self._ended_unrun(answer)
        await close_calls(state, turn, looped=True)
        self._say(looping)
        return "loop"

    def _ended_unrun(self, answer: KeptAnswer) -> StopReason | None:
        """Return why a turn ends whose model keeps calling tools that may not run; else None."""
        if not answer.last and self._state.mode != "ask":
            return None
        self._loops.unrun += 1
        if self._loops.unrun < MOST_UNRUN:
            return None
        self._say(LAST_ANSWER_REFUSED if answer.last else ASK_MODE_REFUSED)
        return "endTurn" if answer.has_text else "loop"

    async def _ask(self) -> KeptAnswer:
        """Ask the model once, with at most one recovery if the request is too long."""
        state, turn = self._state, self._turn
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

    def _end_reason(self, answer: KeptAnswer) -> StopReason:
        """Return the stop reason of a turn that ends with this answer.

        Raises:
            ProviderAnswer: It has no text, was cut off, or has a call written as text.
        """
        if answer.finished == "refusal":
            return "refusal"
        what = None if answer.has_text else ONLY_REASONED if answer.reasoned else SILENT
        if answer.finished == "maxTokens":
            if what is not None:
                self._say(f"{what} {AT_LIMIT}", "budget.reserve_output_tokens")
            return "maxTokens"
        if answer.finished == "cut":
            raise ProviderAnswer(
                CUT_OFF.format(ending=answer.ending),
                remedy="What was done so far stays. Send a message to go on.",
            )
        if what is not None:
            raise ProviderAnswer(what, remedy="Send the message again, or choose another model.")
        tools = (
            () if answer.last else tuple(tool.name for tool in self._state.log.fold.view.schemas)
        )
        if (written := written_call(answer.text, tools)) is not None:
            raise ProviderAnswer(
                WRITTEN_CALL.format(tool=written.tool),
                remedy=READ_CALLS.format(parser=written.parser or "NAME"),
            )
        return "endTurn"

    async def _tell_ending(self, answer: KeptAnswer) -> None:
        """Tell the person once that the provider ends answers with an unknown reason."""
        state, turn = self._state, self._turn
        if answer.ending and answer.finished != "cut":
            words = state.redact(UNKNOWN_END.format(ending=answer.ending))
            about = f"ending {state.model.id} {answer.ending}"
            await state.voice.tell_once(about, NoticeGiven(words, "warning", turn))

    def _say(self, words: str, *settings: str) -> None:
        words = self._state.redact(words)
        named = SettingsNamed(settings) if settings else None
        self._state.voice.emit(NoticeGiven(words, "warning", self._turn, named))


def _why_not_run(answer: KeptAnswer) -> str | None:
    """Return the result for calls of an answer that may not run; None: they may run."""
    if answer.finished == "maxTokens":
        return CUT
    return LAST_ANSWER if answer.last else None

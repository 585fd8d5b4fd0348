"""Learn from what a provider reports of a request, unless it cannot be right."""

from dataclasses import replace

from plimsoll.context.log.entries import Slot
from plimsoll.context.view.view import View
from plimsoll.session.asking.calibration import calibrate, is_believed, sent_count
from plimsoll.session.asking.kept_answer import KeptAnswer
from plimsoll.session.memory.injecting import mark_used
from plimsoll.session.model.window import learn_window
from plimsoll.session.ports.events import NoticeGiven, UsageReported
from plimsoll.session.state.session_state import SessionState

TOO_FEW = 0.75
"""The share of our count below which something of the request was not read."""
NEAR = (0.75, 1.25)
"""A report is about the rest of a request if it is so near to our count of that."""
TOOLS_SHARE = 0.25
"""The share of a request that the tools must have, so that their absence can be told."""


async def learn_from(state: SessionState, turn: str, answer: KeptAnswer) -> None:
    """Learn from an answered request: mark its memories as used, and take its usage."""
    await mark_used(state.memories, state.voice)
    if answer.usage is None:
        return
    sent, usage = answer.sent, answer.usage
    if is_believed(sent.tokens, usage.input, sent.by_slot.get(Slot.TOOLS, 0)):
        state.load.take_usage(turn, sent.tokens, usage)
        state.voice.emit(UsageReported(turn, "turn", state.model.name, usage))
    await take_usage(state, turn, sent, usage.input)


async def take_usage(state: SessionState, turn: str, sent: View, reported: int) -> None:
    """Correct the counter by the reported tokens, or tell the person why they are not believed."""
    counted, tools = sent.tokens, sent.by_slot.get(Slot.TOOLS, 0)
    correction = state.model.correction
    if are_tools_dropped(counted, reported, tools):
        words = TOOLS_DROPPED.format(reported=reported, counted=counted)
        await state.voice.tell_once(f"tools {state.model.id}", NoticeGiven(words, "warning", turn))
        without = replace(correction, weights=correction.weights._replace(tools=0.0))
        await calibrate(state.load, state.voice, without, state.clock)
        return
    if reported < TOO_FEW * counted and await _is_cut_by_ollama(state, turn, counted, reported):
        return
    request = sent_count(sent, state.model)
    if reported > 0 and not correction.is_plausible(request, reported):
        words = NOT_BELIEVED.format(reported=reported, counted=counted)
        await state.voice.tell_once(f"usage {state.model.id}", NoticeGiven(words, "warning", turn))
    learned = correction.learn_usage(request, reported)
    await calibrate(state.load, state.voice, learned, state.clock)


def are_tools_dropped(counted: int, reported: int, tools: int) -> bool:
    """Tell whether the reported tokens are too few by about the size of the tool schemas."""
    rest = counted - tools
    if tools < TOOLS_SHARE * counted or not 0 < reported < TOO_FEW * counted:
        return False
    return NEAR[0] * rest <= reported <= NEAR[1] * rest


TOOLS_DROPPED = (
    "The server read {reported:,} tokens of a request of about {counted:,}; what is missing is "
    "about the size of the tools. The model's chat template probably leaves them out, so it can "
    "call none: choose a model or a template with tools (llama.cpp: `--jinja`)."
)
NOT_BELIEVED = (
    "The provider reports {reported:,} tokens for a request of about {counted:,}. That cannot be "
    "right, so Plimsoll counts by itself, which is less exact."
)
CUT_BY_OLLAMA = (
    "Ollama cut the prompt without a word: it read {reported:,} of about {counted:,} tokens. Set "
    "`num_ctx` to {wanted:,} (`PARAMETER num_ctx {plain}` in the Modelfile, or "
    "`OLLAMA_CONTEXT_LENGTH={plain}` for the server) to have all of it read. "
)


async def _is_cut_by_ollama(state: SessionState, turn: str, counted: int, reported: int) -> bool:
    """Tell whether Ollama has cut a request: ask it for its window again, and learn that."""
    served = await state.models.ask_window(state.model)
    if served is None or not served.ollama or served.window is None:
        return False
    if not reported <= served.window < counted:
        return False
    wanted = 1 << (counted + state.model.budget.reserve - 1).bit_length()
    why = CUT_BY_OLLAMA.format(reported=reported, counted=counted, wanted=wanted, plain=wanted)
    return await learn_window(state, served.window, turn, why)

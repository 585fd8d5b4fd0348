"""One exchange with the model of a session: its view is sent, the answer shown and kept."""

from functools import partial

from plimsoll.session.asking.gate import let_through
from plimsoll.session.asking.kept_answer import KeptAnswer, keep_answer
from plimsoll.session.asking.request import fit_to_model, request_for
from plimsoll.session.asking.response import ask, new_response, was_sent
from plimsoll.session.asking.shown_answer import ShownAnswer
from plimsoll.session.asking.spans import note_miss, request_span
from plimsoll.session.asking.waiting import tell_mend, tell_wait
from plimsoll.session.ports.events import ReasoningArrived, TextArrived
from plimsoll.session.ports.ids import new_message_id
from plimsoll.session.state.session_state import SessionState


async def ask_model(state: SessionState, turn: str) -> KeptAnswer:
    """Send the present view and keep what the model says.

    Raises:
        RequestInvalid: The view breaks a law other than the window.
        AddressChanged: The session may not go there, as AddressRejected: nothing was sent.
        ProviderError: The model did not answer to its end; what people have seen of it is kept.
    """
    request = request_for(state.log.fold, state.model.budget, state.model.name)
    request = fit_to_model(request, state.id, state.model.sees_images)
    sent, message = state.log.fold.view, new_message_id(state.clock)
    last = request.tool_choice == "none" and state.mode != "ask"

    def show(kind: type[TextArrived | ReasoningArrived], text: str) -> None:
        if text:
            state.voice.emit(kind(turn, message, text))

    response, shown = new_response(), ShownAnswer(state.environment.open_stream, show)
    provider, count = state.model.provider, state.model.ledger.bare
    wait = partial(tell_wait, state.voice, state.clock, turn=turn, model=state.model.name)
    tell = partial(tell_mend, state.voice, state.redact, turn)
    with request_span(state.tracer, state.model, "turn", response) as span:
        try:
            await ask(
                provider,
                request,
                response,
                count,
                let_through=partial(let_through, state, state.model.id, "turn"),
                hear=shown.hear,
                wait=wait,
                tell=tell,
            )
        except BaseException as error:
            shown.end()
            if was_sent(response, error):
                await keep_answer(state, turn, message, response, whole=False)
            raise
        shown.end()
        reasoned = any(piece.strip() for piece in response.reasoning)
        said = await keep_answer(state, turn, message, response, whole=response.repeated is None)
        cache_seconds = state.model.settings.cache.cache_seconds
        note_miss(span, state.requests.newest(state.log.fold.entries, cache_seconds))
    return KeptAnswer(
        said=said,
        sent=sent,
        usage=response.usage,
        finished=response.finished,
        reasoned=reasoned,
        repeated=response.repeated,
        ending=response.ending,
        last=last,
    )

"""A request that is none of a turn: a summary, a reading for memories, a message for a commit."""

from collections.abc import Callable
from functools import partial

from plimsoll.providers.base import Request, Waiting
from plimsoll.session.asking.gate import let_through
from plimsoll.session.asking.response import ResponseBuilder, ask
from plimsoll.session.asking.spans import request_span
from plimsoll.session.asking.waiting import tell_mend
from plimsoll.session.ports.events import Purpose
from plimsoll.session.ports.model import Model
from plimsoll.session.state.session_state import SessionState


async def ask_beside(
    state: SessionState,
    model: Model,
    request: Request,
    response: ResponseBuilder,
    *,
    purpose: Purpose,
    waited_for: bool = False,
    wait: Callable[[Waiting], None] = lambda _: None,
) -> None:
    """Send a request that is part of no turn; fills the response, raises as ``ask``.

    ``waited_for``: a person waits for it, so may be asked about a new address.
    """
    gate = partial(let_through, state, model.id, purpose, waited_for=waited_for)
    with request_span(state.tracer, model, purpose, response):
        await ask(
            model.provider,
            request,
            response,
            model.ledger.bare,
            let_through=gate,
            wait=wait,
            tell=partial(tell_mend, state.voice, state.redact, None),
        )

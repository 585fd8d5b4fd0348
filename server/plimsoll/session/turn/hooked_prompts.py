"""Prompts and the end of a turn with the person's hooks; without hooks nothing of that is loaded.

What hooks say stands beside a prompt as an attached text: it is no word of the person, and is cut
as other attached texts are.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, Role
from plimsoll.session.ports.content import Excerpt, parts_of
from plimsoll.session.ports.events import MessageSaid
from plimsoll.session.ports.ids import new_message_id
from plimsoll.session.reduction.ingest import shorten_attached
from plimsoll.session.state.session_state import SessionState

if TYPE_CHECKING:
    from plimsoll.session.hooks.prompts import HookWords

MOST_GOES_ON: Final = 3
"""How often hooks may let one turn go on."""


async def with_hook_words(
    state: SessionState, turn: str, parts: tuple[Part, ...]
) -> tuple[Part, ...]:
    """Add to a prompt what hooks say, those of the session's start first.

    Raises:
        InvalidInput: A hook holds the prompt back.
    """
    if state.caller is not None or not state.environment.rules().hooks:
        return parts
    # Late, as wherever hooks run: most people have none.
    from plimsoll.session.hooks.prompts import words_at_start, words_before_prompt

    first = await words_at_start(state)
    words = (*first, *await words_before_prompt(state, turn, parts))
    return (*parts, *_attach(state, words))


async def goes_on(state: SessionState, turn: str, times: int) -> bool:
    """Let a turn go on if a hook wants it to; ``times``: it has so often already.

    Not where the next request would be the last: no hook fills a context to its end.
    """
    if state.caller is not None or not state.has_hooks("Stop"):
        return False
    from plimsoll.session.hooks.prompts import words_at_stop

    words = await words_at_stop(state, turn, again=times > 0)
    full = state.log.fold.view.tokens >= state.model.budget.force_final
    if words is None or times >= MOST_GOES_ON or full:
        return False
    message = new_message_id(state.clock)
    said = Said(
        id=message,
        at=state.clock.now(),
        role=Role.USER,
        group=message,
        parts=tuple(_attach(state, [words])),
        turn=turn,
        origin=state.origin,
    )
    await state.append(said)
    state.voice.emit(MessageSaid(state.log.kept_message(said)))
    return True


def _attach(state: SessionState, words: "Iterable[HookWords]") -> Sequence[Part]:
    own, request = state.environment, state.load.next_request
    texts = [Excerpt(each.title, shorten_attached(each.text, request)) for each in words]
    return parts_of(texts, own.call_context, own.files.read_attachment) if texts else ()

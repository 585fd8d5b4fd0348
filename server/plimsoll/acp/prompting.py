"""A prompt from its blocks to the end of its turn, and its cancelling."""

import asyncio

from plimsoll.acp.convert.content import contents_of
from plimsoll.acp.convert.updates import OTHER_SESSION, STOP_REASONS, chunk
from plimsoll.acp.opened import OpenedSession, WaitingPrompt
from plimsoll.acp.params import PromptParams, SessionParams
from plimsoll.acp.server_context import AcpContext
from plimsoll.errors import Busy, PlimsollError
from plimsoll.session.commands.slash import typed_command
from plimsoll.session.ports.content import Content, PromptText
from plimsoll.session.ports.events import TurnEnded
from plimsoll.session.turn.queueing import Accepted

CANCELLED = {"stopReason": "cancelled"}
ELSEWHERE = (
    "`/{name}` opens another session, which here the editor does: use its list of threads, or "
    "begin a new one there."
)


async def prompt(server: AcpContext, params: PromptParams) -> dict[str, object]:
    """Say a prompt and answer at the end of its turn.

    Raises:
        NotFound: The client has no such session open.
        Busy: A prompt of it is not answered yet, or another process runs a turn.
        PlimsollError: The turn failed.
    """
    opened = server.require_opened(params.session_id)
    if opened.waiting is not None:
        raise Busy("A prompt of this session runs.", remedy="Wait for its end or cancel it.")
    content = contents_of(params.prompt)
    name = _other_session(content)
    if name is not None:
        server.streams.send(opened.id, chunk("agent", ELSEWHERE.format(name=name), "elsewhere"))
        return {"stopReason": "end_turn"}
    starting = asyncio.ensure_future(_say(server, opened, content))
    waiting = opened.waiting = WaitingPrompt(starting)
    try:
        return await _answer(waiting)
    except asyncio.CancelledError:
        # The request was cancelled, or the process ends: the turn ends with it.
        await _halt(server, opened)
        raise
    finally:
        opened.waiting = None


async def _say(server: AcpContext, opened: OpenedSession, content: list[Content]) -> Accepted:
    session = await opened.load()
    # What another door has said meanwhile stands before it.
    server.following.catch_up(opened, session)
    await server.ask_about_servers(opened)
    return await server.speaking.say(opened.project, session, content)


async def _answer(waiting: WaitingPrompt) -> dict[str, object]:
    await asyncio.wait([waiting.starting])
    if waiting.starting.cancelled():
        return dict(CANCELLED)
    ended = await waiting.end_of(waiting.starting.result().turn)
    return dict(CANCELLED) if waiting.cancelled else _result(ended)


def _result(ended: TurnEnded) -> dict[str, object]:
    reason = STOP_REASONS.get(ended.reason)
    if reason is None:
        raise ended.error or PlimsollError("The turn failed; the server's log tells more.")
    return {"stopReason": reason}


def _other_session(content: list[Content]) -> str | None:
    """Return the name of a command that opens another session; None for any other prompt."""
    first = next((each for each in content if isinstance(each, PromptText)), None)
    slash = typed_command(first) if first is not None else None
    return slash.name if slash is not None and slash.name in OTHER_SESSION else None


async def cancel(server: AcpContext, params: SessionParams) -> None:
    """Stop what runs in a session: its prompt is answered as cancelled, whatever it waits for."""
    opened = server.find_opened(params.session_id)
    if opened is not None:
        await stop(server, opened)


async def stop(server: AcpContext, opened: OpenedSession) -> None:
    """Stop the prompt of a session, and what runs without one."""
    if opened.waiting is not None:
        opened.waiting.cancel()
    await _halt(server, opened)


async def _halt(server: AcpContext, opened: OpenedSession) -> None:
    session = opened.live()
    if opened.waiting is not None:
        opened.waiting.starting.cancel()
        await asyncio.wait([opened.waiting.starting])
    if session is not None:
        await session.cancel()
    await server.speaking.cancel(opened.id)

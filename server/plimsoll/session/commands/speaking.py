"""Takes what people type: a command is answered as a turn, and the rest is a prompt."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.errors import PlimsollError
from plimsoll.session.commands.slash import (
    SLASHES,
    Slash,
    called_command,
    pasted_command,
    run_slash,
    unescape_prompt,
)
from plimsoll.session.ports.content import Content, PromptText
from plimsoll.session.ports.events import CommandAnswered, NoticeGiven, TurnEnded, TurnStarted, When
from plimsoll.session.ports.ids import new_turn_id
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.session.turn.queueing import Accepted

log = logging.getLogger(__name__)

NOT_KEPT = "This answer is not saved: it shows what you may delete later."


class Speaking:
    """Runs what people type, as command or prompt, and keeps the commands that still run."""

    def __init__(self) -> None:
        self._commands: dict[asyncio.Task[None], str] = {}
        """The id of the session of each."""

    async def say(
        self,
        project: Project,
        session: Session,
        content: Sequence[Content],
        when: When | None = None,
    ) -> Accepted:
        """Accept a prompt; raises what ``Session.prompt`` raises.

        ``when``: it may wait while a turn runs. A command never does.
        """
        first = next((each for each in content if isinstance(each, PromptText)), None)
        slash = await called_command(first, project) if first else None
        if slash is None:
            if first and (words := pasted_command(first)):
                session.state.voice.emit(NoticeGiven(words))
            plain = [_plain(each, first) for each in content]
            if when is not None:
                return await session.queueing.accept(session, plain, when)
            return Accepted(await session.prompt(plain))
        turn = new_turn_id(project.environment.clock)
        task = asyncio.create_task(_command(turn, slash, project, session))
        self._commands[task] = session.id
        task.add_done_callback(self._commands.pop)
        return Accepted(turn)

    async def cancel(self, session_id: str) -> bool:
        """Cancel the running commands of a session; false if there are none."""
        return await self._end([task for task, own in self._commands.items() if own == session_id])

    async def settle(self) -> None:
        """Wait for the commands that still run."""
        if self._commands:
            await asyncio.wait(self._commands)

    async def close(self) -> None:
        """Cancel the commands that still run, so that they have no further effect."""
        await self._end(list(self._commands))

    async def _end(self, tasks: Sequence[asyncio.Task[None]]) -> bool:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        return any(task.cancelled() for task in tasks)


def _plain(content: Content, first: PromptText | None) -> Content:
    return first.with_text(unescape_prompt(first.text)) if first and content is first else content


async def _command(turn: str, slash: Slash, project: Project, session: Session) -> None:
    """Run a command as a turn, whose end is sent whatever happens."""
    emit = session.state.voice.emit
    emit(TurnStarted(turn))
    ended = TurnEnded(turn, "error")
    try:
        await _answer(turn, slash, project, session)
        ended = TurnEnded(turn, "endTurn")
    except asyncio.CancelledError:
        ended = TurnEnded(turn, "cancelled")
        raise
    finally:
        emit(ended)


async def _answer(turn: str, slash: Slash, project: Project, session: Session) -> None:
    reply = None
    try:
        reply = await run_slash(slash, project, session)
        notice = CommandAnswered(reply.markdown, "info", turn, reply.data, command=slash.typed)
    except PlimsollError as error:
        remedy = f" {error.remedy}" if error.remedy else ""
        notice = CommandAnswered(f"{error.message}{remedy}", "error", turn, command=slash.typed)
    await _show(notice, slash, session)
    if reply is not None and reply.session is not None:
        session.state.voice.emit(reply.session.state.changed_event())


async def _show(notice: CommandAnswered, slash: Slash, session: Session) -> None:
    """Show a command's answer and keep a note of it, if the store can be written."""
    state, command = session.state, SLASHES.get(slash.name)
    redact = state.redact
    shown = replace(notice, markdown=redact(notice.markdown), command=redact(slash.typed))
    state.environment.listener(session.id, shown)
    kept = shown
    if command is not None and not command.kept:
        kept = replace(shown, markdown=NOT_KEPT, level="info", command=f"/{slash.name}")
    state.voice.keep_shown(kept)
    try:
        await session.note(*state.voice.take_unkept())
    except PlimsollError as error:
        log.warning("an answer is not kept: %s", error.message)

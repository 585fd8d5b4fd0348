"""What a person types: a slash command is answered as a turn, anything else starts one."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.errors import PlimsollError
from plimsoll.session.commands.slash import Slash, parsed, run_slash, unescaped
from plimsoll.session.content import Content, PromptText
from plimsoll.session.events import NoticeGiven, SessionChanged, TurnEnded, TurnStarted
from plimsoll.session.project import Project
from plimsoll.session.session import Session


class Speaking:
    """Takes what people type and keeps the commands that still run."""

    def __init__(self) -> None:
        self._commands: set[asyncio.Task[None]] = set()

    async def say(self, project: Project, session: Session, content: Sequence[Content]) -> str:
        """Accept a prompt and return its turn's id; raises what ``Session.prompt`` raises."""
        first = next((each for each in content if isinstance(each, PromptText)), None)
        slash = parsed(first.text) if first else None
        if slash is None:
            return await session.prompt([_plain(each, first) for each in content])
        turn = project.environment.clock.new_id("t")
        task = asyncio.create_task(_command(turn, slash, project, session))
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        return turn

    async def settle(self) -> None:
        """Wait for the commands that still run."""
        if self._commands:
            await asyncio.wait(self._commands)


def _plain(content: Content, first: PromptText | None) -> Content:
    return replace(first, text=unescaped(first.text)) if first and content is first else content


async def _command(turn: str, slash: Slash, project: Project, session: Session) -> None:
    """Answer a command as a turn, which ends whatever happens."""
    emit = session.state.emit
    emit(TurnStarted(turn))
    ended = TurnEnded(turn, "error")
    try:
        await _answer(turn, slash, project, session)
        ended = TurnEnded(turn, "endTurn")
    finally:
        emit(ended)


async def _answer(turn: str, slash: Slash, project: Project, session: Session) -> None:
    emit = session.state.emit
    try:
        reply = await run_slash(slash, project, session)
    except PlimsollError as error:
        remedy = f" {error.remedy}" if error.remedy else ""
        emit(NoticeGiven(f"{error.message}{remedy}", "error", turn))
    else:
        emit(NoticeGiven(reply.markdown, "info", turn, reply.data))
        if reply.session is not None:
            emit(SessionChanged(reply.session.state.record))

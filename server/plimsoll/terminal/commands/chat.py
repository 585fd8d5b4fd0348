"""`plimsoll chat`: turns in a loop, with slash commands."""

import asyncio
import sys
from argparse import Namespace
from dataclasses import dataclass

from plimsoll.errors import PlimsollError
from plimsoll.session.commands.slash import Slash, parsed, run_slash, unescaped
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.terminal.approvals import TerminalAsker
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.opening import opened, session_of, settings_of, tell_error, tell_warnings
from plimsoll.terminal.report import show_meter
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show
from plimsoll.terminal.turns import Interrupts, tell_end, turn

PROMPT = "\n> "
LEAVING = ("/quit", "/exit")
GREETING = "Plimsoll in {folder}, with {model}. /help lists the commands, /quit leaves."


@dataclass(slots=True)
class Chat:
    """A conversation at the terminal."""

    project: Project
    session: Session
    interrupts: Interrupts
    screen: Screen

    async def answer(self, text: str) -> None:
        """Run a line of input: a slash command, or a turn."""
        slash = parsed(text)
        try:
            if slash is not None:
                await self._command(slash)
            else:
                ended = await turn(self.session, unescaped(text), self.interrupts)
                tell_end(ended, self.screen)
                show_meter(self.session.state.meter(), self.screen)
        except PlimsollError as error:
            tell_error(error, self.screen)

    async def _command(self, slash: Slash) -> None:
        reply = await run_slash(slash, self.project, self.session)
        self.session = reply.session or self.session
        self.screen.line(reply.markdown)


def chat(options: Namespace, screen: Screen) -> int:
    """Hold a conversation until the input ends."""
    return asyncio.run(_chat(options, screen))


async def _chat(options: Namespace, screen: Screen) -> int:
    settings = settings_of(options)
    person = sys.stdin.isatty()
    lines = Lines(sys.stdin.fileno())
    asker = TerminalAsker(
        screen,
        lines if person else None,
        settings.permission.timeout_seconds,
        auto=options.auto_approve,
    )
    with Interrupts() as interrupts:
        async with opened(options, settings, asker, Show(screen)) as there:
            session = await session_of(options, there.project)
            talk = Chat(there.project, session, interrupts, screen)
            if person:
                folder = there.project.environment.root
                screen.note(GREETING.format(folder=folder, model=session.state.model.id))
            await tell_warnings(there.app, screen)
            await _loop(talk, lines, person=person)
    return 0


async def _loop(talk: Chat, lines: Lines, *, person: bool) -> None:
    while True:
        if person:
            talk.screen.ask(PROMPT)
        line = await lines.read()
        if line is None or line.strip() in LEAVING:
            return
        if line.strip():
            await talk.answer(line)

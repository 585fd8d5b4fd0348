"""`plimsoll chat`: a conversation, with slash commands."""

import asyncio
import os
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from plimsoll.errors import PlimsollError
from plimsoll.session.commands.custom.named import ExpandedCommand
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.commands.rewinding import find_unanswered
from plimsoll.session.commands.slash import (
    Slash,
    called_command,
    escape_prompt,
    pasted_command,
    run_slash,
    unescape_prompt,
)
from plimsoll.session.ports.content import PromptText
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.settings import Settings
from plimsoll.storage.locate import data_folder, paths_of
from plimsoll.terminal.approvals import TerminalAsker
from plimsoll.terminal.arguments import LATEST
from plimsoll.terminal.commands.other_machines import offer_takeover, tell_newer
from plimsoll.terminal.commands.rewinding import asked_about
from plimsoll.terminal.keyboard import NO_DRAFT, Candidate, Keyboard, Offers, PlainKeyboard
from plimsoll.terminal.line_editing.custom import confirm, offer
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.mentions import content_of
from plimsoll.terminal.offers import (
    FolderFiles,
    custom_commands,
    known_arguments,
    model_choices,
    session_choices,
    status_pieces,
)
from plimsoll.terminal.opening import (
    TOLD_IN_SESSIONS,
    folder_of,
    open_project,
    session_in,
    settings_of,
    tell_error,
    tell_warnings,
)
from plimsoll.terminal.report import show_meter
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show, show_conversation
from plimsoll.terminal.turns import Interrupts, command, ring_after, tell_end, turn
from plimsoll.view.served_views import ServedViews

LEAVING = ("/quit", "/exit")
GREETING = "Plimsoll in {folder}, with {model}. /help lists the commands, /quit leaves."
KEYS = "Alt+Enter or a \\ at the end begins another line; Tab completes / and @; Ctrl+R searches."


@dataclass(slots=True, kw_only=True)
class Chat:
    """A conversation at the terminal."""

    project: Project
    session: Session
    interrupts: Interrupts
    screen: Screen
    show: Show
    keyboard: Keyboard
    edited: bool
    """Whether the prompt is one with a bar, which shows the load."""
    person: bool
    """Whether somebody is there who can be asked."""
    long_turn_seconds: int
    """Seconds of a turn after whose end the bell rings; 0: never."""
    draft: PromptText = NO_DRAFT
    """What the next prompt begins with: one that failed, or to before which somebody went back."""
    _failed: str | None = field(default=None, init=False)
    """The prompt of it that nobody answered; it leaves as the next one is said."""

    async def answer(self, prompt: PromptText) -> None:
        """Run a prompt: a slash command, or a turn."""
        try:
            slash = await called_command(prompt, self.project)
            if slash is not None:
                await self._command(slash)
            else:
                await self._turn(prompt)
        except PlimsollError as error:
            tell_error(error, self.screen)

    async def _turn(self, prompt: PromptText) -> None:
        if words := pasted_command(prompt):
            self.screen.note(words)
        if not await self._may_write():
            self.draft = prompt
            return
        plain = prompt.with_text(unescape_prompt(prompt.text))
        content = content_of(plain, self.project.environment.root)
        fold = self.session.state.log.fold
        if self._failed is not None and find_unanswered(fold) == self._failed:
            await self.session.rewind(self._failed, before=True)
        self._failed = None
        began = time.monotonic()
        ended = await turn(self.session, content, self.interrupts)
        tell_end(ended, self.screen)
        ring_after(time.monotonic() - began, self.long_turn_seconds, self.screen)
        if self.edited and ended is not None and ended.reason in ("error", "cancelled"):
            self._failed = find_unanswered(fold)
            self.draft = NO_DRAFT if self._failed is None else prompt
        if not self.edited:
            show_meter(self.session.state.load.meter(), self.screen)

    async def _command(self, slash: Slash) -> None:
        if slash == Slash("resume", "") and self.edited:
            choices = await session_choices(self.project, self.session)
            picked = await self.keyboard.pick("Resume", choices) if choices else ""
            if picked is None:
                return
            slash = Slash("resume", picked)
        if slash == Slash("model", "") and self.edited:
            picked = await self.keyboard.pick("Model", await model_choices(self.session))
            if picked is None:
                return
            slash = Slash("model", picked)
        if slash.name == "rewind" and self.person:
            asked = await asked_about(slash, self.session, self.keyboard, self.screen)
            if asked is None:
                return
            slash = asked
        with self.show.waits_over():
            running = run_slash(slash, self.project, self.session)
            reply = await command(running, self.interrupts, self.screen)
        if reply is not None:
            await self._show_reply(reply)

    async def _show_reply(self, reply: Reply) -> None:
        if isinstance(reply.data, ExpandedCommand):
            await self._show_custom(reply.data, reply.markdown)
            return
        self.screen.markdown(reply.markdown)
        if reply.draft is not None:
            self.draft = reply.draft.with_text(escape_prompt(reply.draft.text))
        if reply.session is not None and reply.session is not self.session:
            self.session = reply.session
            await self.show_opened()

    async def _show_custom(self, found: ExpandedCommand, shown: str) -> None:
        """Put a custom command's prompt where the person can send it; else show it and ask."""
        if self.edited:
            self.draft = offer(found, self.screen)
            return
        self.screen.markdown(shown)
        prompt = await confirm(found, self.keyboard if self.person else None, self.screen)
        if prompt is not None:
            await self._turn(prompt)

    async def show_opened(self) -> None:
        """Print the last messages of the session that was opened; a pipe gets nothing.

        A person is asked first whether it is taken over, if another machine is using it.
        """
        if not self.person:
            return
        try:
            await self._may_write()
        except PlimsollError as error:
            tell_error(error, self.screen)
        show_conversation(self.session.state.log.fold, self.screen)

    async def _may_write(self) -> bool:
        """Tell whether the session may be written here, after asking a person who is there."""
        if not self.person:
            return True
        session = await offer_takeover(self.project, self.session, self.keyboard, self.screen)
        self.session = session or self.session
        return session is not None

    def offers(self, models: Sequence[str]) -> Offers:
        """Return the prompt's completions and status bar, always of the open session."""

        def status() -> Sequence[tuple[str, str]]:
            state = self.session.state
            return status_pieces(state.load.meter(), state.model.id, state.record.mode)

        async def arguments(command: str) -> Sequence[Candidate]:
            return await known_arguments(command, self.project, self.session, models)

        files = FolderFiles(self.project.environment.root)
        custom = partial(custom_commands, self.project)
        return Offers(status=status, arguments=arguments, custom=custom, files=files)


def chat(options: Namespace, screen: Screen) -> int:
    """Hold a conversation until the input ends."""
    return asyncio.run(_chat(options, screen))


async def _chat(options: Namespace, screen: Screen) -> int:
    settings = settings_of(options)
    person = sys.stdin.isatty()
    edited = person and screen.watched and os.environ.get("TERM", "dumb") != "dumb"
    keyboard = (
        _line_editor(options)
        if edited
        else PlainKeyboard(screen, Lines(sys.stdin.fileno()), person=person)
    )
    seconds = settings.permission.timeout_seconds
    asker = TerminalAsker(screen, keyboard if person else None, seconds, auto=options.auto_approve)
    with Interrupts() as interrupts:
        show = Show(screen)
        async with (
            open_project(
                options, settings, asker, keyboard.above(show), views=ServedViews()
            ) as there,
            session_in(options, there.project) as session,
        ):
            talk = Chat(
                project=there.project,
                session=session,
                interrupts=interrupts,
                screen=screen,
                show=show,
                keyboard=keyboard,
                edited=edited,
                person=person,
                long_turn_seconds=settings.notifications.long_turn_seconds,
            )
            if person:
                _greet(talk)
                if options.resume or options.session == LATEST:
                    await tell_newer(there.project, session, screen)
                await talk.show_opened()
            await tell_warnings(there.app, screen, but=TOLD_IN_SESSIONS)
            there.app.probing.start()
            with keyboard.typing():
                await _loop(talk, talk.offers(_models(settings)))
    return 0


def _line_editor(options: Namespace) -> Keyboard:
    # Loaded late: a pipe needs no editor of lines.
    from plimsoll.terminal.line_editing.history import HISTORY_FILE, PromptHistory
    from plimsoll.terminal.line_editing.line_editor import LineEditor
    from plimsoll.terminal.line_editing.pastes import UNMARKED_TERMINALS

    kept = paths_of(folder_of(options.workspace), data_folder(os.environ)).folder
    marked = os.environ.get("TERM", "") not in UNMARKED_TERMINALS
    return LineEditor(PromptHistory(kept / HISTORY_FILE, options.secrets), marked=marked)


def _greet(talk: Chat) -> None:
    folder, model = talk.project.environment.root, talk.session.state.model.id
    talk.screen.note(GREETING.format(folder=folder, model=model))
    if talk.edited:
        talk.screen.note(KEYS)


def _models(settings: Settings) -> Sequence[str]:
    named = (settings.model.id, settings.utility_model.id, *settings.models)
    return sorted({model for model in named if not model.endswith("/")})


async def _loop(talk: Chat, offers: Offers) -> None:
    while True:
        draft, talk.draft = talk.draft, NO_DRAFT
        prompt = await talk.keyboard.read(offers, draft)
        if prompt is None or prompt.text.strip() in LEAVING:
            return
        if prompt.text.strip():
            await talk.answer(prompt)

"""`plimsoll run`: one turn, streamed, then one line, or the report."""

import asyncio
import sys
from argparse import Namespace
from contextlib import nullcontext
from dataclasses import dataclass

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.custom.named import ExpandedCommand
from plimsoll.session.commands.slash import (
    Slash,
    called_command,
    run_slash,
    typed_command,
    unescape_prompt,
)
from plimsoll.session.ports.content import Excerpt, PromptText, is_used
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.project import Project
from plimsoll.session.reduction.inspection import report
from plimsoll.session.session import Session
from plimsoll.standard_streams import read_piped
from plimsoll.terminal.approvals import TerminalAsker
from plimsoll.terminal.json_lines import JsonLines, print_report
from plimsoll.terminal.keyboard import PlainKeyboard, Questions
from plimsoll.terminal.line_editing.custom import confirm
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.mentions import content_of
from plimsoll.terminal.opening import (
    TOLD_IN_SESSIONS,
    open_project,
    session_in,
    settings_of,
    tell_warnings,
)
from plimsoll.terminal.report import show_closing, show_report
from plimsoll.terminal.screen import Screen, one_line
from plimsoll.terminal.show import Show
from plimsoll.terminal.turns import INTERRUPTED, Interrupts, command, tell_end, turn
from plimsoll.text.speech.pasted import whole

FROM_INPUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The session that takes the prompts, and the screen that shows the answers."""

    project: Project
    session: Session
    interrupts: Interrupts
    screen: Screen
    listener: JsonLines | Show
    """What prints the events: as JSON with ``--json``."""
    report: bool
    """Whether the tables of the report are printed at the end."""
    typed: bool
    """Whether the prompt was typed, so that it can mention files; what a pipe brings is text."""
    piped: str | None
    """What was piped in beside a prompt that was typed."""
    questions: Questions | None
    """Asks the person; none: nobody is there."""


def run(options: Namespace, screen: Screen) -> int:
    """Run one turn; 0 only when it ended well and nothing was declined, 130 when cancelled."""
    return asyncio.run(_run(options, screen))


async def _run(options: Namespace, screen: Screen) -> int:
    settings, prompt = settings_of(options), _prompt(options.prompt)
    typed = options.prompt != FROM_INPUT
    said = PromptText(prompt, () if typed else whole(prompt))
    beside = typed and typed_command(said) is None
    piped = await asyncio.to_thread(read_piped, screen.note) if beside else None
    listener = JsonLines(screen) if options.json else Show(screen)
    with Interrupts() as interrupts:
        questions = _questions(options, screen)
        seconds = settings.permission.timeout_seconds
        asker = TerminalAsker(screen, questions, seconds, auto=options.auto_approve)
        async with (
            open_project(options, settings, asker, listener) as there,
            session_in(options, there.project) as session,
        ):
            here = Here(
                project=there.project,
                session=session,
                interrupts=interrupts,
                screen=screen,
                listener=listener,
                report=options.report,
                typed=typed,
                piped=piped,
                questions=questions,
            )
            if is_used(session.state.record):
                _tell_resumed(session, screen)
            # Before the answer, which may be long.
            told = await tell_warnings(there.app, screen, but=TOLD_IN_SESSIONS)
            # While the model thinks; else the first command would wait for it.
            there.app.probing.start()
            code = await _run_prompt(said, here)
            await tell_warnings(there.app, screen, told)
            return code or int(asker.declined)


def _tell_resumed(session: Session, screen: Screen) -> None:
    title = one_line(session.state.record.title or "untitled")
    screen.note(f"Resumed {title} ({session.id}).")


async def _run_prompt(prompt: PromptText, here: Here) -> int:
    """Run a slash command or a turn; return the exit code."""
    slash = await called_command(prompt, here.project)
    if slash is not None:
        return await _run_slash(slash, here)
    return await _run_turn(prompt, here)


async def _run_turn(prompt: PromptText, here: Here) -> int:
    plain, root = prompt.with_text(unescape_prompt(prompt.text)), here.project.environment.root
    content = content_of(plain, root) if here.typed else (plain,)
    if here.piped is not None:
        content = (*content, Excerpt("standard input", here.piped))
    ended = await turn(here.session, content, here.interrupts)
    code = tell_end(ended, here.screen)
    _close(here)
    return code


async def _run_slash(slash: Slash, here: Here) -> int:
    waits = here.listener.waits_over() if isinstance(here.listener, Show) else nullcontext()
    with waits:
        running = run_slash(slash, here.project, here.session)
        reply = await command(running, here.interrupts, here.screen)
    if reply is None:
        return INTERRUPTED
    if isinstance(here.listener, JsonLines):
        here.listener(here.session.id, NoticeGiven(reply.markdown, data=reply.data))
    else:
        here.screen.markdown(reply.markdown)
    if isinstance(reply.data, ExpandedCommand):
        asked = None if isinstance(here.listener, JsonLines) else here.questions
        sent = await confirm(reply.data, asked, here.screen)
        return 0 if sent is None else await _run_turn(sent, here)
    return 0


def _close(here: Here) -> None:
    """Print the end of a run: after JSON events the report, after an answer one line."""
    state = here.session.state
    if isinstance(here.listener, JsonLines):
        print_report(here.session.id, report(state), here.screen)
        return
    if here.report:
        show_report(state, here.screen)
    show_closing(state.load, state.log, here.screen)


def _questions(options: Namespace, screen: Screen) -> Questions | None:
    person = sys.stdin.isatty() and options.prompt != FROM_INPUT
    return PlainKeyboard(screen, Lines(sys.stdin.fileno()), person=True) if person else None


def _prompt(given: str) -> str:
    text = sys.stdin.read() if given == FROM_INPUT else given
    if not text.strip():
        raise InvalidInput("The prompt is empty.", remedy='Ask something: plimsoll run "…".')
    return text

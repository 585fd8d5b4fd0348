"""A slash command of the chat: it is waited for, and Ctrl-C cancels it without leaving the chat."""

import asyncio
import re
import signal
from collections.abc import AsyncGenerator
from dataclasses import replace
from io import StringIO

from plimsoll.providers.base import Chunk, Request, Waiting
from plimsoll.session.ports.content import PromptText
from plimsoll.session.state.voice import SessionVoice
from plimsoll.terminal.commands.chat import Chat
from plimsoll.terminal.keyboard import PlainKeyboard
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show
from plimsoll.terminal.turns import Interrupts
from session.reduction.compaction_rig import rig, storm
from terminal.test_waiting import CLEARED, Terminal


class Silent:
    """A provider that is waited for without an end."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        yield Waiting(reason="firstToken", lasted=2.0)
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()

    async def close(self) -> None: ...


async def test_ctrl_c_cancels_a_compaction_and_the_wait_goes_away(tmp_path):
    own = await rig(tmp_path)
    own.shelf.utility = replace(own.shelf.utility, provider=Silent())
    await own.said(*storm())
    before, err = own.view(), Terminal()
    screen = Screen(StringIO(), err)
    show = Show(screen)
    with Interrupts() as interrupts:
        chat = Chat(
            project=own.project,
            session=own.session,
            interrupts=interrupts,
            screen=screen,
            show=show,
            keyboard=PlainKeyboard(screen, Lines(0), person=False),
            edited=False,
            person=False,
            long_turn_seconds=0,
        )
        state = own.session.state
        state.voice = SessionVoice(state.log, show, state.clock)
        await chat.answer(PromptText("/compact"))
    assert own.view() == before
    shown = err.getvalue()
    assert re.search(r"Waiting for scripted/utility · \d+ s", shown)
    assert "Cancelled." in shown.rpartition(CLEARED)[2]
    timers = asyncio.get_running_loop()._scheduled
    assert [timer for timer in timers if not timer.cancelled()] == []

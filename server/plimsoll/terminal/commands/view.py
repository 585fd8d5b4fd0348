"""`plimsoll view`: the context of a session in a browser, until Ctrl-C."""

import asyncio
import signal
import webbrowser
from argparse import Namespace

from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.opening import open_project, session_of, settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.view.served_views import ServedViews


def view(options: Namespace, screen: Screen) -> int:
    """Serve the page of a session's context until the process is told to end."""
    return asyncio.run(_view(options, screen))


async def _view(options: Namespace, screen: Screen) -> int:
    views = ServedViews()
    async with open_project(
        options, settings_of(options), declining_asker(screen), silent, views=views
    ) as there:
        session = await session_of(options, there.project)
        ended = _when_told_to_end()
        address = await views.open(there.project, session.id)
        title = session.state.record.title or "untitled"
        screen.note(f"The context of {title!r}, for the first browser that opens this address:")
        screen.line(address)
        screen.note("Ctrl-C ends it.")
        if options.open and not await asyncio.to_thread(webbrowser.open, address):
            screen.note("There is no browser here that could be opened.", "yellow")
        await ended.wait()
    return 0


def _when_told_to_end() -> asyncio.Event:
    """Return what is set by Ctrl-C, or when the process is asked to end."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, ended.set)
    return ended

"""`plimsoll sessions`, `pins` and `report`: print what the store of a folder holds."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence

from plimsoll.lsp.features.convert import context
from plimsoll.lsp.features.convert.session_infos import session_info
from plimsoll.session.layers.pins import count_pin
from plimsoll.session.listing import ListedSession, list_sessions
from plimsoll.session.ports.events import Event
from plimsoll.session.reduction import inspection
from plimsoll.terminal.approvals import TerminalAsker
from plimsoll.terminal.json_lines import plain_object, print_report
from plimsoll.terminal.opening import open_project, session_of, settings_of, tell_warnings
from plimsoll.terminal.report import show_report
from plimsoll.terminal.screen import Screen


def sessions(options: Namespace, screen: Screen) -> int:
    """List the sessions of a folder, the one used last first."""
    return asyncio.run(_sessions(options, screen))


def pins(options: Namespace, screen: Screen) -> int:
    """List the pins of a session with their numbers."""
    return asyncio.run(_pins(options, screen))


def report(options: Namespace, screen: Screen) -> int:
    """Print the report of a session's next request."""
    return asyncio.run(_report(options, screen))


async def _sessions(options: Namespace, screen: Screen) -> int:
    async with open_project(
        options, settings_of(options), declining_asker(screen), silent
    ) as there:
        found = list(await list_sessions(there.project))
        if options.json:
            for each in found:
                shown = session_info(each.record).model_copy(update={"elsewhere": each.machine})
                screen.object(plain_object(shown))
            return 0
        rows = [_row(each) for each in found]
        heads = ("id", "last used", "mode", "model", "#turns", "title")
        screen.table(f"Sessions of {there.project.environment.root}", heads, rows)
        await tell_warnings(there.app, screen)
    return 0


def _row(listed: ListedSession) -> Sequence[str]:
    one = listed.record
    where = f" (on {listed.machine})" if listed.machine else ""
    return one.id, one.updated_at, one.mode, one.model, str(one.turns), f"{one.title}{where}"


async def _pins(options: Namespace, screen: Screen) -> int:
    async with open_project(
        options, settings_of(options), declining_asker(screen), silent
    ) as there:
        session = await session_of(options, there.project)
        fold = session.state.log.fold
        pins = [count_pin(pin, fold.ledger) for pin in fold.pins.values()]
        if options.json:
            for each in pins:
                screen.object(plain_object(context.pin(each)))
            return 0
        rows = [(str(each.pin.number), f"{each.tokens:,}", each.pin.text) for each in pins]
        screen.table(f"Pins of {session.state.record.title!r}", ("#n", "#tokens", "text"), rows)
    return 0


async def _report(options: Namespace, screen: Screen) -> int:
    async with open_project(
        options, settings_of(options), declining_asker(screen), silent
    ) as there:
        session = await session_of(options, there.project)
        if options.json:
            print_report(session.id, inspection.report(session.state), screen)
            return 0
        show_report(session.state, screen, every_item=options.detail)
        await tell_warnings(there.app, screen)
    return 0


def declining_asker(screen: Screen) -> TerminalAsker:
    """Make an asker that declines everything: reading needs no approval."""
    return TerminalAsker(screen, None, 0, auto=False)


def silent(session_id: str, event: Event) -> None:
    """Ignore an event: these commands print only what they read."""

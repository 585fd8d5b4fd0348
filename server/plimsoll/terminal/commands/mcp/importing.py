"""`plimsoll mcp import`: servers of an editor or another agent, taken over on a person's word."""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.settings import config_path
from plimsoll.settings.mcp_changes import add_server, servers_in
from plimsoll.settings.mcp_import import FoundServer, known_files, read_servers
from plimsoll.terminal.commands.mcp.servers import tell_missing
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.opening import folder_of
from plimsoll.terminal.screen import Screen

HEADS = ("name", "what would run or be reached", "remarks")


def take_over(options: Namespace, screen: Screen) -> int:
    """Show the servers of a file with what would run, and add those that the person wants."""
    folder = folder_of(options.workspace)
    if options.file is None:
        return _list_files(folder, screen)
    path = Path(options.file).expanduser().absolute()
    known = servers_in(config_path())
    found = read_servers(path, folder)
    screen.table(f"Servers of {path}", HEADS, [_row(one, one.name in known) for one in found])
    offered = [one for one in found if one.server is not None and one.name not in known]
    chosen = _choose(offered, options, screen)
    for one in chosen:
        if one.server is not None:
            add_server(one.name, one.server)
            tell_missing({one.name: one.server}, screen)
    names = ", ".join(one.name for one in chosen) or "nothing"
    screen.line(f"Taken over: {names}.")
    return 0 if chosen or not offered else 1


def _list_files(folder: Path, screen: Screen) -> int:
    home = Path(os.environ.get("HOME") or Path.home())
    there = [path for path in known_files(home, folder) if path.is_file()]
    screen.table("Files that may hold servers", ("file",), [(str(path),) for path in there])
    if there:
        screen.line("Nothing was taken over. Name one: plimsoll mcp import FILE.")
    return 0


def _row(one: FoundServer, is_known: bool) -> tuple[str, str, str]:
    runs = one.server.runs() if one.server is not None else "not taken over"
    notes = [*one.notes, *(["is there already"] if is_known else [])]
    return one.name, runs, "; ".join(notes)


def _choose(
    offered: Sequence[FoundServer], options: Namespace, screen: Screen
) -> Sequence[FoundServer]:
    if options.name:
        missing = set(options.name) - {one.name for one in offered}
        if missing:
            raise InvalidInput(
                f"There is no such server to take over: {', '.join(sorted(missing))}.",
                remedy="Name one of the list above.",
            )
        offered = [one for one in offered if one.name in options.name]
    if options.yes or not offered:
        return offered
    if not sys.stdin.isatty():
        raise InvalidInput(
            "Taking over servers needs your word, and there is no terminal to ask on.",
            remedy="Look at what would run above, then say --yes.",
        )
    return asyncio.run(_ask(offered, screen))


async def _ask(offered: Sequence[FoundServer], screen: Screen) -> Sequence[FoundServer]:
    lines = Lines(sys.stdin.fileno())
    chosen: list[FoundServer] = []
    for one in offered:
        lines.forget()
        screen.ask(f"Take over {one.name}? It is started in your name. [y/N] ")
        answer = await lines.read()
        if answer is not None and answer.strip().lower() in {"y", "yes"}:
            chosen.append(one)
    return chosen

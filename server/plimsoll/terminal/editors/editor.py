"""`plimsoll editor`: prints the line that loads our plugin of an editor, or writes it there."""

import asyncio
import os
import sys
from argparse import Namespace
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.terminal.editors.plugins import PLUGINS, Plugin
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.screen import Screen
from plimsoll.text.lines import lines_of

MADE_BY = "Written by `plimsoll editor"
"""How a file of ours begins, behind the sign of a comment."""


def editor(options: Namespace, screen: Screen) -> int:
    """Print the line of the named editor, or write it on the person's word; 0 if it is there.

    Raises:
        InvalidInput: There is no plugin for it, or the file is somebody else's.
    """
    plugin = PLUGINS.get(options.name)
    if plugin is None:
        raise InvalidInput(
            f"There is no plugin for {options.name!r}, but for: {', '.join(PLUGINS)}.",
            remedy="docs/editors.md has the other editors.",
        )
    file = plugin.find_file(os.environ)
    if options.install:
        return _install(options, plugin, file, screen)
    screen.line(plugin.code)
    screen.note(f"It goes into {file}; `plimsoll editor {options.name} --install` writes it.")
    return 0


def _install(options: Namespace, plugin: Plugin, file: Path, screen: Screen) -> int:
    before = file.read_text("utf-8") if file.exists() else ""
    if plugin.code in lines_of(before):
        screen.line(f"{file} loads it already: nothing was changed. {plugin.then}")
        return 0
    after = _text_with_line(options.name, plugin, before, file)
    screen.line(f"{file} gets this line:")
    screen.line(f"  {plugin.code}")
    if not (options.yes or _confirm(screen)):
        screen.line("Nothing was changed.")
        return 1
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(after, "utf-8")
    screen.line(f"Written. {plugin.then}")
    return 0


def _text_with_line(name: str, plugin: Plugin, before: str, file: Path) -> str:
    """The file with our line: a file of ours is written anew, to any other it is appended."""
    head = f"{plugin.comment} {MADE_BY} {name} --install`."
    own = f"{head}\n{plugin.code}\n"
    if not plugin.is_own:
        # A line of an older installation may stand there; the one that comes later holds.
        end = "" if before.endswith("\n") or not before else "\n"
        return f"{before}{end}{own}"
    if before and not before.startswith(head):
        raise InvalidInput(
            f"{file} is there and was not written by Plimsoll, so it stays as it is.",
            remedy=f"Move it away and try again, or add the line yourself: {plugin.code}",
        )
    return own


def _confirm(screen: Screen) -> bool:
    if not sys.stdin.isatty():
        raise InvalidInput(
            "Writing it needs your word, and there is no terminal to ask on.",
            remedy="Look at the line above, then say --yes.",
        )
    return asyncio.run(_read_answer(screen)) in {"y", "yes"}


async def _read_answer(screen: Screen) -> str:
    lines = Lines(sys.stdin.fileno())
    lines.forget()
    screen.ask("Write it? [y/N] ")
    return (await lines.read() or "").strip().lower()

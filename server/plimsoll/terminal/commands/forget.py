"""`plimsoll forget-everything`: shows and then removes all that is kept of a folder, or of all."""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.storage.forgetting import Kept, forget_everything, list_kept
from plimsoll.storage.locate import data_folder
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.screen import Screen

HEADS = ("folder", "#sessions", "#memories", "#pins", "#files", "#bytes")
WORD = "forget"
LEFT = (
    "What you exported yourself, your settings file and API keys are not kept by Plimsoll here and "
    "stay. An editor has its own log and remembers which session it showed."
)


def forget(options: Namespace, screen: Screen) -> int:
    """Show the stored data of a folder or of all, ask, and delete it; 0 if it is deleted."""
    data = data_folder(os.environ)
    root = Path(options.folder).expanduser().absolute() if options.folder else None
    found = list_kept(data, root)
    if not found:
        screen.line(f"Nothing is kept of {root or 'any folder'} in {data}.")
        return 0
    screen.table(f"Kept in {data}", HEADS, [_row(one) for one in found])
    if not (options.yes or _confirm(screen)):
        screen.line("Nothing was removed.")
        return 1
    forget_everything(data, root)
    screen.line(f"Removed for good. {LEFT}")
    return 0


def _row(one: Kept) -> Sequence[str]:
    counts = (one.sessions, one.memories, one.pins)
    told = ("cannot be read" if count is None else f"{count:,}" for count in counts)
    return (one.root or str(one.folder), *told, f"{one.files:,}", f"{one.bytes:,}")


def _confirm(screen: Screen) -> bool:
    if not sys.stdin.isatty():
        raise InvalidInput(
            "Removing everything needs your word, and there is no terminal to ask on.",
            remedy="Look at the list above, then say --yes.",
        )
    return asyncio.run(_read_confirmation(screen)) == WORD


async def _read_confirmation(screen: Screen) -> str | None:
    lines = Lines(sys.stdin.fileno())
    lines.forget()
    screen.ask(f"This cannot be undone. Type {WORD!r} to remove it all: ")
    return await lines.read()

"""`plimsoll doctor --editors`: the editors of this machine, their lines, and which answer."""

import os

from plimsoll.terminal.editors.machine import EDITORS, find_program
from plimsoll.terminal.editors.trial import ServerDoor, Trials
from plimsoll.terminal.screen import Screen

ANY: tuple[tuple[ServerDoor, str, str], ...] = (
    ("lsp", "any LSP client", "plimsoll serve"),
    ("acp", "any ACP client", "plimsoll acp"),
)
"""The doors by which any client of a protocol comes, with their names and lines."""
HEADINGS = ("editor", "here", "state", "found", "connected by")


def check_editors(screen: Screen) -> int:
    """Print a line an editor, those that are here first; 1 if one of them got no answer."""
    trials = Trials(os.environ)
    here: list[tuple[str, ...]] = []
    elsewhere: list[tuple[str, ...]] = []
    for editor in EDITORS:
        program = find_program(editor, os.environ)
        if program is None:
            elsewhere.append((editor.name, "no", "", "", editor.line))
            continue
        answer = trials.of(editor, program)
        here.append((editor.name, program, answer.state, answer.said, editor.line))
    for door, name, line in ANY:
        answer = trials.of_server(door)
        here.append((name, "", answer.state, answer.said, line))
    screen.table("Editors", HEADINGS, [*here, *elsewhere])
    return 1 if any(row[2] == "wrong" for row in here) else 0

"""Tells which states of an interrupted rebase, pick or mail run a program when they are continued.

Git goes on from the files of such a state at the person's next ``--continue``.
"""

import os
import re
import stat
from pathlib import Path

STATES = ("rebase-merge", "rebase-apply", "sequencer")
"""Folders in a repository's own."""
STATE_WHY = "git would run what stands in it when it is continued"
_HARMLESS = frozenset(
    {
        *("pick", "reword", "edit", "squash", "fixup", "drop", "break", "noop", "revert"),
        *("p", "r", "e", "s", "f", "d", "b", "label", "l", "reset", "t", "merge", "m"),
        *("update-ref", "u"),
    }
)
# Git runs `git-merge-NAME` for any other, and a name with a slash in it is a path.
_STRATEGIES = frozenset({"", "ort", "recursive", "resolve", "ours", "subtree", "octopus"})
_APPLY_OPTIONS = re.compile(
    r"(\s|'|--whitespace=[\w-]+|--ignore-whitespace|--ignore-space-change|-C\d+|-p\d+)*"
)
_LONGEST = 1_000_000


def acts_later(state: str) -> bool:
    """Tell whether an interrupted rebase, pick or mail can run a program if continued; blocks."""
    try:
        if Path(state).is_symlink() or not Path(state).is_dir():
            return os.path.lexists(state)
        return not (
            all(
                _is_plain_list(_text(state, name))
                for name in ("git-rebase-todo", "todo", "git-rebase-todo.backup")
            )
            and _text(state, "strategy").strip() in _STRATEGIES
            and _is_plain_options(_text(state, "opts"))
            and _APPLY_OPTIONS.fullmatch(_text(state, "apply-opt")) is not None
        )
    except (OSError, ValueError):
        return True


def _text(state: str, name: str) -> str:
    path = Path(state, name)
    if not os.path.lexists(path):
        return ""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LONGEST:
        raise ValueError(f"{path} is not a plain file of a usual size")
    return path.read_text("utf-8", "surrogateescape")


def _is_plain_list(text: str) -> bool:
    for line in re.split(r"[\n\r]", text):
        words = line.split()
        if words and not words[0].startswith("#") and words[0] not in _HARMLESS:
            return False
    return True


def _is_plain_options(text: str) -> bool:
    values = re.findall(r"^\s*strategy\s*=\s*(.*?)\s*$", text, re.MULTILINE | re.IGNORECASE)
    return all(value.strip('"') in _STRATEGIES for value in values)

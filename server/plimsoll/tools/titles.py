"""What people are shown of an earlier call, of which nothing can be prepared any more."""

from collections.abc import Mapping

from plimsoll.tools.base import Arguments
from plimsoll.tools.display import visible_line

SUBJECTS: Mapping[str, tuple[str, str]] = {
    "file_read": ("Read", "path"),
    "file_write": ("Write", "path"),
    "file_edit": ("Edit", "path"),
    "grep": ("Search for", "pattern"),
    "glob": ("Find", "pattern"),
    "shell": ("Run", "command"),
    "shell_read": ("Read output of", "id"),
    "history": ("Look up", "query"),
    "memory_save": ("Remember", "title"),
    "memory_search": ("Search memory for", "query"),
}
"""The verb of each tool, and the argument that says what it is about."""


def earlier_title(name: str, arguments: Arguments) -> str:
    """The title of a call by its name and arguments, as the tool itself begins it."""
    verb, key = SUBJECTS.get(name, (name, ""))
    about = arguments.get(key)
    return f"{verb} {visible_line(str(about), limit=120)}" if about else name

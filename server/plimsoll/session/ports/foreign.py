"""Maps the tool and argument names of other agents to ours.

The table follows what the agents named in the recorded sessions call their tools; a name that is
not in it stays as it is.
"""

from collections.abc import Mapping

from plimsoll.context.log.messages import canonical
from plimsoll.context.log.traits import Tools, ToolTraits

NAMES: Mapping[str, str] = {
    "read": "file_read",
    "read_file": "file_read",
    "view": "file_read",
    "open": "file_read",
    "cat": "file_read",
    "edit": "file_edit",
    "update": "file_edit",
    "str_replace": "file_edit",
    "str_replace_editor": "file_edit",
    "multiedit": "file_edit",
    "replace": "file_edit",
    "apply_patch": "file_edit",
    "write": "file_write",
    "write_file": "file_write",
    "create": "file_write",
    "shell": "shell",
    "bash": "shell",
    "run_shell_command": "shell",
    "exec_command": "shell",
    "execute_bash": "shell",
    "terminal": "shell",
    "bashoutput": "shell_read",
    "grep": "grep",
    "search": "grep",
    "grep_search": "grep",
    "search_file_content": "grep",
    "search_dir": "grep",
    "search_file": "grep",
    "glob": "glob",
    "list": "glob",
    "find_file": "glob",
    "find_files": "glob",
    "ls": "glob",
    "fetch": "web_fetch",
    "webfetch": "web_fetch",
    "websearch": "web_search",
    "todowrite": "tasks",
    "update todos": "tasks",
    "read todos": "tasks",
    "task": "subagent",
}
FOREIGN_TOOLS: Tools = {
    "web_fetch": ToolTraits(kind="fetch", weight=55),
    "web_search": ToolTraits(kind="fetch", weight=40),
}
"""The traits of tools that other agents have, and we only where a person wants them."""
PATHS = ("file_path", "filePath", "absolute_path", "filename", "file_name", "file")
COMMANDS = ("cmd", "script", "input")
ON_ONE_FILE = frozenset({"file_read", "file_edit", "file_write"})
"""What a recording of their screens calls the input of these is the path."""


def our_name(name: str) -> str:
    """Map another agent's tool to our name."""
    return NAMES.get(name.lower(), name)


def our_arguments(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """Return our name of a tool, and its arguments as canonical JSON with our names."""
    ours = our_name(name)
    renamed = dict(arguments)
    _rename(renamed, "path", (*PATHS, "input") if ours in ON_ONE_FILE else PATHS)
    if ours == "shell":
        _rename(renamed, "command", COMMANDS)
    return ours, canonical(renamed)


def _rename(arguments: dict[str, object], wanted: str, others: tuple[str, ...]) -> None:
    """Rename an argument to our name, unless that is taken."""
    for other in others:
        if wanted not in arguments and isinstance(arguments.get(other), str):
            arguments[wanted] = arguments.pop(other)

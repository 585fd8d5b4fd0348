"""The short set of tools for small windows: the same tools, with fewer words and arguments.

A model with a window of a few thousand tokens is a small one too: what it is told is short, and
says how a call looks rather than all that it could do.
"""

from plimsoll.context.log.messages import ToolSchema


def _schema(name: str, description: str, needed: dict[str, str], **more: str) -> ToolSchema:
    """Make a schema of arguments and their types, the needed ones first."""
    properties = {argument: {"type": kind} for argument, kind in {**needed, **more}.items()}
    parameters = {"type": "object", "properties": properties, "required": list(needed)}
    return ToolSchema(name, description, parameters)


BRIEF_SCHEMAS = (
    _schema(
        "file_read",
        "Read a file. Every tenth line begins with its number. Large files: offset (first line) "
        "and limit (lines). One long line: start_character.",
        {"path": "string"},
        offset="integer",
        limit="integer",
        start_character="integer",
    ),
    _schema("file_write", "Write a whole file.", {"path": "string", "content": "string"}),
    _schema(
        "file_edit",
        "Replace a text in a file. old_string: exact, without line numbers, found once.",
        {"path": "string", "old_string": "string", "new_string": "string"},
    ),
    _schema(
        "grep",
        "Find lines in files by a regular expression.",
        {"pattern": "string"},
        path="string",
        glob="string",
    ),
    _schema("shell", "Run a command with bash.", {"command": "string"}, timeout="integer"),
)
"""In the order of ``TOOLS``."""

"""A conversation as a text for the model that reads it for memories.

Outputs of tools are left out: what a file or a web page says is not what was learned, and it could
be written to be remembered. What stands here is quoted on every line, so nothing in it can look
like a heading or like another speaker.
"""

import json
from collections.abc import Iterator, Sequence
from typing import cast

from plimsoll.context.entries import Said
from plimsoll.context.messages import Kind, Part, Role
from plimsoll.memory.fence import fenced, fenced_line

LONGEST_MESSAGE = 6_000
"""Characters of one message; the middle of a longer one was pasted."""
_ARGUMENTS = ("path", "pattern", "command", "query", "url")


def transcript(said: Sequence[Said]) -> str:
    """The words of both sides, and what was done between them, as a line each."""
    lines = ["# The conversation"]
    for message in said:
        lines.extend(_shown(message))
    return "\n".join(lines)


def _shown(message: Said) -> Iterator[str]:
    speaker = "User" if message.role is Role.USER else "Agent"
    for part in message.parts:
        if part.kind is Kind.TEXT and part.text.strip():
            yield f"## {speaker}, {message.at[:10]}\n{fenced(_clipped(part.text))}"
        elif part.kind is Kind.CALL:
            yield f"- the agent called {fenced_line(part.name or 'a tool', 40)} {_target(part)}"
        elif part.kind in {Kind.FILE, Kind.SELECTION, Kind.IMAGE}:
            uri = part.source.uri if part.source else "something"
            yield f"- the user attached {fenced_line(uri)}"


def _target(part: Part) -> str:
    """The argument that names what a call was about."""
    arguments = cast("dict[str, object]", json.loads(part.text or "{}"))
    named = (str(arguments[name]) for name in _ARGUMENTS if name in arguments)
    return fenced_line(next(named, ""), 120)


def _clipped(text: str) -> str:
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]}\n(the middle is left out)\n{text[-half:]}"

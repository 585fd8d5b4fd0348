"""A conversation as a reader for memories sees it: the words of both sides, and what was done."""

import json
from collections.abc import Iterator, Sequence
from typing import cast

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.memory.fence import fenced, fenced_line

LONGEST_MESSAGE = 6_000
"""Characters of one message; the middle of a longer one was pasted."""
_ARGUMENTS = ("path", "pattern", "command", "query", "url")


def transcript(said: Sequence[Said]) -> str:
    """Write the words of both sides, and what was done between them, as a line each."""
    lines = ["# The conversation"]
    for message in said:
        lines.extend(_shown(message))
    return "\n".join(lines)


def _shown(message: Said) -> Iterator[str]:
    speaker = "User" if message.role is Role.USER else "Agent"
    for part in message.parts:
        if part.kind is PartKind.TEXT and part.text.strip():
            yield f"## {speaker}, {message.at[:10]}\n{fenced(_clipped(part.text))}"
        elif part.kind is PartKind.CALL:
            yield f"- the agent called {fenced_line(part.name or 'a tool', 40)} {_target(part)}"
        elif part.kind in {PartKind.FILE, PartKind.SELECTION, PartKind.IMAGE}:
            uri = part.source.uri if part.source else "something"
            yield f"- the user attached {fenced_line(uri)}"


def _target(part: Part) -> str:
    """Return the argument that names what a call was about."""
    arguments = cast("dict[str, object]", json.loads(part.text or "{}"))
    named = (str(arguments[name]) for name in _ARGUMENTS if name in arguments)
    return fenced_line(next(named, ""), 120)


def _clipped(text: str) -> str:
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]}\n(the middle is left out)\n{text[-half:]}"

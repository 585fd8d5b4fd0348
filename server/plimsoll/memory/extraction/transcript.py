"""A conversation as a reader for memories sees it: the words of both sides, and what was done."""

import json
from collections.abc import Iterator, Sequence
from typing import cast

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.memory.fence import quote_line, quote_text

LONGEST_MESSAGE = 6_000
"""Characters of one message; the middle of a longer one is left out."""
_ARGUMENTS = ("path", "pattern", "command", "query", "url")


def transcript(said: Sequence[Said]) -> str:
    """Write the text of both sides, with a line for each call between."""
    lines = ["# The conversation"]
    for message in said:
        lines.extend(_write_message(message))
    return "\n".join(lines)


def _write_message(message: Said) -> Iterator[str]:
    speaker = "User" if message.role is Role.USER else "Agent"
    for part in message.parts:
        if part.kind is PartKind.TEXT and part.text.strip():
            yield f"## {speaker}, {message.at[:10]}\n{quote_text(_clip_middle(part.text))}"
        elif part.kind is PartKind.CALL:
            yield f"- the agent called {quote_line(part.name or 'a tool', 40)} {_target(part)}"
        elif part.kind in {PartKind.FILE, PartKind.SELECTION, PartKind.IMAGE}:
            uri = part.source.uri if part.source else "something"
            yield f"- the user attached {quote_line(uri)}"


def _target(part: Part) -> str:
    """Return the path, command or pattern in the arguments of a call."""
    arguments = cast("dict[str, object]", json.loads(part.text or "{}"))
    named = (str(arguments[name]) for name in _ARGUMENTS if name in arguments)
    return quote_line(next(named, ""), 120)


def _clip_middle(text: str) -> str:
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]}\n(the middle is left out)\n{text[-half:]}"

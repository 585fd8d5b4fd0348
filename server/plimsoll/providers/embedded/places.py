"""What tools have answered, read back: found lines, found files, read lines."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from plimsoll.context.messages import Message, Role

FOUND = re.compile(r"^([^:\n]+):(\d+):(.*)$")
NUMBERED = re.compile(r"^\s*(\d+)\t(.*)$")
NOTE = re.compile(r"^\[.* .*\]$")
"""How the tools write what is no result."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file; ``number`` from 1."""

    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that tools have brought since the question."""

    rounds: int = 0
    """How many times tools were called."""
    found: tuple[Line, ...] = ()
    files: tuple[str, ...] = ()
    read: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A call with its result."""

    name: str
    arguments: Mapping[str, object]
    result: str


def evidence_in(messages: Sequence[Message]) -> Evidence:
    """Read the results of search and read tools out of messages."""
    found: dict[Line, None] = {}
    files: dict[str, None] = {}
    read: dict[Line, None] = {}
    for answered in answered_calls(messages):
        match answered.name:
            case "grep":
                found |= dict.fromkeys(_found(answered.result))
            case "glob":
                files |= dict.fromkeys(_files(answered.result))
            case "file_read":
                path = str(answered.arguments.get("path") or "")
                read |= dict.fromkeys(_numbered(path, answered.result))
            case _:
                # Other tools bring nothing that can be quoted by path and line.
                continue
    rounds = sum(bool(message.calls) for message in messages)
    return Evidence(rounds, tuple(found), tuple(files), tuple(read))


def answered_calls(messages: Sequence[Message]) -> Iterator[Answered]:
    """Every call that has a result, in order."""
    results = {m.call_id: m.text for m in messages if m.role is Role.TOOL}
    for message in messages:
        for call in message.calls:
            if call.id in results:
                yield Answered(call.name, arguments_of(call.arguments), results[call.id])


def arguments_of(text: str) -> Mapping[str, object]:
    """The arguments of a call; none where they are no object."""
    try:
        arguments: object = json.loads(text)
    except ValueError:
        # Broken arguments were answered by the session; there is nothing to learn from them.
        return {}
    return cast("Mapping[str, object]", arguments) if isinstance(arguments, dict) else {}


def _found(result: str) -> Iterator[Line]:
    for line in result.splitlines():
        if match := FOUND.match(line):
            yield Line(match[1].removeprefix("./"), int(match[2]), match[3])


def _files(result: str) -> Iterator[str]:
    for line in result.splitlines():
        if line.strip() and not NOTE.match(line):
            yield line.strip().removeprefix("./")


def _numbered(path: str, result: str) -> Iterator[Line]:
    for line in result.splitlines():
        if path and (match := NUMBERED.match(line)):
            yield Line(path, int(match[1]), match[2])

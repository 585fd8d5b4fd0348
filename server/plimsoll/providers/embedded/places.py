"""What tools have answered, read back: found lines, found files, read lines."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.messages import Message, Role

FOUND = re.compile(r"^([^:\n]+):(\d+):(.*)$")
NUMBERED = re.compile(r"^(\d+)\t")
NUMBER_EVERY = 10
"""Lines of a read from one number to the next; the first has one too."""
READ_NOTE = re.compile(r"^\[(?:(?:lines|characters) \d+-\d+ of .*|not valid UTF-8: .*)\]$")
"""What `file_read` writes below the lines."""
GAP = re.compile(r"^\[(?:truncated: .*|\d+ lines as there: .*)\]$")
"""What stands for lines that were left out."""
NOTE = re.compile(r"^\[.* .*\]$")
"""How the tools write what is no result."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file; ``number`` from 1."""

    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that tools have brought since the question."""

    rounds: int = 0
    """How many times tools were called."""
    found: tuple[SourceLine, ...] = ()
    files: tuple[str, ...] = ()
    read: tuple[SourceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A call with its result."""

    name: str
    arguments: Mapping[str, object]
    result: str


def evidence_in(messages: Sequence[Message]) -> Evidence:
    """Read the results of search and read tools out of messages."""
    found: dict[SourceLine, None] = {}
    files: dict[str, None] = {}
    read: dict[SourceLine, None] = {}
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
    """Yield every call that has a result, in order."""
    results = {m.call_id: m.text for m in messages if m.role is Role.TOOL}
    for message in messages:
        for call in message.calls:
            if call.id in results:
                yield Answered(call.name, arguments_of(call.arguments), results[call.id])


def arguments_of(text: str) -> Mapping[str, object]:
    """Return the arguments of a call; none where they are no object."""
    try:
        arguments: object = json.loads(text)
    except ValueError:
        # Broken arguments were answered by the session; there is nothing to learn from them.
        return {}
    return cast("Mapping[str, object]", arguments) if isinstance(arguments, dict) else {}


def _found(result: str) -> Iterator[SourceLine]:
    for line in result.split("\n"):
        if match := FOUND.match(line):
            yield SourceLine(match[1].removeprefix("./"), int(match[2]), match[3])


def _files(result: str) -> Iterator[str]:
    for line in result.split("\n"):
        if line.strip() and not NOTE.match(line):
            yield line.strip().removeprefix("./")


def _numbered(path: str, result: str) -> Iterator[SourceLine]:
    """Number the lines of a read; behind a gap their numbers are known again from the next on."""
    rows = [row for row in result.split("\n") if not READ_NOTE.match(row)]
    start = _number(rows[0]) if rows else None
    number = start
    waiting: list[str] = []
    for row in rows if path else ():
        if GAP.match(row):
            number, waiting = None, []
            continue
        told = _number(row)
        marked = told is not None and (told % NUMBER_EVERY == 0 or told == start)
        if number is None and told is not None and marked:
            number = told
            yield from (
                SourceLine(path, n, text) for n, text in enumerate(waiting, told - len(waiting))
            )
        if number is None:
            waiting.append(row)
            continue
        yield SourceLine(path, number, row.partition("\t")[2] if marked and told == number else row)
        number += 1


def _number(row: str) -> int | None:
    match = NUMBERED.match(row)
    return int(match[1]) if match else None

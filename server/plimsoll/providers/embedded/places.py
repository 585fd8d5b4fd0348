"""Parses the results of tools: found lines, found files, read lines."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.messages import Message, Role

FOUND = re.compile(r"^([^:\n]+):(\d+):(.*)$")
NUMBERED = re.compile(r"^(\d+)\t")
NUMBER_EVERY = 10
"""A read numbers its first line and every so many lines after."""
NOTE = re.compile(r"^\[.* .*\]$")
"""A note in brackets, which is not part of a result."""
END_OF_READ = re.compile(r"^\[(?:lines?|characters|truncated:|not valid UTF-8:|\d+ lines as) .*\]$")
"""A note after the lines of a read, or in place of lines left out."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file; ``number`` from 1."""

    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """All results of tools so far."""

    rounds: int = 0
    """How many rounds of calls there were."""
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
    """Collect the results of search and read tools in messages, each line and file once."""
    calls = list(answered_calls(messages))
    found = (line for call in calls if call.name == "grep" for line in _parse_found(call.result))
    files = (path for call in calls if call.name == "glob" for path in _files(call.result))
    read = (line for call in calls if call.name == "file_read" for line in _parse_read(call))
    return Evidence(
        sum(bool(message.calls) for message in messages),
        *(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(files)), tuple(dict.fromkeys(read))),
    )


def answered_calls(messages: Sequence[Message]) -> Iterator[Answered]:
    """Yield every call that has a result, in order."""
    results = {m.call_id: m.text for m in messages if m.role is Role.TOOL}
    for message in messages:
        for call in message.calls:
            if call.id in results:
                yield Answered(call.name, arguments_of(call.arguments), results[call.id])


def arguments_of(text: str) -> Mapping[str, object]:
    """Parse the arguments of a call; empty if they are no object."""
    try:
        arguments: object = json.loads(text)
    except ValueError:
        # Broken arguments were answered by the session; there is nothing to learn from them.
        return {}
    return cast("Mapping[str, object]", arguments) if isinstance(arguments, dict) else {}


def _parse_found(result: str) -> Iterator[SourceLine]:
    for match in filter(None, map(FOUND.match, result.split("\n"))):
        yield SourceLine(match[1].removeprefix("./"), int(match[2]), match[3])


def _files(result: str) -> Iterator[str]:
    for line in result.split("\n"):
        if line.strip() and not NOTE.match(line):
            yield line.strip().removeprefix("./")


def _parse_read(call: Answered) -> Iterator[SourceLine]:
    """Number the lines of a read."""
    path, first = str(call.arguments.get("path") or ""), NUMBERED.match(call.result)
    if not path or first is None:
        return
    for number, row in enumerate(call.result.split("\n"), int(first[1])):
        if END_OF_READ.match(row):
            return
        told = number % NUMBER_EVERY == 0 or number == int(first[1])
        yield SourceLine(path, number, row.removeprefix(f"{number}\t") if told else row)

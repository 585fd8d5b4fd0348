"""Finds what an answer uses for the first time that only tool results had shown.

Names are distinctive strings, which a list could keep; lines are word for word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plimsoll.bench.spans import spoken_text
from plimsoll.context.log.messages import Role
from plimsoll.session.transfer.incoming import Incoming

RUN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:-]*[A-Za-z0-9_]")
DISTINCTIVE = re.compile(r"[_/]|[a-z][A-Z]|[A-Za-z]\.[A-Za-z]|\d")
SHORTEST, LONGEST = 6, 100
"""Characters of a string that tells anything."""
MOST_HOLDERS = 5
"""Results that hold it: what stands everywhere is not evidence of any one."""
_NUMBER = re.compile(r"^\s*\d+(?:\t|→|:)")
SHORTEST_LINE = 24
"""Characters of a line that somebody could hardly write twice by chance."""


@dataclass(frozen=True, slots=True)
class UsedText:
    """A string or line that an answer uses for the first time."""

    request: int
    """Number of the request whose answer uses it, from 0."""
    text: str


def uses(messages: Sequence[Incoming]) -> Iterator[UsedText]:
    """Yield every first use of a string that so far stood only in tool results."""
    spoken: list[str] = []
    results: list[str] = []
    known: set[str] = set()
    request = 0
    for message in messages:
        text = spoken_text(message)
        if message.role is Role.TOOL:
            results.append(text)
            continue
        strings = {run for run in RUN.findall(text) if _distinctive(run)}
        if message.role is Role.ASSISTANT:
            said = "\n".join(spoken)
            fresh = sorted(run for run in strings - known if run not in said)
            yield from (UsedText(request, run) for run in fresh if _is_in_few_results(run, results))
            spoken, request = [said], request + 1
        known |= strings
        spoken.append(text)


def quotes(messages: Sequence[Incoming]) -> Iterator[UsedText]:
    """Yield every first use of a line that so far stood only in tool results.

    It is needed word for word. Numbers that a tool put before a line are no part of it.
    """
    spoken: set[str] = set()
    shown: set[str] = set()
    request = 0
    for message in messages:
        found = _lines(spoken_text(message))
        if message.role is Role.TOOL:
            shown |= found
            continue
        if message.role is Role.ASSISTANT:
            yield from (UsedText(request, line) for line in sorted((found & shown) - spoken))
            request += 1
        spoken |= found


def _lines(text: str) -> frozenset[str]:
    rows = text.split("\n")
    stripped = (row.strip() for row in (*rows, *(_NUMBER.sub("", row) for row in rows)))
    return frozenset(row for row in stripped if len(row) >= SHORTEST_LINE)


def _distinctive(run: str) -> bool:
    return SHORTEST <= len(run) <= LONGEST and DISTINCTIVE.search(run) is not None


def _is_in_few_results(run: str, results: Sequence[str]) -> bool:
    return 1 <= sum(run in result for result in results) <= MOST_HOLDERS

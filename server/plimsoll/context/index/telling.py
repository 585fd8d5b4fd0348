"""The lines of an output that tell the most: where it failed, and what its call was about."""

import re
from collections import Counter
from collections.abc import Sequence

from plimsoll.context.index.names import words_of

_FAILURE = re.compile(
    r"\b(?:error|errors|fail|failed|fails|failure|failures|fatal|panic|panicked|exception|traceback"
    r"|assert|assertion|denied|undefined|unresolved)\b|\w(?:Error|Exception)\b|\b(?:ERR|FAIL)\b|✗|✘",
    re.IGNORECASE,
)
FAILURE = "\0failure"
"""Stands for all words of failure; no text holds it."""
MOST_LINES = 50_000
"""Lines that are read; an output of more says the same all over."""


def is_failure(line: str) -> bool:
    """Tell whether a line of an output reports a failure."""
    return _FAILURE.search(line) is not None


def telling_lines(lines: Sequence[str], words: frozenset[str]) -> list[int]:
    """Return the indices of lines that hold some of the words or a failure, most telling first.

    A word tells the more the fewer lines hold it, so what stands in every line tells nothing.
    """
    held: dict[int, frozenset[str]] = {}
    holders: Counter[str] = Counter()
    for index, line in enumerate(lines[:MOST_LINES]):
        found = words_of(line) & words if words else frozenset[str]()
        if is_failure(line):
            found |= {FAILURE}
        if found:
            held[index] = found
            holders.update(found)
    weights = {word: 1 / count for word, count in holders.items()}
    return sorted(held, key=lambda index: -sum(weights[word] for word in held[index]))

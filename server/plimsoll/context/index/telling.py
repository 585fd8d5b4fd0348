"""Finds the most informative lines of an output: failures, and lines about what was asked."""

import re
from collections import Counter
from collections.abc import Sequence

from plimsoll.context.index.names import words_of
from plimsoll.context.log.json_fields import exit_code_in

_FAILURE = re.compile(
    r"\b(?:error|errors|fail|failed|fails|failure|failures|fatal|panic|panicked|exception|traceback"
    r"|assert|assertion|denied|undefined|unresolved)\b|\w(?:Error|Exception)\b|\b(?:ERR|FAIL)\b|✗|✘",
    re.IGNORECASE,
)
_STEMS = (
    *("err", "fail", "fatal", "panic", "exception", "traceback", "assert", "denied", "undefined"),
    *("unresolved", "✗", "✘"),
)
"""Stems of the failure words: one is in every match of the pattern, and is found much faster."""
_FOLDED = (
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}",
    "\N{LATIN SMALL LETTER DOTLESS I}",
    "\N{LATIN SMALL LETTER LONG S}",
    "\N{KELVIN SIGN}",
)
"""Letters that the pattern folds to Latin ones, unlike `str.lower`."""
_MOST_LOOKS = 50
"""Lines that are tested one by one; if more hold a stem, the rest is matched as a whole."""
FAILURE = "\0failure"
"""The index key for all words of failure; no text contains it."""
MOST_LINES = 50_000
"""Lines that are read; longer outputs repeat themselves."""


def is_failure(line: str) -> bool:
    """Tell whether a line of an output reports a failure."""
    return _may_hold_failure(line) and _FAILURE.search(line) is not None


def first_failure(output: str) -> int | None:
    """Return the index of the first line that reports a failure; tests only likely lines."""
    if any(letter in output for letter in _FOLDED):
        found = _FAILURE.search(output)
        return None if found is None else found.start()
    small, looks = output.lower(), 0
    ahead = {stem: small.find(stem) for stem in _STEMS}
    while places := [place for place in ahead.values() if place >= 0]:
        at, looks = min(places), looks + 1
        start, end = output.rfind("\n", 0, at) + 1, output.find("\n", at)
        if end < 0 or looks > _MOST_LOOKS:
            end = len(output)
        if found := _FAILURE.search(output, start, end):
            return found.start()
        for stem in [stem for stem, place in ahead.items() if 0 <= place < end]:
            ahead[stem] = small.find(stem, end)
    return None


def _may_hold_failure(text: str) -> bool:
    small = text.lower()
    return any(stem in small for stem in _STEMS) or any(letter in text for letter in _FOLDED)


END = 2_000
"""Characters at the end of an output, where its last failures and its verdict are."""
_NOTICE = re.compile(r"\[.*\]")
_TRACEBACK = "Traceback (most recent call last)"
LONGEST_LINE = 160
"""Characters of a reported line; a longer one is data."""


def reported_lines(output: str) -> tuple[str, ...]:
    """Return the lines that tell how a command ended: first failure, last two failures, last line.

    Without repetition, at most four, in order; a last line of one word is left out.
    """
    end = [line.strip() for line in output[-END:].split("\n")]
    end = [line for line in end if line and exit_code_in(line) is None]
    failure = first_failure(output)
    first = [_line_at(output, failure)] if failure is not None else []
    verdict = [line for line in end[-1:] if " " in line]
    lines = (*first, *[line for line in end if is_failure(line)][-2:], *verdict)
    return tuple(dict.fromkeys(line for line in lines if len(line) <= LONGEST_LINE))


def telling_failure(output: str) -> str:
    """Return the line of an output that explains why it failed, one of `reported_lines`.

    That is the first line that reports a failure, or the last one of a traceback. A line in
    brackets is a notice and does not count. Empty if no line explains it.
    """
    lines = [line for line in reported_lines(output) if not _NOTICE.fullmatch(line)]
    failures = [line for line in lines if is_failure(line)]
    if failures and _TRACEBACK in output:
        return failures[-1]
    failure = first_failure(output) if not lines else None
    long = "" if failure is None else _line_at(output, failure)[:LONGEST_LINE]
    return next(iter(failures), lines[-1] if lines else long)


def _line_at(text: str, index: int) -> str:
    start, end = text.rfind("\n", 0, index) + 1, text.find("\n", index)
    return text[start : end if end >= 0 else None].strip()


def telling_lines(lines: Sequence[str], words: frozenset[str]) -> list[int]:
    """Return the indices of lines with some of the words or a failure, most informative first.

    A word counts the more the fewer lines hold it; one that is in every line counts nothing.
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

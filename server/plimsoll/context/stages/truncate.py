"""Truncate: an output that is too long keeps its head and its tail, as it arrives."""

from collections.abc import Callable
from dataclasses import dataclass

from plimsoll.context.log.entries import ItemState, Replace


@dataclass(frozen=True, slots=True)
class TruncationSettings:
    """The limits of an output."""

    max_lines: int = 2_000
    max_bytes: int = 50_000
    keep_days: int = 7
    """How long the whole output stays in a file that the model can grep."""


PRECISION = 50
"""The cut is within a fiftieth of what would just fit: each look costs a count."""
HEAD_SHARE = 0.5
"""The head's share of what is kept; errors stand at the end, so the tail gets as much."""


def truncate(
    item: str,
    text: str,
    limits: TruncationSettings,
    max_tokens: int,
    count: Callable[[str], int],
    kept_in: str | None,
) -> Replace | None:
    """Shorten an output; return none when it is within all limits.

    ``max_tokens`` is the largest share of the window that one output may take; ``kept_in`` names
    the file that holds the whole.
    """
    if not exceeds(text, limits, max_tokens, count):
        return None
    short = shortened(text, limits, max_tokens=max_tokens, count=count, kept_in=kept_in)
    return Replace(item, short, ItemState.TRUNCATED, kept_in)


def exceeds(
    text: str, limits: TruncationSettings, max_tokens: int, count: Callable[[str], int]
) -> bool:
    """Tell whether an output is over any of the limits."""
    size = len(text.encode("utf-8", "replace"))
    if text.count("\n") >= limits.max_lines or size > limits.max_bytes:
        return True
    return size > max_tokens and count(text) > max_tokens


def shortened(
    text: str,
    limits: TruncationSettings,
    max_tokens: int,
    count: Callable[[str], int],
    kept_in: str | None,
) -> str:
    """Shorten an output to head and tail, with a notice between them, within all limits."""

    def fits(characters: int) -> bool:
        short = _cut(text, limits.max_lines, characters, kept_in)
        within_bytes = len(short.encode("utf-8", "replace")) <= limits.max_bytes
        return within_bytes and count(short) <= max_tokens

    low, high = 0, min(len(text), limits.max_bytes)
    while high - low > high // PRECISION + 1:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return _cut(text, limits.max_lines, low, kept_in)


def _notice(text: str, kept_in: str | None, line: int, character: int) -> str:
    """Say what is left out, and how to read on behind the head: at a character of a line."""
    lines = text.count("\n") + 1
    what = f"truncated: {lines:,} lines, {len(text):,} characters; the middle is left out."
    if not kept_in:
        return f"[{what}]"
    place = f"offset {line}" + (f" and start_character {character}" if character > 1 else "")
    return f"[{what} The whole is in {kept_in}: use grep, or file_read with {place}.]"


def _cut(text: str, max_lines: int, characters: int, kept_in: str | None) -> str:
    """Cut to head and tail within a number of lines and characters, the notice between them."""
    longest = len(_notice(text, kept_in, line=len(text), character=len(text)))
    head_room = int(max(0, characters - longest) * HEAD_SHARE)
    tail_room = max(0, characters - longest - head_room)
    head, tail = text[:head_room], text[len(text) - tail_room :] if tail_room else ""
    head_lines = head.splitlines(keepends=True)[: max_lines // 2]
    tail_lines = tail.splitlines(keepends=True)[-(max_lines // 2) :]
    head, tail = _whole_end(head_lines), _whole_start(tail_lines)
    line, character = head.count("\n") + 1, len(head) - head.rfind("\n")
    notice = _notice(text, kept_in, line=line, character=character)
    return f"{head.rstrip(chr(10))}\n{notice}\n{tail}"


def _whole_end(lines: list[str]) -> str:
    """Drop the last line of the head when the cut went through it, unless it is the most of it."""
    kept = sum(map(len, lines[:-1]))
    if len(lines) > 1 and not lines[-1].endswith("\n") and len(lines[-1]) <= kept:
        return "".join(lines[:-1])
    return "".join(lines)


def _whole_start(lines: list[str]) -> str:
    """Drop the first line of the tail, which the cut may have gone through, likewise."""
    kept = sum(map(len, lines[1:]))
    return "".join(lines[1:] if lines and len(lines[0]) <= kept else lines)

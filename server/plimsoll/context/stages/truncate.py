"""Truncate: an output that is too long is reduced to head and tail as it arrives."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from plimsoll.context.index.telling import telling_lines
from plimsoll.context.pipeline.settings import TruncationSettings
from plimsoll.text.lines import line_end, line_number, lines_of, position_at, split_lines
from plimsoll.text.wording import plural

PRECISION = 50
"""The cut may be this fraction (1/50) shorter than what would just fit: each try costs a count."""
SAMPLE = 4_000
"""Characters of a sample by which the density of tokens is estimated."""
HEAD_SHARE = 0.5
"""The head's share of what is kept; errors are at the end, so the tail gets as much."""
TELLING_SHARE = 0.3
"""The share of what is kept for informative lines between head and tail."""
LONGEST_TELLING = 300
"""Characters of such a line."""


def exceeds(
    text: str, limits: TruncationSettings, max_tokens: int, count: Callable[[str], int]
) -> bool:
    """Tell whether an output exceeds any of the limits."""
    size = len(text.encode("utf-8", "replace"))
    if text.count("\n") >= limits.max_lines or size > limits.max_bytes:
        return True
    return size > max_tokens and count(text) > max_tokens


def truncate(
    text: str,
    limits: TruncationSettings,
    max_tokens: int,
    count: Callable[[str], int],
    kept_in: str | None,
    recall: str | None = None,
    about: frozenset[str] | None = None,
) -> str:
    """Shorten an output to head and tail, with a notice between them, within all limits.

    ``kept_in``: the file with the whole; ``recall``: if there is none, the call that returns the
    whole, up to its offset argument. ``about``: words of the request; the lines of the middle with
    most of them, or with a failure, are kept too.
    """
    lines = () if about is None else list(lines_of(text))
    telling = () if about is None else telling_lines(lines, about)
    output = _Output(
        text=text,
        kept_in=kept_in,
        recall=recall,
        most_lines=limits.max_lines,
        lines=lines,
        telling=telling,
    )

    cuts: dict[int, str] = {}

    def fits(characters: int) -> bool:
        short = cuts[characters] = output.cut_to(characters)
        within_bytes = len(short.encode("utf-8", "replace")) <= limits.max_bytes
        return within_bytes and count(short) <= max_tokens

    low, high = 0, min(len(text), limits.max_bytes)
    tried = [*_guesses(output, high, max_tokens, count)]
    while high - low > high // PRECISION + 1:
        middle = tried.pop() if tried else (low + high + 1) // 2
        if low < middle < high:
            low, high = (middle, high) if fits(middle) else (low, middle)
    return cuts[low] if low in cuts else output.cut_to(low)


def _guesses(
    output: "_Output", high: int, max_tokens: int, count: Callable[[str], int]
) -> Iterator[int]:
    """Yield the lengths to try around the estimate from the sample.

    The likeliest comes first: each try counts a whole cut, and a binary search needs six.
    """
    if high <= SAMPLE:
        return
    sample = output.cut_to(SAMPLE)
    likely = min(high, max_tokens * len(sample) // max(1, count(sample)))
    yield likely + likely // (2 * PRECISION)
    yield likely - likely // (2 * PRECISION)


TELLING = "[lines of the middle, with their numbers in the output:]"
END = "[the end:]"


@dataclass(frozen=True, kw_only=True)
class _Output:
    """An output that is too long, with facts about it computed once: it may have megabytes."""

    text: str
    kept_in: str | None
    """The file with the whole output."""
    recall: str | None
    """The call that returns the whole output, up to its offset argument."""
    most_lines: int
    lines: Sequence[str]
    telling: Sequence[int]
    """The indices of lines that may stay between head and tail, most informative first."""

    def cut_to(self, characters: int) -> str:
        """Cut to head and tail within so many characters, with a notice between them."""
        text, most = self.text, self.most_lines // 2
        room = max(0, characters - self._longest_notice)
        middle = [*self._middle(room)]
        room = max(0, room - sum(len(line) + 1 for line in middle))
        head_room = int(room * HEAD_SHARE)
        tail_room = room - head_room
        head, tail = text[:head_room], text[len(text) - tail_room :] if tail_room else ""
        head = _whole_end(split_lines(head)[:most])
        tail = _whole_start(split_lines(tail)[-most:])
        return "\n".join([head.rstrip("\n"), self._notice(head), *middle, tail])

    @cached_property
    def _longest_notice(self) -> int:
        return len(self._notice(self.text))

    @cached_property
    def _size(self) -> str:
        lines = line_number(self.text, len(self.text))
        return f"{plural(lines, 'line')}, {len(self.text):,} characters"

    def _notice(self, head: str) -> str:
        """Write the notice of the lines left out, and of the way to read on after the head."""
        return f"[truncated: {self._size}; the middle is left out. {self._way_to_whole(head)}]"

    def _way_to_whole(self, head: str) -> str:
        if self.kept_in:
            behind = position_at(self.text, len(head), "utf-32")
            place = f"offset {behind.line + 1}"
            place += f" and start_character {behind.character + 1}" if behind.character else ""
            return f"The whole is in {self.kept_in}: use grep, or file_read with {place}."
        if self.recall:
            return f"Read on: {self.recall} and offset {len(head)}."
        return "Ask for the part that you need."

    def _middle(self, room: int) -> Iterator[str]:
        """Yield the most informative lines between head and tail, after a line announcing them."""
        if not self.telling:
            return
        sides, most = int(room * (1 - TELLING_SHARE)) // 2, self.most_lines // 2
        end = self.text[max(0, len(self.text) - sides) :]
        first = min(line_number(self.text, sides) - 1, most)
        last = len(self.lines) - min(line_number(end, len(end)) - 1, most)
        left, chosen = room - 2 * sides - len(TELLING) - len(END), dict[int, str]()
        for index in (each for each in self.telling if first <= each < last):
            line = f"{index + 1}: {self.lines[index].strip()[:LONGEST_TELLING]}"
            left -= len(line) + 1
            if left < 0:
                break
            chosen[index] = line
        if chosen:
            yield TELLING
            yield from (chosen[index] for index in sorted(chosen))
            yield END


def _whole_end(lines: list[str]) -> str:
    """Drop the last line of the head if it was cut through, unless it is most of the head."""
    kept = sum(map(len, lines[:-1]))
    if len(lines) > 1 and not line_end(lines[-1]) and len(lines[-1]) <= kept:
        return "".join(lines[:-1])
    return "".join(lines)


def _whole_start(lines: list[str]) -> str:
    """Drop the first line of the tail if it was cut through, unless it is most of the tail."""
    kept = sum(map(len, lines[1:]))
    return "".join(lines[1:] if lines and len(lines[0]) <= kept else lines)

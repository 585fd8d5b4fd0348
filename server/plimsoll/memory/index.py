"""The index of what is known: one line for each memory, cut where it says so."""

from collections.abc import Sequence

from plimsoll.memory.fence import QUOTE, fenced_line
from plimsoll.memory.types import Memory, MemoryState

INDEX_LINES = 200
INDEX_BYTES = 25_000
_TITLE = 100
"""Characters of a title."""


def index_lines(
    memories: Sequence[Memory],
    most_lines: int = INDEX_LINES,
    most_bytes: int = INDEX_BYTES,
    more: int = 0,
) -> list[tuple[str, str | None]]:
    """One line with its id for each memory, pinned ones first and then the newest.

    The last line tells of the rest and has no id. ``more``: how many are known beside these.
    Together at most ``most_lines`` lines and ``most_bytes`` bytes of UTF-8, line ends counted.
    """
    ordered = sorted(memories, key=lambda memory: (memory.pinned, memory.alive_at), reverse=True)
    lines = [index_line(memory) for memory in ordered]
    names = [memory.id for memory in ordered]
    if not more and len(lines) <= most_lines and _size(lines) <= most_bytes:
        return list(zip(lines, names, strict=True))
    kept = lines[: max(0, most_lines - 1)]
    while kept and _size([*kept, _cut(more + len(lines) - len(kept))]) > most_bytes:
        kept.pop()
    rest = _cut(more + len(lines) - len(kept))
    return [*zip(kept, names, strict=False), (rest, None)]


def index_line(memory: Memory) -> str:
    """A memory on one line: id, date, type and title."""
    stale = ", stale" if memory.state is MemoryState.STALE else ""
    title = fenced_line(memory.title or memory.content, _TITLE)
    return f"- {memory.id}, {memory.created_at[:10]}, {memory.type.value}{stale} {QUOTE}{title}"


def _cut(hidden: int) -> str:
    return f"- (cut: {hidden:,} more are known; find them with memory_search)"


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)

"""Lists of memories in parts: what a cursor says, the same in every kind of store."""

from collections.abc import Sequence

from plimsoll.context.log.messages import clean
from plimsoll.errors import InvalidInput
from plimsoll.memory.types import Memory, MemoryPage

_DIGITS = 18
"""More than any number of a row has."""


def part_of(found: Sequence[tuple[int, Memory]], limit: int | None) -> MemoryPage:
    """Build a page from the memories read for it, at most one more than the limit."""
    shown = found[:limit]
    last, memory = shown[-1] if shown else (0, None)
    more = memory is not None and len(found) > len(shown)
    cursor = f"{memory.created_at}/{last}" if memory is not None and more else None
    return MemoryPage(tuple(each for _, each in shown), cursor)


def place_after(cursor: str | None) -> tuple[str | None, int | None]:
    """Return the time and key after which a page begins; raises InvalidInput for a bad cursor."""
    if not cursor:
        return None, None
    at, _, key = cursor.rpartition("/")
    if not at or not key.isdecimal() or len(key) > _DIGITS:
        raise InvalidInput(
            f"{cursor[:60]!r} is not a cursor of a list of memories.",
            remedy="Send nextCursor as the part before had it, or none for the first part.",
        )
    return clean(at), int(key)

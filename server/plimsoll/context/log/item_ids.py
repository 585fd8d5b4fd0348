"""Build and split the ids of items: the one place that knows how they are spelled.

A part of a message is `<message>.<number>`, a frame `frame.<slot>`, an older version of a frame
that still stands `frame.<slot>~<entry>`, a pin `pin.<id>`. A summary has the id of its edit as it
is. Stored logs, pins and clients hold these ids, so the spelling stays.
"""

from collections.abc import Sequence

_FRAME = "frame."
_PIN = "pin."
_VERSION = "~"
_MOST_DIGITS = 9
"""Of a part's number; what is longer names no part."""


def part_item(message: str, number: int) -> str:
    """Build the item id of a message's part, counted from 0."""
    return f"{message}.{number}"


def part_items(message: str, parts: Sequence[object]) -> list[str]:
    """Build the item ids of all parts of a message, in their order."""
    return [part_item(message, number) for number in range(len(parts))]


def message_of(item: str) -> str:
    """Split off the message in whose part an item stands; empty when it stands in none."""
    return item.rpartition(".")[0]


def part_number(item: str) -> int | None:
    """Split off the number of the part from 0; None when the id does not end in one."""
    number = item.rpartition(".")[2]
    return int(number) if number.isdecimal() and len(number) <= _MOST_DIGITS else None


def is_first(item: str) -> bool:
    """Whether the item is the first part of its message, which carries the message's overhead."""
    return part_number(item) == 0


def frame_item(slot: str, version: str | None = None) -> str:
    """Build the item id of a slot's frame; ``version``: the entry of one that is not the newest."""
    return f"{_FRAME}{slot}" if version is None else f"{_FRAME}{slot}{_VERSION}{version}"


def is_frame(item: str) -> bool:
    """Whether the item is a frame."""
    return item.startswith(_FRAME)


def frame_name(item: str) -> str:
    """The slot of a frame's item, with its version if it is not the newest; others as they are."""
    return item.removeprefix(_FRAME)


def frame_slot(item: str) -> str:
    """The slot of a frame's item, whichever version it is."""
    return frame_name(item).partition(_VERSION)[0]


def pin_item(pin: str) -> str:
    """Build the item id of a pin."""
    return f"{_PIN}{pin}"


def is_pin(item: str) -> bool:
    """Whether the item is a pin."""
    return item.startswith(_PIN)

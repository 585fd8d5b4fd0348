"""Reads of a file of ten lines."""

from pathlib import Path

from plimsoll.context.log.entries import ItemState, Slot
from plimsoll.context.log.messages import Part, PartKind, Source
from plimsoll.context.view.view import RenderedItem
from plimsoll.text.lines import lines_of, version_of, version_of_lines

ROOT = Path("/work")
TEN = "".join(f"line {number}\n" for number in range(1, 11))


def read(item, text, lines=None, state=ItemState.VERBATIM, path="a.py"):
    rows = list(lines_of(text))
    version = None if lines is None else version_of_lines(rows[lines[0] - 1 : lines[1]])
    source = Source((ROOT / path).as_uri(), lines, version_of(text), version)
    part = Part(kind=PartKind.RESULT, text="shown", source=source)
    return RenderedItem(item=item, slot=Slot.TOOL_RESULTS, part=part, state=state, tokens=1)

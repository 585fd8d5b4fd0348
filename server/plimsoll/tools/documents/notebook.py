"""Jupyter notebooks as text: cells with their numbers, and what their outputs say in text."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from plimsoll.errors import ToolFailed
from plimsoll.text.wording import plural
from plimsoll.tools.display import visible_line

LONGEST_OUTPUT = 10_000
"""Characters of one output: a table or a log that a cell printed without end."""
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_Fields = Mapping[str, object]


def notebook_text(name: str, data: bytes) -> str:
    """Write the cells of a notebook; raises ToolFailed where the file holds none."""
    try:
        read: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ToolFailed(
            f"{visible_line(name)} is no notebook: it holds no sound JSON. "
            "The shell shows its text."
        ) from error
    known = _cells(_fields(read))
    if known is None:
        raise ToolFailed(
            f"{visible_line(name)} is no notebook: its JSON holds no cells. "
            "The shell shows its text."
        )
    cells = plural(len(known), "cell")
    head = f"[notebook with {cells}, as text; file_edit changes the text of a cell]"
    return "\n\n".join(
        [head, *(_cell(number, _fields(each)) for number, each in _number_cells(known))]
    )


def _cells(notebook: _Fields) -> Sequence[object] | None:
    """Return the cells of a notebook, in format 4 or the older one with worksheets; else None."""
    cells = notebook.get("cells")
    if isinstance(cells, list):
        return cast("list[object]", cells)
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    each = (_fields(sheet).get("cells") for sheet in cast("list[object]", sheets))
    return [cell for one in each if isinstance(one, list) for cell in cast("list[object]", one)]


def _number_cells(cells: Sequence[object]) -> Iterator[tuple[int, object]]:
    return enumerate(cells, 1)


def _cell(number: int, cell: _Fields) -> str:
    kind = cell.get("cell_type")
    head = f"[cell {number}: {kind if isinstance(kind, str) else 'unknown'}]"
    outputs = cell.get("outputs")
    told = cast("list[object]", outputs) if isinstance(outputs, list) else []
    lines = [
        head,
        _text(cell.get("source", cell.get("input"))),
        *(_output(_fields(each)) for each in told),
    ]
    return "\n".join(line for line in lines if line)


def _output(output: _Fields) -> str:
    if output.get("output_type") == "error":
        return _format_output("error", _text(output.get("traceback"), "\n"))
    if "text" in output:
        return _format_output("output", _text(output["text"]))
    data = _fields(output.get("data"))
    if "text/plain" in data:
        return _format_output("output", _text(data["text/plain"]))
    return "[image]" if any(kind.startswith("image/") for kind in data) else ""


def _format_output(what: str, text: str) -> str:
    """Write an output without colours, cut where it is very long."""
    plain = _COLOURS.sub("", text).rstrip("\n")
    if len(plain) > LONGEST_OUTPUT:
        plain = f"{plain[:LONGEST_OUTPUT]}\n[cut: {len(plain) - LONGEST_OUTPUT:,} characters more]"
    return f"[{what}]\n{plain}" if plain else ""


def _text(value: object, between: str = "") -> str:
    """Join a text that the notebook stores as one string or as a list of lines."""
    if isinstance(value, str):
        return value.rstrip("\n")
    if isinstance(value, list):
        lines = cast("list[object]", value)
        return between.join(line for line in lines if isinstance(line, str)).rstrip("\n")
    return ""


def _fields(value: object) -> _Fields:
    return cast("_Fields", value) if isinstance(value, dict) else {}

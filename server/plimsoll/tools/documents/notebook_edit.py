"""Changes the source of a notebook's cell; every other byte of the file stays.

What `file_read` shows of a notebook is the text of its cells, so an edit is looked for there. Its
outputs stay, as in Jupyter: they are what the cell gave when it ran last.
"""

import json
import re
from dataclasses import dataclass, replace

from plimsoll.errors import ToolFailed
from plimsoll.text.wording import plural
from plimsoll.tools.display import visible_line
from plimsoll.tools.documents.json_spans import JsonSpan, elements, members, value_at
from plimsoll.tools.files.editing import (
    Change,
    Content,
    Replacement,
    apply_change,
    places_of,
    replace_text,
)

_HEADING = re.compile(r"\[cell (\d+)(?:: \w+)?\]\r?\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_INDENT = re.compile(r"\n([ \t]+)\"")


@dataclass(frozen=True, slots=True)
class _Cell:
    """The source of a notebook cell, and the place of that source in the file."""

    number: int
    span: JsonSpan
    lines: tuple[JsonSpan, ...] | None
    """The lines that it is written as; none: it is one text."""
    source: str


def changed_file(current: str | None, change: Change, name: str) -> str:
    """Apply a change to a file's content: in a notebook to the cell it names, else to the text.

    Raises:
        ToolFailed: It cannot be applied, or the result would be no valid notebook.
    """
    if not name.lower().endswith(".ipynb") or current is None:
        return apply_change(current, change, name)
    if isinstance(change, Content):
        _refuse_no_notebook(change.text, name)
        return apply_change(current, change, name)
    return _edit_notebook(current, change, name)


def _refuse_no_notebook(text: str, name: str) -> None:
    try:
        _cells(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise ToolFailed(
            f"The content is no notebook, so {visible_line(name)} was not written: {error}. To "
            "change the text of a cell use file_edit with that text."
        ) from error


def _edit_notebook(text: str, change: Replacement, name: str) -> str:
    try:
        cells = _cells(text)
    except (ValueError, RecursionError) as error:
        raise ToolFailed(
            f"{visible_line(name)} is no notebook that could be edited: {error}."
        ) from error
    number, change = _of_one_cell(change)
    found = [
        (cell, len(places_of(change.old, cell.source)))
        for cell in cells
        if number in {None, cell.number}
    ]
    fitting = [(cell, count) for cell, count in found if count]
    if not fitting:
        raise ToolFailed(_absent(number, len(cells), name))
    if sum(count for _, count in fitting) > 1 and not change.everywhere:
        numbers = ", ".join(str(cell.number) for cell, _ in fitting)
        raise ToolFailed(
            f"old_string occurs more than once in {visible_line(name)}, in cell {numbers}. Give "
            "more of the text around it, or the cell's heading as file_read shows it on a line "
            "before it, or set replace_all."
        )
    for cell, _ in reversed(fitting):
        source = replace_text(cell.source, change, name)
        text = text[: cell.span.start] + _encode_source(text, cell, source) + text[cell.span.end :]
    return text


def _of_one_cell(change: Replacement) -> tuple[int | None, Replacement]:
    """Remove the cell heading from the texts of an edit, and return the cell number in it."""
    heading = _HEADING.match(change.old)
    if heading is None:
        return None, change
    new = _HEADING.match(change.new)
    new_text = change.new if new is None else change.new[new.end() :]
    return int(heading[1]), replace(change, old=change.old[heading.end() :], new=new_text)


def _absent(number: int | None, count: int, name: str) -> str:
    where = f"a cell of {visible_line(name)}" if number is None else f"cell {number}"
    return (
        f"old_string does not occur in {where}; the notebook has {plural(count, 'cell')}. An "
        "edit goes to the source of one cell: give it as file_read shows it, without outputs and "
        "line numbers."
    )


def _cells(text: str) -> list[_Cell]:
    """Return the cells that have a source, with the numbers that the reading tool shows.

    Raises:
        ValueError: It is no JSON, or holds no cells.
    """
    whole = value_at(text)
    if text[whole.end :].strip():
        raise ValueError("there is text after its JSON")
    top = members(text, whole)
    sheets = [top] if "cells" in top else _worksheets(text, top)
    spans = [each for sheet in sheets for each in elements(text, sheet["cells"])]
    if not spans and not any("cells" in sheet for sheet in sheets):
        raise ValueError("its JSON holds no cells")
    numbered = (_cell(text, number, span) for number, span in enumerate(spans, 1))
    return [cell for cell in numbered if cell is not None]


def _worksheets(text: str, top: dict[str, JsonSpan]) -> list[dict[str, JsonSpan]]:
    """Return the worksheets of a notebook in a format before version 4."""
    sheets = elements(text, top["worksheets"]) if "worksheets" in top else []
    return [each for each in (members(text, sheet) for sheet in sheets) if "cells" in each]


def _cell(text: str, number: int, span: JsonSpan) -> _Cell | None:
    fields = members(text, span)
    source = fields.get("source", fields.get("input"))
    if source is None:
        return None
    if isinstance(source.value, str):
        return _Cell(number, source, None, source.value)
    lines = elements(text, source)
    if not isinstance(source.value, list) or any(not isinstance(each.value, str) for each in lines):
        return None
    return _Cell(number, source, tuple(lines), "".join(str(each.value) for each in lines))


def _encode_source(text: str, cell: _Cell, source: str) -> str:
    """Write a cell's new source in JSON, as text or list like the old; equal lines are copied."""
    escaped = text.isascii() and "\\u" in text
    if cell.lines is None:
        return json.dumps(source, ensure_ascii=escaped)
    first, last = _count_same_lines(cell.lines, source)
    before = "".join(str(each.value) for each in cell.lines[:first])
    after = "".join(str(each.value) for each in cell.lines[len(cell.lines) - last :] if last)
    middle = source[len(before) : len(source) - len(after)]
    tokens = [
        *(text[each.start : each.end] for each in cell.lines[:first]),
        *(json.dumps(line, ensure_ascii=escaped) for line in _LINE.findall(middle)),
        *(text[each.start : each.end] for each in cell.lines[len(cell.lines) - last :] if last),
    ]
    if not tokens:
        return "[]"
    start, between, end = _blanks(text, cell)
    return f"[{start}{f',{between}'.join(tokens)}{end}]"


def _count_same_lines(lines: tuple[JsonSpan, ...], source: str) -> tuple[int, int]:
    """Count the lines at the start and at the end that are the same."""
    values = [str(each.value) for each in lines]
    first = at = 0
    while (
        first < len(values)
        and values[first].endswith("\n")
        and source.startswith(values[first], at)
    ):
        at += len(values[first])
        first += 1
    last, end = 0, len(source)
    while last < len(values) - first:
        line = values[-1 - last]
        start = end - len(line)
        if start < at or source[start:end] != line or source[start - 1 : start] not in {"\n", ""}:
            break
        last, end = last + 1, start
    return first, last


def _blanks(text: str, cell: _Cell) -> tuple[str, str, str]:
    """Return the blanks that format a JSON list: after `[`, between two lines, and before `]`."""
    lines = cell.lines or ()
    if lines:
        start = text[cell.span.start + 1 : lines[0].start]
        end = text[lines[-1].end : cell.span.end - 1]
        if len(lines) > 1:
            return start, text[lines[0].end : lines[1].start].replace(",", "", 1), end
        return start, start or " ", end
    indent = text[text.rfind("\n", 0, cell.span.start) + 1 : cell.span.start]
    own = indent[: len(indent) - len(indent.lstrip())]
    unit = _INDENT.search(text)
    if unit is None:
        return "", " ", ""
    ending = "\r\n" if "\r\n" in text else "\n"
    return f"{ending}{own}{unit[1]}", f"{ending}{own}{unit[1]}", f"{ending}{own}"

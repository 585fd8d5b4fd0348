"""Laws of lines and positions: they are those of an editor, whichever signs stand in the text.

The editor here is JavaScript's view of a text, a list of UTF-16 units, split by LSP's own words.
"""

import ast
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plimsoll
from examples import examples
from plimsoll.text.lines import (
    Position,
    file_lines,
    line_number,
    line_spans,
    lines_of,
    offset_at,
    position_at,
    split_lines,
    units_of,
    version_of_lines,
    with_change,
    with_line_feed,
)
from test_architecture import tree

ODD = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Signs at which `str.splitlines` splits and no editor does."""
SIGNS = ["\n", "\r\n", "\r", *ODD, "a", "b ", "é", "漢", "😀", "\U0010ffff", "\0", "\ufeff"]
TEXT = st.lists(st.sampled_from(SIGNS), max_size=24).map("".join)
ENCODINGS = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def editor_lines(data: bytes, encoding: str) -> list[tuple[int, int]]:
    """Where each line of an encoded text begins and ends, in units, without what ends it."""
    size = CODECS[encoding][1]
    units = [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
    lines, start, at = [], 0, 0
    while at < len(units):
        if units[at] in (10, 13):
            lines.append((start, at))
            at += 1 if units[at : at + 2] == [13, 10] else 0
            start = at + 1
        at += 1
    return [*lines, (start, len(units))]


def edited(text: str, change: tuple[int, int, int, int, str], encoding: str) -> str:
    """What an editor makes of a change whose characters are clamped to their lines."""
    codec, size = CODECS[encoding]
    data = text.encode(codec, "surrogatepass")
    lines = editor_lines(data, encoding)

    def at(line: int, character: int) -> int:
        if line >= len(lines):
            return len(data)
        start, end = lines[line]
        return size * min(start + character, end)

    first, last = sorted((at(*change[:2]), at(*change[2:4])))
    made = data[:first] + change[4].encode(codec, "surrogatepass") + data[last:]
    return made.decode(codec, "surrogatepass")


@st.composite
def changes(draw: st.DrawFn, text: str, encoding: str) -> tuple[int, int, int, int, str]:
    """A legal change: from one boundary of characters to another, or behind an end."""

    def place() -> tuple[int, int]:
        rows = [text[start:end] for start, end in line_spans(text)]
        line = draw(st.integers(0, len(rows)))
        row = rows[line] if line < len(rows) else ""
        inside = draw(st.integers(0, len(row)))
        past = draw(st.sampled_from([0, 0, 0, 1, 2**30])) if inside == len(row) else 0
        return line, units_of(row[:inside], encoding) + past

    return (*place(), *place(), draw(TEXT))


@settings(max_examples=examples(1000))
@given(st.data())
def test_the_copy_of_a_text_is_the_editors_after_any_changes(data):
    encoding = data.draw(st.sampled_from(ENCODINGS))
    ours = editors = data.draw(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        change = data.draw(changes(editors, encoding))
        place = Position(*change[:2]), Position(*change[2:4])
        ours = with_change(ours, place, change[4], encoding)
        editors = edited(editors, change, encoding)
        assert ours == editors


@given(TEXT)
def test_lines_are_those_of_an_editor(text):
    spans = line_spans(text)
    assert spans == editor_lines(text.encode("utf-32-le"), "utf-32")
    rows = [text[start:end] for start, end in spans]
    whole = rows if rows[-1] else rows[:-1]
    assert list(lines_of(text)) == whole
    assert [with_line_feed(row).removesuffix("\n") for row in split_lines(text)] == whole
    assert "".join(split_lines(text)) == text


@given(TEXT, st.sampled_from(ENCODINGS))
def test_a_position_leads_back_to_its_place(text, encoding):
    for offset in range(len(text) + 1):
        amid = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        found = position_at(text, offset, encoding)
        assert offset_at(text, found, encoding) == offset - amid
        ends = [end for _, end in line_spans(text)]
        assert line_number(text, offset) == 1 + sum(end < offset - amid for end in ends)


@given(TEXT, st.integers(1, 12))
def test_a_file_has_the_lines_of_its_text(text, most):
    data = text.encode()
    found = list(file_lines(io.BytesIO(data), most))
    whole = [row.encode() for row in split_lines(text)]
    assert b"".join(found) == data
    if max(map(len, whole), default=0) < most:
        assert found == whole
    ended = [row for row in found if row.endswith((b"\n", b"\r"))]
    assert len(ended) == sum(row.endswith((b"\n", b"\r")) for row in whole)
    assert max(map(len, found), default=0) <= 2 * most + 1


@pytest.mark.parametrize(
    ("text", "position", "encoding", "offset"),
    [
        ("", (0, 0), "utf-16", 0),
        ("", (3, 9), "utf-16", 0),
        ("ab", (0, 9), "utf-16", 2),
        ("ab\ncd", (0, 9), "utf-16", 2),
        ("ab\r\ncd", (0, 3), "utf-16", 2),
        ("ab\rcd", (1, 1), "utf-16", 4),
        ("a\x0cb\u2028c\nd", (1, 0), "utf-16", 6),
        ("😀b", (0, 2), "utf-16", 1),
        ("😀b", (0, 1), "utf-16", 0),
        ("😀b", (0, 3), "utf-8", 0),
        ("😀b", (0, 4), "utf-8", 1),
        ("😀b", (0, 1), "utf-32", 1),
        ("a\n", (1, 0), "utf-16", 2),
        ("a\n", (2, 0), "utf-16", 2),
    ],
)
def test_positions_are_clamped_as_lsp_says(text, position, encoding, offset):
    assert offset_at(text, Position(*position), encoding) == offset


def test_two_halves_of_a_character_that_meet_are_that_character():
    half = with_change("ab", (Position(0, 1), Position(0, 1)), "\ud83d", "utf-16")
    whole = with_change(half, (Position(0, 2), Position(0, 2)), "\ude00", "utf-16")
    assert whole == "a😀b"
    apart = "\ud83dx\ude00"
    assert with_change(apart, (Position(0, 1), Position(0, 2)), "", "utf-16") == "😀"


def test_lines_are_the_same_however_they_end():
    versions = {version_of_lines(lines_of(text)) for text in ("a\nb\n", "a\r\nb", "a\rb", "a\nb")}
    assert len(versions) == 1


def test_no_module_splits_lines_by_itself():
    """`str.splitlines` ends lines that no editor ends, and `readlines` none that ends with CR."""
    package = Path(plimsoll.__file__).parent
    found = [
        f"{path.relative_to(package)}:{node.lineno}"
        for path in sorted(package.rglob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in {"splitlines", "readlines"}
    ]
    assert found == []

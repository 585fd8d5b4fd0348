import codecs
import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.counts import Counts
from plimsoll.context.log.messages import Source
from plimsoll.errors import ToolFailed
from plimsoll.tools.files import content


def version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def test_a_whole_file(use, root):
    (root / "a.py").write_text("one\ntwo\n\nfour")
    outcome = await use("file_read", path="a.py")
    assert outcome.text == "1\tone\ntwo\n\nfour"
    assert outcome.counts == Counts(lines=4)
    assert outcome.source == Source((root / "a.py").as_uri(), None, version("one\ntwo\n\nfour"))
    assert not outcome.failed


@pytest.mark.parametrize(
    ("part", "text", "lines"),
    [
        ({"limit": 2}, "1\tl1\nl2\n[lines 1-2 of 5]", (1, 2)),
        ({"offset": 4}, "4\tl4\nl5\n[lines 4-5 of 5]", (4, 5)),
        ({"offset": 2, "limit": 1}, "2\tl2\n[line 2 of 5]", (2, 2)),
        ({"offset": 5, "limit": 9}, "5\tl5\n[line 5 of 5]", (5, 5)),
        ({"offset": 1, "limit": 5}, "1\tl1\nl2\nl3\nl4\nl5", None),
    ],
)
async def test_a_part(part, text, lines, use, root):
    (root / "a").write_text("l1\nl2\nl3\nl4\nl5\n")
    outcome = await use("file_read", path="a", **part)
    assert outcome.text == text
    assert outcome.source.lines == lines
    first, last = lines or (1, 5)
    assert outcome.counts == Counts(lines=last - first + 1)
    assert outcome.source.version == version("l1\nl2\nl3\nl4\nl5\n")


async def test_the_first_and_every_tenth_line_bear_their_number(use, root):
    (root / "a").write_text("".join(f"l{n}\n" for n in range(1, 42)))
    rows = (await use("file_read", path="a")).text.split("\n")
    assert [row for row in rows if "\t" in row] == [
        "1\tl1",
        *(f"{n}\tl{n}" for n in (10, 20, 30, 40)),
    ]
    assert rows[10] == "l11"
    part = (await use("file_read", path="a", offset=18, limit=4)).text
    assert part == "18\tl18\nl19\n20\tl20\nl21\n[lines 18-21 of 41]"


@pytest.mark.parametrize("larger", [False, True], ids=["held whole", "read in part"])
async def test_a_line_of_a_megabyte_is_read_piece_by_piece(larger, use, root, monkeypatch):
    if larger:
        monkeypatch.setattr("plimsoll.tools.files.file_read.LARGEST_WHOLE", 1_000)
    line = "".join(f"größe {number};" for number in range(80_000))
    (root / "min.json").write_text(f"first\n{line}\n")
    pieces, start = [], 1
    while start:
        outcome = await use("file_read", path="min.json", offset=2, start_character=start)
        piece, _, note = outcome.text.rpartition("\n")
        pieces.append(piece)
        on = re.search(r"go on with start_character (\d+)\]$", note)
        start = int(on[1]) if on else 0
        assert outcome.source.lines == (2, 2)
        # Two pieces have the same line: none may pass for the other.
        assert outcome.source.version is None
    assert "".join(pieces) == line
    assert len(pieces) == -(-len(line) // 20_000)


async def test_past_the_end_of_a_line(use, root):
    (root / "a").write_text("abc\n")
    with pytest.raises(ToolFailed, match="Line 1 of a has 3 characters; start_character 4 is past"):
        await use("file_read", path="a", start_character=4)


async def test_past_the_end(use, root):
    (root / "a").write_text("x\n")
    with pytest.raises(ToolFailed, match="has 1 line; offset 2 is past its end"):
        await use("file_read", path="a", offset=2)


async def test_an_empty_file(use, root):
    (root / "a").touch()
    assert (await use("file_read", path="a")).text == "[the file is empty]"


async def test_the_buffer_is_the_truth(use, root, buffers):
    (root / "a").write_text("on disk\n")
    buffers.texts[root / "a"] = "in the editor\r\nunsaved"
    outcome = await use("file_read", path="a")
    assert outcome.text == "1\tin the editor\nunsaved"
    assert outcome.source.version == version("in the editor\r\nunsaved")


SAID = {
    "utf-8 with mark": (codecs.BOM_UTF8 + "größe\r\n".encode(), "größe", None),
    "utf-16": (codecs.BOM_UTF16_LE + "größe\n".encode("utf-16-le"), "größe", "read as utf-16-le"),
    "utf-16, big": (
        codecs.BOM_UTF16_BE + "größe\n".encode("utf-16-be"),
        "größe",
        "read as utf-16-be",
    ),
    "utf-16 without mark": ("größe\n".encode("utf-16-le"), "größe", "read as utf-16-le"),
    "latin-1": ("größe\n".encode("latin-1"), "größe", "not valid UTF-8: read as latin-1"),
    "shift_jis": (
        "こんにちは世界\n".encode("shift_jis"),
        "こんにちは世界",
        "not valid UTF-8: read as shift_jis",
    ),
    "gbk": ("文件名称\n".encode("gbk"), "文件名称", "not valid UTF-8: read as gbk"),
    "utf-8 with a byte too many": (
        "größe größer\xff\n".encode("latin-1")
        .replace(b"\xf6", "ö".encode())
        .replace(b"\xdf", b"\xc3\x9f"),
        "größe größer\uefff",
        content.DecodedText("", "utf-8+bytes").said.strip("[]"),
    ),
}


@pytest.mark.parametrize(("data", "text", "said"), SAID.values(), ids=SAID.keys())
async def test_the_encoding_is_said_unless_it_is_utf8(data, text, said, use, root):
    (root / "a").write_bytes(data)
    note = "" if said is None else f"\n[{said}]"
    assert (await use("file_read", path="a")).text == f"1\t{text}{note}"


async def test_the_version_does_not_depend_on_the_encoding(use, root, buffers):
    (root / "a").write_bytes(codecs.BOM_UTF16_LE + "é\n".encode("utf-16-le"))
    on_disk = (await use("file_read", path="a")).source.version
    buffers.texts[root / "a"] = "é\n"
    assert (await use("file_read", path="a")).source.version == on_disk


async def test_a_binary_file(use, root):
    (root / "a.so").write_bytes(b"\x7fELF" + bytes(1004))
    with pytest.raises(ToolFailed, match=r"a\.so is binary: an ELF program or library, 1\.0 kB"):
        await use("file_read", path="a.so")


async def test_a_folder(use, root):
    (root / "src").mkdir()
    with pytest.raises(ToolFailed, match=r"src is a folder, not a file\. Use glob"):
        await use("file_read", path="src")


async def test_a_missing_file_names_what_is_near(use, root):
    (root / "ledger.py").touch()
    with pytest.raises(ToolFailed, match=r"leger\.py does not exist\. Near it: ledger\.py\."):
        await use("file_read", path="leger.py")
    with pytest.raises(ToolFailed, match="Use glob to find it"):
        await use("file_read", path="no/such/folder.py")


async def test_a_missing_file_outside_names_nothing(use, root):
    (root.parent / "secret.py").touch()
    with pytest.raises(ToolFailed) as failure:
        await use("file_read", path="../secre.py")
    assert "secret.py" not in failure.value.message


async def test_a_file_as_a_folder(use, root):
    (root / "a").touch()
    with pytest.raises(ToolFailed, match="has a file, or a link, where a folder should be"):
        await use("file_read", path="a/b")


async def test_an_unreadable_file(use):
    # Even an administrator may not read this one: there is no process memory at address 0.
    with pytest.raises(ToolFailed, match="could not be used: Input/output error"):
        await use("file_read", path="/proc/self/mem")


@pytest.fixture
def huge(root):
    """200 MB: a text with holes of zeros far down, so that it costs no disk."""
    path = root / "huge.log"
    with path.open("wb") as file:
        file.writelines(b"line %d\n" % number for number in range(1, 10_001))
        file.truncate(200_000_000)
    return path


async def test_a_huge_file_whole(use, huge):
    with pytest.raises(ToolFailed, match=r"has 200\.0 MB, more than 20\.0 MB\. Give offset and"):
        await use("file_read", path="huge.log")


async def test_a_huge_file_in_part(use, huge):
    outcome = await use("file_read", path="huge.log", offset=9_999, limit=2)
    note = "[lines 9999-10000 of a file of 200.0 MB]"
    assert outcome.text == f"9999\tline 9999\n10000\tline 10000\n{note}"
    assert outcome.source.lines == (9_999, 10_000)
    assert outcome.source.version == version("line 9999\nline 10000\n")


async def test_a_huge_line(use, huge):
    with pytest.raises(ToolFailed, match=r"Line 10001 has more than 1\.0 MB"):
        await use("file_read", path="huge.log", offset=10_001)


async def test_a_huge_binary_file(use, root):
    with (root / "huge.bin").open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(ToolFailed, match=r"is binary: of an unknown type, 200\.0 MB"):
        await use("file_read", path="huge.bin", limit=1)


def test_the_intent(prepare, root):
    intent = prepare("file_read", path="src/../a.py", offset=10, limit=5)
    assert (intent.title, intent.ask) == ("Read a.py lines 10-14", False)
    assert [(found.path, found.lines) for found in intent.locations] == [(root / "a.py", (10, 14))]


async def test_no_descriptor_is_left_open(use, root):
    (root / "a").write_text("x")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        await use("file_read", path="a")
        with pytest.raises(ToolFailed):
            await use("file_read", path="b/c")
        with pytest.raises(ToolFailed):
            await use("file_read", path=".")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


CODE = """\
import os


class A:
    def f(self):
        return 1


class B:
    def f(self):
        return 2
"""


@pytest.fixture
def code(root, context, tools):
    """Reads of a symbol in a trusted folder, without ctags."""
    (root / "code.py").write_text(CODE)
    trusting = replace(context, trusted=lambda: True, environment={"PATH": ""})

    async def read(**arguments):
        tool = tools["file_read"]
        return await tool.run(tool.prepare({"path": "code.py", **arguments}, trusting), trusting)

    return read


async def test_one_symbol(code):
    outcome = await code(symbol="B.f")
    assert outcome.text == (
        "10\t    def f(self):\n        return 2\n[lines 10-11 of 11]\n[by text search]"
    )
    assert outcome.source.lines == (10, 11)
    assert outcome.source.version == version(CODE)


async def test_a_symbol_that_is_not_there_or_twice(code):
    with pytest.raises(
        ToolFailed, match=r"f stands 2 times in code.py: line:5-6 def A.f; line:10-11"
    ):
        await code(symbol="f")
    with pytest.raises(
        ToolFailed, match=r"No symbol g in code.py \(by text search\). It has A, f, B"
    ):
        await code(symbol="g")
    with pytest.raises(ToolFailed, match="leave out offset and limit"):
        await code(symbol="A", limit=3)


async def test_a_symbol_is_read_in_a_trusted_folder_alone(use, root):
    (root / "code.py").write_text(CODE)
    with pytest.raises(ToolFailed, match=r"has not trusted this folder\. Give offset and limit"):
        await use("file_read", path="code.py", symbol="A")


async def test_overloads_are_one_symbol(code, root):
    first = "@overload\ndef f(a: int): ...\n\n\n"
    (root / "code.py").write_text(f"{first}{first.replace('int', 'str')}def f(a):\n    return a\n")
    assert (await code(symbol="f")).source.lines == (2, 10)


async def test_lines_are_those_of_an_editor(use, root):
    (root / "a").write_bytes("one\x0c\u2028\x85\rtwo\r\n\rfour\n".encode())
    assert (await use("file_read", path="a", offset=2)).text == "2\ttwo\n\nfour\n[lines 2-4 of 4]"


async def test_a_large_file_has_the_lines_of_an_editor_too(use, root, monkeypatch):
    monkeypatch.setattr("plimsoll.tools.files.file_read.LARGEST_WHOLE", 64)
    monkeypatch.setattr("plimsoll.tools.files.file_read._BLOCK", 8)
    (root / "a").write_bytes(b"".join(b"line %d\r" % number for number in range(1, 40)))
    assert (await use("file_read", path="a", offset=20, limit=2)).text == (
        "20\tline 20\nline 21\n[lines 20-21 of a file of 303 bytes]"
    )
    piece = await use("file_read", path="a", offset=21, start_character=3)
    assert piece.text == "ne 21\n[characters 3-7 of 7 in line 21]"

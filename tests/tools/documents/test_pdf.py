"""PDF documents: their text, and what a hostile one cannot do."""

import importlib.util
import subprocess
import sys
from dataclasses import replace

import pytest

from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.session.ports.content import FileRef, parts_of
from plimsoll.tools.documents import child as reading
from plimsoll.tools.documents.pdf import READING, pdf_text
from plimsoll.tools.files.attaching import attached_text
from tools.documents.samples import bomb, endless, pdf

pytestmark = pytest.mark.slow


def test_the_text_of_each_page_stands_behind_its_number():
    text = pdf_text("a.pdf", pdf(["The harbour has two entrances.", "", "The mast is tall."]))
    assert text == (
        "[page 1 of 3]\nThe harbour has two entrances.\n\n[page 3 of 3]\nThe mast is tall.\n\n"
    )


async def test_a_document_is_read_and_attached_as_text(use, context, root):
    (root / "a.pdf").write_bytes(pdf(["Ships.", "Masts."]))
    outcome = await use("file_read", path="a.pdf", offset=1, limit=2)
    assert outcome.text == "1\t[page 1 of 2]\nShips.\n[lines 1-2 of 6]"
    assert (outcome.source.uri, outcome.source.version) == ((root / "a.pdf").as_uri(), None)
    (part,) = parts_of([FileRef(root / "a.pdf")], context, attached_text)
    assert (part.name, "Masts." in part.text) == ("application/pdf", True)


def bounded(**bounds):
    return replace(READING, **bounds)


def test_pages_beyond_the_bound_are_named():
    data = pdf(["One.", "Two.", "Three."])
    text = pdf_text("a.pdf", data, reading=bounded(options={"pages": 2}))
    assert text.endswith("[pages 3-3 were not read]\n")
    assert "Three." not in text


def test_a_text_that_is_too_long_is_cut_and_says_so():
    data = pdf(["The harbour has two entrances."] * 3)
    text = pdf_text("a.pdf", data, reading=bounded(characters=40))
    assert text.endswith("[the rest was not read: the text is too long]\n")
    assert len(text) < 120


@pytest.mark.parametrize("data", [b"%PDF-1.4\n", b"%PDF-" + bytes(999), pdf(["x"])[:200]])
def test_a_damaged_document_says_so(data):
    with pytest.raises(ToolFailed, match=r"was not read|without text"):
        pdf_text("a.pdf", data)


def test_pages_of_pictures_say_so():
    with pytest.raises(ToolFailed, match="without text"):
        pdf_text("a.pdf", pdf(["", ""]))


def test_a_document_that_unpacks_without_end_ends():
    """Half a gigabyte of text from 600 kB: memory, time or the length of the text ends it."""
    data = bomb(500)
    assert len(data) < 3_000_000
    with pytest.raises(ToolFailed, match="more time or memory"):
        pdf_text("a.pdf", data, reading=bounded(cpu=3, memory=400_000_000))


def test_a_document_that_contains_itself_ends():
    with pytest.raises(ToolFailed):
        pdf_text("a.pdf", endless(), reading=bounded(cpu=3))


def test_the_clock_ends_what_takes_no_time_of_the_processor(monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text("import signal\nsignal.pause()\n")
    monkeypatch.setattr(reading, "CHILD", child)
    with pytest.raises(ToolFailed, match="more than 1 seconds"):
        pdf_text("a.pdf", pdf(["x"]), reading=bounded(seconds=1.0))


def test_the_child_knows_nothing_of_our_environment(monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text("import os\nprint(sorted(k for k in os.environ if k != 'LC_CTYPE'))\n")
    monkeypatch.setattr(reading, "CHILD", child)
    monkeypatch.setenv("MY_API_KEY", "canary")
    assert pdf_text("a.pdf", b"%PDF-").strip() == "[]"


def test_the_child_writes_no_file(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import document_child; document_child.limit_resources(5, 10**9)\n"
        "with open(sys.argv[2], 'w') as file: file.write('x')\n"
    )
    folder, target = str(reading.CHILD.parent), tmp_path / "written"
    done = subprocess.run(
        [sys.executable, "-c", program, folder, str(target)], capture_output=True, check=False
    )
    assert done.returncode
    assert not target.exists() or not target.read_bytes()


def test_without_the_library_a_word_names_the_extra(monkeypatch, context, root):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ToolFailed, match=r"Install an Extra.*\.\[documents\]"):
        pdf_text("a.pdf", pdf(["x"]))
    (root / "a.pdf").write_bytes(pdf(["x"]))
    with pytest.raises(InvalidInput, match=r"Install an Extra.*\.\[documents\]"):
        parts_of([FileRef(root / "a.pdf")], context, attached_text)

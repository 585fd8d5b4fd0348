"""What of a page is read: its main text or all of it as Markdown, within bounds."""

import re
from dataclasses import replace

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.documents import child
from plimsoll.tools.web import page_text as reading
from plimsoll.tools.web.address import web_address
from plimsoll.tools.web.page_text import page_text
from plimsoll.tools.web.requesting import WebAnswer
from tools.documents.samples import pdf

pytestmark = pytest.mark.slow

MENU = "<nav>" + "".join(f"<a href='/n{n}'>Entry {n}</a>" for n in range(300)) + "</nav>"
SECTION = (
    "<section class='section' id='section-of-the-page-{0}'><h2>Section {0}</h2>"
    "<p>What section {0} says stands in a paragraph of a usual "
    "length, with <a href='/x{0}'>a link</a> in it.</p><pre><code>def f{0}():\n    return {0}\n"
    "</code></pre><table><tr><th>a</th><th>b</th></tr><tr><td>{0}</td><td>2</td></tr></table>"
    "</section>"
)
LARGE = (
    f"<html><head><title>Harbours &amp; ships</title></head><body>{MENU}<main>"
    + "".join(SECTION.format(n) for n in range(900))
    + "</main></body></html>"
)


def answer(body: bytes | str, kind: str = "text/html", *, cut: bool = False) -> WebAnswer:
    data = body.encode() if isinstance(body, str) else body
    address = web_address("https://docs.example.org/a/")
    headers = {"content-type": kind}
    return WebAnswer(address=address, status=200, headers=headers, body=data, cut=cut)


def read(body: bytes | str, kind: str = "text/html", *, whole: bool = False) -> str:
    return page_text(answer(body, kind), None, whole=whole)


@pytest.fixture(autouse=True)
def _extra(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("trafilatura")
    pytest.importorskip("markdownify")
    # The bounds are for a machine of a person; they are tried by pages that mean harm.
    monkeypatch.setattr(reading, "READING", replace(reading.READING, seconds=120.0, cpu=100))


def test_the_main_text_of_a_large_page_is_markdown_without_its_menu():
    text = read(LARGE)
    assert len(LARGE) > 290_000
    assert text.startswith("# Harbours & ships\n")
    assert "## Section 899" in text
    assert "[a link](https://docs.example.org/x7)" in text
    assert "```\ndef f7():\n    return 7\n```" in text
    assert "| 7 | 2 |" in text
    assert "Entry 7" not in text


def test_all_of_a_page_has_its_menu_and_no_script():
    text = read(
        LARGE.replace("<main>", "<script>evil()</script><style>b{}</style><main>"), whole=True
    )
    assert "[Entry 7](https://docs.example.org/n7)" in text
    assert "## Section 899" in text
    assert "evil" not in text
    assert "b{}" not in text


def test_an_image_is_its_description():
    text = read("<p>A <img src='data:image/png;base64,AAAA' alt='mast'> here.</p>", whole=True)
    assert text.strip() == "A mast here."


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("tag", ["div", "b", "table", "ul", "blockquote"])
def test_twenty_thousand_nested_tags_are_read(tag, whole):
    body = f"<{tag}>" * 20_000 + "The harbour has two entrances." + f"</{tag}>" * 20_000
    assert "The harbour has two entrances." in read(
        f"<html><body>{body}</body></html>", whole=whole
    )


@pytest.mark.parametrize(
    "body",
    [
        "<p>" + "<a href='x'>" * 200_000,
        "<!--" * 500_000,
        "<" * 2_000_000,
        "&" * 1_000_000,
        "<table>" + "<tr><td>" * 50_000,
        "<p " + "a=1 " * 400_000 + ">x",
        "<!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><p>&b;</p>",
    ],
    ids=range(7),
)
def test_a_page_that_means_harm_ends(body, monkeypatch):
    monkeypatch.setattr(reading, "READING", replace(reading.READING, cpu=2, seconds=5.0))
    try:
        assert len(read(f"<html><body>{body}</body></html>")) < 2_100_000
    except ToolFailed as error:
        assert re.search(r"more time or memory|no text|took more than", error.message)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", "Ships."),
        ("text/markdown", "# Ships\n\n<b>x</b>"),
        ("application/json", '{"a": "<p>"}'),
        ("application/ld+json", "{}"),
        ("application/xml", "<a/>"),
        ("", "Ships."),
        ("application/octet-stream", "Ships."),
    ],
)
def test_a_text_is_as_it_is(kind, body):
    assert read(body, kind) == body


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain; charset=windows-1252", "Schiff\u2013Gr\u00f6\u00dfe".encode("cp1252")),
        ("text/plain; charset=ISO-8859-1", "Schiff\u2013Gr\u00f6\u00dfe".encode("cp1252")),
        ("text/plain; charset=utf-8", b"\xef\xbb\xbf" + "Schiff\u2013Gr\u00f6\u00dfe".encode()),
        ("text/plain; charset=zlib", "Schiff\u2013Gr\u00f6\u00dfe".encode()),
        ("text/plain; charset=utf-16", "Schiff\u2013Gr\u00f6\u00dfe".encode("utf-16")),
    ],
)
def test_a_text_is_read_in_its_encoding(kind, body):
    assert read(body, kind) == "Schiff\u2013Gr\u00f6\u00dfe"


def test_html_is_read_in_the_encoding_that_it_names():
    said = "\u6e2f\u306b\u306f\u5165\u308a\u53e3\u304c\u4e8c\u3064\u3042\u308b\u3002"
    body = f"<html><meta charset='shift_jis'><p>{said}</p></html>"
    assert said in read(body.encode("shift_jis"), whole=True)


def test_html_without_a_type_is_known_by_its_beginning():
    assert "<p>" not in read("<!doctype html><p>Ships sail here.</p>", "")


def test_a_pdf_is_read_as_a_pdf():
    pytest.importorskip("pypdf")
    assert "Ships sail." in read(pdf(["Ships sail."]), "application/octet-stream")
    with pytest.raises(ToolFailed, match="too large"):
        page_text(answer(pdf(["x"]), cut=True), None, whole=False)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(99)),
        ("application/zip", b"PK\x03\x04" + bytes(99)),
        ("application/octet-stream", bytes(range(256)) * 9),
        ("video/mp4", b"text"),
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(kind, body):
    with pytest.raises(ToolFailed, match=rf"is {kind} and not read: only HTML"):
        read(body, kind)


def test_a_page_of_scripts_alone_says_so():
    with pytest.raises(ToolFailed, match="without running its scripts"):
        read("<html><body><script>render()</script></body></html>")


def test_without_the_libraries_a_word_names_the_extra(monkeypatch):
    monkeypatch.setattr(child.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ToolFailed, match=r"Install an Extra.*\.\[web\]"):
        read("<html></html>")

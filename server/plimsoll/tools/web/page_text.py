"""The text of a fetched page: HTML as Markdown, PDF as its text, other texts as they are."""

import re
from dataclasses import replace

from plimsoll.errors import ToolFailed
from plimsoll.text.wording import how_to_install
from plimsoll.tools.documents.child import ChildReading, are_installed, read_in_child
from plimsoll.tools.documents.document import PDF, document_kind
from plimsoll.tools.documents.pdf import pdf_text
from plimsoll.tools.encodings.guessing import named_encoding
from plimsoll.tools.files.content import decode
from plimsoll.tools.process.confinement.confining import Confining
from plimsoll.tools.web.requesting import WebAnswer

MOST_HTML = 5_000_000
"""Characters of a page that are read as HTML."""
READING = ChildReading(
    reader="main",
    libraries=("trafilatura", "markdownify", "bs4", "lxml.html"),
    # A page of 300 kB takes a second.
    seconds=20.0,
    cpu=10,
)
_HTML = ("text/html", "application/xhtml+xml")
_BEGINS_AS_HTML = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html)", re.IGNORECASE | re.DOTALL
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_TEXTS = re.compile(r"text/.*|.*[/+](?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-sh|sql)")
_ANYTHING = ("", "application/octet-stream", "binary/octet-stream")


def page_text(answer: WebAnswer, confining: Confining | None, *, whole: bool) -> str:
    """Return the text of a page; blocks, half a minute at most.

    ``whole``: HTML with its menus, not its main text alone. ``confining``: the sandbox of the child
    process that reads HTML and PDF.

    Raises:
        ToolFailed: It is no text, or cannot be read.
    """
    shown = answer.address.shown
    if document_kind("", answer.body[:16]) == PDF:
        if answer.cut:
            raise ToolFailed(f"{shown} is a PDF document that is too large to be read.")
        return pdf_text(shown, answer.body, confining)
    kind = answer.media_type
    text = _decode(answer)
    if text is None or not (_TEXTS.fullmatch(kind) or kind in (*_HTML, *_ANYTHING)):
        raise ToolFailed(
            f"{shown} is {kind or 'of no known kind'} and not read: only HTML, PDF and texts are."
        )
    if kind in _HTML or (kind in _ANYTHING and _BEGINS_AS_HTML.match(answer.body[:2_000])):
        return _as_markdown(answer, text, confining, whole=whole)
    return text + ("\n[the rest was not read: it is too long]\n" if answer.cut else "")


def _decode(answer: WebAnswer) -> str | None:
    """Decode a body by what it is, else by what the server says; None where it is no text."""
    told = _CHARSET.search(answer.headers.get("content-type", ""))
    found = decode(answer.body, known=named_encoding(told[1]) if told else None)
    return None if found is None else found.text


def _as_markdown(answer: WebAnswer, text: str, confining: Confining | None, *, whole: bool) -> str:
    shown = answer.address.shown
    if not are_installed(READING.libraries):
        raise ToolFailed(
            f"{shown} is HTML. To read that, the user installs an extra: {how_to_install('web')}."
        )
    reading = replace(
        READING, reader="whole" if whole else "main", options={"url": answer.address.shown}
    )
    found = read_in_child(shown, text[:MOST_HTML].encode("utf-8", "replace"), reading, confining)
    if not found.strip():
        raise ToolFailed(f"{shown} shows no text without running its scripts.")
    cut = answer.cut or len(text) > MOST_HTML
    return found + ("[the rest was not read: the page is too long]\n" if cut else "")

"""Recognises notebooks and PDF documents, and reads their text, which is data like any file's."""

from dataclasses import dataclass

from plimsoll.tools.documents.notebook import notebook_text
from plimsoll.tools.documents.pdf import pdf_text
from plimsoll.tools.process.confinement.confining import Confining

LARGEST_DOCUMENT = 20_000_000
"""Bytes of a document that is read."""
NOTEBOOK, PDF = "application/x-ipynb+json", "application/pdf"


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document as text."""

    kind: str
    """The MIME type of the file."""
    text: str


def document_kind(name: str, start: bytes) -> str | None:
    """Return the MIME type of a notebook or PDF by its name and first bytes; None for others."""
    if start.startswith(b"%PDF-"):
        return PDF
    return NOTEBOOK if name.lower().endswith(".ipynb") else None


def document_text(name: str, data: bytes, confining: Confining | None) -> DocumentText | None:
    """Read a notebook or PDF as text; None for other files. Blocks, half a minute at most.

    ``confining``: the sandbox for the child process, where the format needs one to be read.

    Raises:
        ToolFailed: It cannot be read, or the library for it is not installed.
    """
    kind = document_kind(name, data[:16])
    if kind is None:
        return None
    text = pdf_text(name, data, confining) if kind == PDF else notebook_text(name, data)
    return DocumentText(kind, text)

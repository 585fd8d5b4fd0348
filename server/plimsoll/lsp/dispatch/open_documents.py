"""Keeps the documents that are open in the editor, as the client tells of them.

Law: the text here is the editor's, whichever signs stand in it; lines and characters are counted
by `text/lines.py`, since pygls takes form feed, U+2028 and six other signs for ends of lines.
"""

import asyncio
import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types

from plimsoll.folders import path_in
from plimsoll.text.lines import Position, PositionEncoding, with_change

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document as it is open in the editor."""

    uri: str
    version: int
    text: str
    path: Path | None
    """None: it is no file of this machine."""


@dataclass(slots=True, eq=False)
class DocumentWatch:
    """Records the changes of one document since the watch began."""

    key: str
    texts: list[str | None] = field(default_factory=list[str | None])
    """Its texts since then; none: it was closed."""
    _told: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, text: str | None) -> None:
        """Record the text that the document has now."""
        self.texts.append(text)
        self._told.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until a change is recorded; false if there is none within the time."""
        try:
            await asyncio.wait_for(self._told.wait(), seconds)
        except TimeoutError:
            return False
        return True


class OpenDocuments:
    """The open documents of one client; changed on the event loop, read from any thread."""

    def __init__(self) -> None:
        self._documents: dict[str, OpenDocument] = {}
        self._watches: list[DocumentWatch] = []

    def all(self) -> Sequence[OpenDocument]:
        """Return the open documents."""
        return list(self._documents.values())

    def open(self, item: types.TextDocumentItem) -> None:
        """Add an opened document; a document that is open already is replaced."""
        path = path_in(item.uri)
        self._documents[_key(item.uri)] = OpenDocument(item.uri, item.version, item.text, path)
        self._tell(item.uri, item.text)

    def change(self, params: types.DidChangeTextDocumentParams, encoding: PositionEncoding) -> None:
        """Apply changes to a document in order, each to the result of the one before."""
        about = params.text_document
        document = self._documents.get(_key(about.uri))
        if document is None:
            log.warning("a change was dropped: its document is not open")
            return
        text = document.text
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                place = _position(change.range.start), _position(change.range.end)
                text = with_change(text, place, change.text, encoding)
            else:
                text = change.text
            self._tell(about.uri, text)
        self._documents[_key(about.uri)] = replace(document, version=about.version, text=text)

    def close(self, uri: str) -> None:
        """Remove a closed document."""
        self._documents.pop(_key(uri), None)
        self._tell(uri, None)

    @contextmanager
    def watching(self, uri: str) -> Generator[DocumentWatch]:
        """Watch a document for changes during the block."""
        watch = DocumentWatch(_key(uri))
        self._watches.append(watch)
        try:
            yield watch
        finally:
            self._watches.remove(watch)

    def _tell(self, uri: str, text: str | None) -> None:
        for watch in self._watches:
            if watch.key == _key(uri):
                watch.hear(text)


def _key(uri: str) -> str:
    """Normalise a URI, which editors escape in different ways."""
    return unquote(uri)


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)

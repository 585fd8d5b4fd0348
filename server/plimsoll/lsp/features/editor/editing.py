"""Follows what a person types: what the model read of a changed file becomes stale at once."""

import asyncio
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from lsprotocol import types

from plimsoll.context.log.entries import ItemState, Noted
from plimsoll.context.log.notes import STALE, note_fields
from plimsoll.context.report.titles import STATES
from plimsoll.context.view.view import RenderedItem
from plimsoll.lsp.features.convert.messages import path_of
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.session.session import Session
from plimsoll.session.turn.read_lines import places_now
from plimsoll.session.turn.staleness import held_of, mark_changed, notes_about

SETTLE_SECONDS = 0.3
"""A burst of keystrokes is one change."""
REDUCED = frozenset({ItemState.SUPERSEDED, ItemState.PRUNED, ItemState.EVICTED})
"""Forms in which a note stands for what was read."""


class Editing:
    """Follows the changes of open documents for one client."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._changed: dict[str, int] = {}
        self._settling: asyncio.Task[None] | None = None

    def note_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Note that a document was changed in the editor, to mark its reads as stale soon."""
        uri = params.text_document.uri
        if uri.startswith("file:"):
            self._changed.setdefault(uri, _first_line(params))
            if self._settling is None or self._settling.done():
                self._settling = asyncio.create_task(self._settle())

    async def _settle(self) -> None:
        # What is typed while the last changes are marked has nobody else who looks at it.
        while self._changed:
            await asyncio.sleep(SETTLE_SECONDS)
            changed, self._changed = self._changed, {}
            if await self._mark(changed):
                await self._context.refresh_lenses()

    async def _mark(self, changed: Mapping[str, int]) -> bool:
        marked = False
        for uri, line in changed.items():
            path = await asyncio.to_thread(_real, uri)
            for session in self._context.live():
                text = session.state.files.open_text(path)
                if text is None:
                    # Closed meanwhile: the next request looks at the file itself.
                    continue
                found = await mark_changed(session.state, path, text, line)
                marked = marked or bool(found.stale or found.fresh)
        return marked

    async def lenses(self, uri: str) -> list[types.CodeLens]:
        """Return the lenses of a document, which show above lines that the context holds them."""
        if not self._context.options.capabilities.lenses or not uri.startswith("file:"):
            return []
        path = await asyncio.to_thread(_real, uri)
        session = self._context.shown_session()
        if session is None:
            return []
        indexes = session.state.log.indexes
        held, stale = held_of(indexes.fold, path), indexes.read_notes.stale
        text = session.state.files.open_text(path)
        notes = notes_about(indexes, held)
        lines = await asyncio.to_thread(places_now, held, notes, text)
        return [
            lens for shown in held for lens in _lenses(session, shown, stale, lines.get(shown.item))
        ]


def _lenses(
    session: Session, shown: RenderedItem, stale: AbstractSet[str], now: int | None
) -> list[types.CodeLens]:
    source = shown.part.source
    read = (source.lines[0] - 1) if source is not None and source.lines else 0
    line = read if now is None else now
    group = session.state.log.fold.group_of(shown.item)
    turn = f" · turn {group.turn}" if group else ""
    note = _stale_note(session, shown.item) if shown.item in stale else ""
    reduced = shown.state in REDUCED
    where = STATES[shown.state] if reduced else "in context"
    title = f"⊖ {where} · {shown.tokens:,} tokens{turn}{note}"
    about = {"sessionId": session.id, "itemId": shown.item}
    several = {"sessionId": session.id, "itemIds": [shown.item]}
    first = _lens(line, title, "plimsoll.server.explain", about)
    if reduced:
        return [first, _lens(line, "restore", "plimsoll.server.restore", several)]
    return [
        first,
        _lens(line, "pin", "plimsoll.server.pin", about),
        _lens(line, "remove", "plimsoll.server.evict", several),
    ]


def _lens(line: int, title: str, command: str, argument: Mapping[str, object]) -> types.CodeLens:
    start = types.Position(line, 0)
    return types.CodeLens(
        types.Range(start, start), types.Command(title=title, command=command, arguments=[argument])
    )


def _stale_note(session: Session, item: str) -> str:
    edited = _edited_line(session, item)
    return f" · stale since your edit at line {edited}" if edited else " · stale: changed since"


def _edited_line(session: Session, item: str) -> int | None:
    for entry in reversed(session.state.log.fold.entries):
        if isinstance(entry, Noted) and entry.what == STALE and entry.item == item:
            note = note_fields(entry)
            return note.maybe_count("line") if note else None
    return None


def _first_line(params: types.DidChangeTextDocumentParams) -> int:
    ranges = [
        change.range.start.line + 1
        for change in params.content_changes
        if isinstance(change, types.TextDocumentContentChangePartial)
    ]
    return min(ranges, default=1)


def _real(uri: str) -> Path:
    return path_of(uri).resolve()

"""What the client's language extensions or servers know: the ``EditorKnowledge`` port.

A client is asked only if it said that it can answer. One that is silent, refuses or answers
nonsense knows nothing of that question.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from plimsoll.folders import path_in
from plimsoll.lsp.dispatch.client_requests import ClientRefused, ClientSilent
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.wire import content, methods
from plimsoll.lsp.wire import editor as wire
from plimsoll.lsp.wire.base import Wire, dump
from plimsoll.lsp.wire.methods.method import Method
from plimsoll.tools.editor.knowledge import (
    Diagnostic,
    Place,
    Position,
    RenameEdits,
    Severity,
    Symbol,
    TextEdit,
)

SECONDS = 4.0
"""How long one answer may take."""
WAIT_SECONDS = 2.0
"""How much longer it may take until changed files have been looked at anew."""
REST_SECONDS = 60.0
"""For how long a client is not asked again what it left unanswered: each edit would wait for it."""
MOST = 20_000
"""What is taken of one answer."""
_KINDS = (
    "file module namespace package class method property field constructor enum interface "
    "function variable constant string number boolean array object key null enumMember "
    "struct event operator typeParameter"
)
KINDS: Mapping[int, str] = dict(enumerate(_KINDS.split(), 1))
"""The words for LSP's SymbolKind."""
SEVERITIES: Mapping[int, Severity] = {1: "error", 2: "warning", 3: "information", 4: "hint"}
WireT = TypeVar("WireT", bound=Wire)

log = logging.getLogger(__name__)


class ClientKnowledge:
    """The ``EditorKnowledge`` port over the client."""

    def __init__(self, server: PlimsollServer) -> None:
        self._server = server
        self.able = False
        """Whether the client answers ``plimsoll/editor/…``."""
        self._rests: dict[str, float] = {}
        """Until when a method is not asked, on the monotonic clock."""

    async def outline(self, path: Path) -> Sequence[Symbol] | None:
        """Return the symbols of a file, each before those inside of it."""
        params = wire.EditorSymbolsParams(uri=path.as_uri())
        found = await self._ask(methods.EDITOR_SYMBOLS, params, wire.EditorSymbolsResult)
        return None if found is None else _symbols(found.symbols, path)

    async def symbols(self, root: Path, query: str) -> Sequence[Symbol] | None:
        """Return symbols of a folder whose names match a query in the editor's own way."""
        params = wire.EditorSymbolsParams(workspace_folder=root.as_uri(), query=query)
        found = await self._ask(methods.EDITOR_SYMBOLS, params, wire.EditorSymbolsResult)
        return None if found is None else _symbols(found.symbols, None)

    async def definition(self, path: Path, position: Position) -> Sequence[Place] | None:
        """Return where the symbol at a position is defined."""
        return await self._places(methods.EDITOR_DEFINITION, path, position)

    async def references(self, path: Path, position: Position) -> Sequence[Place] | None:
        """Return where the symbol at a position is used, its definition included."""
        return await self._places(methods.EDITOR_REFERENCES, path, position)

    async def diagnostics(
        self, root: Path, paths: Sequence[Path], *, changed: bool = False
    ) -> Mapping[Path, Sequence[Diagnostic]] | None:
        """Return the problems of files, of the whole folder without ``paths``."""
        params = wire.EditorDiagnosticsParams(
            workspace_folder=root.as_uri(),
            uris=tuple(path.as_uri() for path in paths),
            changed=changed,
            wait_seconds=WAIT_SECONDS,
        )
        found = await self._ask(
            methods.EDITOR_DIAGNOSTICS, params, wire.EditorDiagnosticsResult, more=WAIT_SECONDS
        )
        if found is None:
            return None
        return {
            path: list(_diagnostics(file, path))
            for file in found.files[:MOST]
            if (path := path_in(file.uri)) is not None
        }

    async def rename(self, path: Path, position: Position, new_name: str) -> RenameEdits | None:
        """Return the edits that give the symbol at a position another name."""
        params = wire.EditorRenameParams(
            uri=path.as_uri(), position=_wire_position(position), new_name=new_name
        )
        found = await self._ask(methods.EDITOR_RENAME, params, wire.EditorRenameResult)
        if found is None:
            return None
        files: dict[Path, list[TextEdit]] = {}
        elsewhere = 0
        for file in found.files[:MOST]:
            named = path_in(file.uri)
            if named is None:
                elsewhere += 1
            else:
                files.setdefault(named, []).extend(map(_edit, file.edits[:MOST]))
        return RenameEdits(
            files=files,
            encoding=found.position_encoding,
            other_changes=found.other_changes + elsewhere,
        )

    async def _places(
        self, method: Method, path: Path, position: Position
    ) -> Sequence[Place] | None:
        params = wire.EditorPositionParams(uri=path.as_uri(), position=_wire_position(position))
        found = await self._ask(method, params, wire.EditorLocationsResult)
        return None if found is None else list(_places(found.locations[:MOST]))

    async def _ask(
        self, method: Method, params: Wire, result: type[WireT], more: float = 0.0
    ) -> WireT | None:
        if not self.able or time.monotonic() < self._rests.get(method.name, 0.0):
            return None
        try:
            raw: Any = await self._server.request(method.name, dump(params), SECONDS + more)
            return result.model_validate(raw or {})
        except ClientSilent as error:
            self._rests[method.name] = time.monotonic() + REST_SECONDS
            log.info("%s Not asked again for %.0f s.", error.message, REST_SECONDS)
        except ClientRefused as error:
            log.info("%s", error.message)
        except (ValidationError, RecursionError) as error:
            # Its text would quote what was sent.
            log.warning("what the editor answered to %s is none: %s", method.name, type(error))
        return None


def _symbols(symbols: Iterable[wire.EditorSymbol], path: Path | None) -> list[Symbol]:
    """Flatten symbols, each before its children; ``path``: the file where none is named."""
    found: list[Symbol] = []
    pending = [(symbol, (), path) for symbol in reversed(tuple(symbols))]
    while pending and len(found) < MOST:
        one, around, above = pending.pop()
        where = above if one.uri is None else path_in(one.uri)
        if where is None:
            continue
        container = around or tuple(filter(None, ((one.container_name or "").split("."))))
        found.append(_symbol(one, where, container))
        inner = (*around, one.name)
        pending += [(child, inner, where) for child in reversed(one.children)]
    return found


def _symbol(one: wire.EditorSymbol, path: Path, container: tuple[str, ...]) -> Symbol:
    name, first = one.selection_range or one.range, one.range.start.line + 1
    last = one.range.end.line + 1
    # An end at the beginning of a line is the end of the line before.
    last -= last > first and one.range.end.character == 0
    return Symbol(
        name=one.name,
        kind=KINDS.get(one.kind, ""),
        path=path,
        line=name.start.line + 1,
        first=first,
        # A search for names tells their places alone.
        last=last if one.selection_range is not None or last > first else None,
        container=container,
    )


def _places(locations: Iterable[content.Location]) -> Iterator[Place]:
    for location in locations:
        path = path_in(location.uri)
        if path is not None and location.range is not None:
            yield Place(path, location.range.start.line + 1)


def _diagnostics(file: wire.EditorFileDiagnostics, path: Path) -> Iterator[Diagnostic]:
    for each in file.diagnostics[:MOST]:
        source = " ".join(str(part) for part in (each.source, each.code) if part not in {None, ""})
        yield Diagnostic(
            path=path,
            line=each.range.start.line + 1,
            severity=SEVERITIES.get(each.severity, "error"),
            message=each.message,
            source=source,
        )


def _edit(edit: wire.EditorTextEdit) -> TextEdit:
    return TextEdit(_position(edit.range.start), _position(edit.range.end), edit.new_text)


def _position(position: content.Position) -> Position:
    return Position(position.line, position.character)


def _wire_position(position: Position) -> content.Position:
    return content.Position(line=position.line, character=position.character)

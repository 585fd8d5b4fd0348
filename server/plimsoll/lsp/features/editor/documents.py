"""The editor's open documents: their text, and edits of the smallest range."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import cast

from pygls.workspace import PositionCodec, TextDocument

from plimsoll.errors import ToolFailed
from plimsoll.lsp.dispatch.client_requests import ClientRefused, ClientSilent
from plimsoll.lsp.server import PlimsollServer

_LINE_END = re.compile(r"\r\n|\r|\n")


class ClientDocuments:
    """The ``Documents`` port over the client."""

    def __init__(self, server: PlimsollServer) -> None:
        self._server = server

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer; safe from a worker thread, since it only reads."""
        document = self._open_document(path)
        return None if document is None else document.source

    def open_files(self) -> Collection[Path]:
        """Return the real paths of open buffers; safe from a worker thread as well."""
        documents = list(self._server.workspace.text_documents.values())
        paths = (one.path for one in documents if one.uri.startswith("file:"))
        return [Path(path).resolve() for path in paths if path]

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Change the part that differs, in the version that holds ``before``; false: not done.

        Raises:
            ToolFailed: The client did not answer.
        """
        capabilities = self._server.client_capabilities.workspace
        document = self._open_document(path)
        if capabilities is None or not capabilities.apply_edit:
            return False
        if document is None or document.source != before:
            return False
        edit = smallest_edit(before, after, self._server.workspace.position_codec)
        known = capabilities.workspace_edit
        if known is not None and known.document_changes:
            about = {"uri": document.uri, "version": document.version}
            changes: object = {"documentChanges": [{"textDocument": about, "edits": [edit]}]}
        else:
            changes = {"changes": {document.uri: [edit]}}
        try:
            raw = await self._server.request(
                "workspace/applyEdit", {"label": label, "edit": changes}
            )
        except ClientRefused:
            return False
        except ClientSilent as error:
            raise ToolFailed(
                f"The editor did not say whether it has changed {path.name}. Read it again."
            ) from error
        return isinstance(raw, Mapping) and cast("Mapping[str, object]", raw).get("applied") is True

    def _open_document(self, path: Path) -> TextDocument | None:
        wanted = path.resolve()
        for uri, document in list(self._server.workspace.text_documents.items()):
            if document.uri.startswith("file:") and _same(document.path or uri, wanted):
                return document
        return None


def smallest_edit(before: str, after: str, codec: PositionCodec) -> dict[str, object]:
    """Return the edit of LSP that changes only what lies between what both texts have.

    It never begins or ends amid a line ending of two characters.
    """
    start = _common(before, after)
    if before[start - 1 : start] == "\r":
        start -= 1
    tail = _common(before[start:][::-1], after[start:][::-1])
    if tail and before[-tail] == "\n" and before[-tail - 1 : -tail] == "\r":
        tail -= 1
    place = {
        "start": _position(before[:start], codec),
        "end": _position(before[: len(before) - tail], codec),
    }
    return {"range": place, "newText": after[start : len(after) - tail]}


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _position(text: str, codec: PositionCodec) -> dict[str, int]:
    """Return the position behind a text, in the client's units."""
    lines = _LINE_END.split(text)
    return {"line": len(lines) - 1, "character": codec.client_num_units(lines[-1])}


def _same(name: str, wanted: Path) -> bool:
    path = Path(name)
    return path == wanted or path.resolve() == wanted

"""The editor's open buffers: they are the truth about what stands in a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from plimsoll.errors import PlimsollError
from plimsoll.lsp.server import PlimsollServer

LAST_LINE = 2**31 - 1
"""LSP's largest line number: a range up to it is the whole document."""


class ClientDocuments:
    """The ``Documents`` port over the client."""

    def __init__(self, server: PlimsollServer) -> None:
        self._server = server

    def open_text(self, path: Path) -> str | None:
        """The text of an open buffer; safe from a worker thread, since it only reads."""
        wanted = path.resolve()
        for uri, document in list(self._server.workspace.text_documents.items()):
            if document.uri.startswith("file:") and _same(document.path or uri, wanted):
                return document.source
        return None

    async def apply_edit(self, path: Path, text: str, label: str) -> bool:
        """Replace a document through the client; false when it cannot."""
        capabilities = self._server.client_capabilities.workspace
        if capabilities is None or not capabilities.apply_edit:
            return False
        everything = {
            "start": {"line": 0, "character": 0},
            "end": {"line": LAST_LINE, "character": 0},
        }
        edit = {"changes": {path.as_uri(): [{"range": everything, "newText": text}]}}
        try:
            raw = await self._server.request("workspace/applyEdit", {"label": label, "edit": edit})
        except PlimsollError:
            return False
        return isinstance(raw, Mapping) and cast("Mapping[str, object]", raw).get("applied") is True


def _same(name: str, wanted: Path) -> bool:
    path = Path(name)
    return path == wanted or path.resolve() == wanted

"""The editor's open documents: their text, and edits of the smallest range."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, cast

from plimsoll.errors import ToolFailed
from plimsoll.lsp.codes import METHOD_NOT_FOUND
from plimsoll.lsp.dispatch.client_requests import ClientRefused, ClientSilent
from plimsoll.lsp.dispatch.open_documents import DocumentWatch, OpenDocument
from plimsoll.lsp.server import PlimsollServer
from plimsoll.text.lines import Position, PositionEncoding, position_at

TOLD_SECONDS = 2.0
"""How long an editor may take to tell of a change that it has made; slow ones gather what was typed
for half a second."""


class ClientDocuments:
    """The ``Documents`` port over the client."""

    def __init__(self, server: PlimsollServer) -> None:
        self._server = server

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer; safe from a worker thread, since it only reads."""
        document = self._open_document(path)
        return None if document is None else document.text

    def open_files(self) -> Collection[Path]:
        """Return the real paths of open buffers; safe from a worker thread as well."""
        paths = (each.path for each in self._server.documents.all())
        return [path.resolve() for path in paths if path is not None]

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Replace ``before`` by another text in an open document, changing only the differing part.

        False: nothing was changed, as the editor takes no edits or has another text by now.

        Raises:
            ToolFailed: The client refused, did not answer, or has made another text of it.
        """
        capabilities = self._server.client_capabilities.workspace
        document = self._open_document(path)
        if capabilities is None or not capabilities.apply_edit:
            return False
        if document is None or document.text != before:
            return False
        known = capabilities.workspace_edit
        versions = known is not None and known.document_changes is True
        edit = smallest_edit(before, after, self._server.position_encoding)
        asked = {"label": label, "edit": _workspace_edit(document, edit, versions=versions)}
        with self._server.documents.watching(document.uri) as watch:
            answer = await self._ask(asked, path)
            if answer is None:
                return False
            if answer.get("applied") is True:
                await _refuse_another_text(watch, after, path)
                return True
            # The editor may have refused because of what it is about to tell of.
            if await watch.wait(TOLD_SECONDS):
                return False
        raise _refusal(f"The editor refused: {answer.get('failureReason') or 'it said no'}", path)

    async def _ask(self, asked: object, path: Path) -> Mapping[str, object] | None:
        """Return the editor's answer to an edit; None if it does not know the request.

        Raises:
            ToolFailed: It refused, or did not answer.
        """
        try:
            raw = await self._server.request("workspace/applyEdit", asked)
        except ClientRefused as error:
            if error.data.get("code") == METHOD_NOT_FOUND:
                return None
            raise _refusal(error.message, path) from error
        except ClientSilent as error:
            raise ToolFailed(
                f"The editor did not say whether it has changed {path.name}. Read it again."
            ) from error
        return cast("Mapping[str, object]", raw) if isinstance(raw, Mapping) else {}

    def _open_document(self, path: Path) -> OpenDocument | None:
        wanted = path.resolve()
        found = (each for each in self._server.documents.all() if _same(each.path, wanted))
        return next(found, None)


def _refusal(why: str, path: Path) -> ToolFailed:
    told = " ".join(why.split())[:200].rstrip(".")
    return ToolFailed(f"{told}. Nothing was changed in {path.name}. Tell the person.")


async def _refuse_another_text(watch: DocumentWatch, wanted: str, path: Path) -> None:
    """Check that a document has held the wanted text after an edit.

    Raises:
        ToolFailed: It never held the wanted text.
    """
    # Whoever tells of no change is believed: the next read shows what there is.
    if await watch.wait(TOLD_SECONDS) and wanted not in watch.texts:
        raise ToolFailed(
            f"The editor held another text of {path.name} than it had reported, and has changed "
            "that one: the change may stand in the wrong place. Read the file again, and tell the "
            "person."
        )


def _workspace_edit(
    document: OpenDocument, edit: Mapping[str, object], *, versions: bool
) -> Mapping[str, Any]:
    if not versions:
        return {"changes": {document.uri: [edit]}}
    about = {"uri": document.uri, "version": document.version}
    return {"documentChanges": [{"textDocument": about, "edits": [edit]}]}


def smallest_edit(before: str, after: str, encoding: PositionEncoding) -> dict[str, object]:
    """Return the smallest edit of LSP that turns one text into another.

    It never begins or ends amid a line ending of two characters.
    """
    start = _common(before, after)
    if before[start - 1 : start] == "\r":
        start -= 1
    tail = _common(before[start:][::-1], after[start:][::-1])
    if tail and before[-tail] == "\n" and before[-tail - 1 : -tail] == "\r":
        tail -= 1
    end = len(before) - tail
    first, last = (_wire(position_at(before, at, encoding)) for at in (start, end))
    return {"range": {"start": first, "end": last}, "newText": after[start : len(after) - tail]}


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _wire(position: Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}


def _same(path: Path | None, wanted: Path) -> bool:
    return path is not None and (path == wanted or path.resolve() == wanted)

"""What the server asks of the editor's language extensions; characters count in UTF-16 units."""

from typing import Literal

from pydantic import Field, StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import Location, Position, Range

PositionEncoding = TypeAliasType("PositionEncoding", Literal["utf-8", "utf-16", "utf-32"])


class EditorSymbolsParams(Wire):
    """The file of an outline, or what names of symbols of the folder must match (`query`)."""

    workspace_folder: str | None = None
    uri: str | None = None
    query: str | None = None


class EditorSymbol(Wire):
    """A symbol; `kind` is LSP's SymbolKind, `range` all of it, `selectionRange` its name.

    The `uri` may be left out in the outline of a file. `children` stand inside of it.
    """

    name: str
    kind: int
    uri: str | None = None
    range: Range
    selection_range: Range | None = None
    container_name: str | None = None
    children: "tuple[EditorSymbol, ...]" = ()


class EditorSymbolsResult(Wire):
    """The symbols; none where no language extension knows any."""

    symbols: tuple[EditorSymbol, ...] = ()


class EditorPositionParams(Wire):
    """A place in a file; `character` counts UTF-16 units whatever was negotiated."""

    uri: str
    position: Position


class EditorLocationsResult(Wire):
    """The places; none where no language extension knows any."""

    locations: tuple[Location, ...] = ()


class EditorDiagnosticsParams(Wire):
    """The files to look at, without `uris` the whole folder.

    With `changed` the files were just changed: the answer waits until they have been looked at
    anew, at most `waitSeconds`.
    """

    workspace_folder: str
    uris: tuple[str, ...] = ()
    changed: StrictBool = False
    wait_seconds: float = 0.0


class EditorDiagnostic(Wire):
    """A problem; `severity` is LSP's: 1 error, 2 warning, 3 information, 4 hint."""

    range: Range
    severity: int = 1
    message: str
    source: str | None = None
    code: str | int | None = None


class EditorFileDiagnostics(Wire):
    """The problems of a file that was looked at, maybe none."""

    uri: str
    diagnostics: tuple[EditorDiagnostic, ...]


class EditorDiagnosticsResult(Wire):
    """The files that were looked at; one that is left out is not known."""

    files: tuple[EditorFileDiagnostics, ...] = ()


class EditorRenameParams(Wire):
    """A place in a file where a name stands, and the new name; nothing is to be changed yet."""

    uri: str
    position: Position
    new_name: str


class EditorTextEdit(Wire):
    """A range of a file that gets another text."""

    range: Range
    new_text: str


class EditorFileEdits(Wire):
    """All edits of a file."""

    uri: str
    edits: tuple[EditorTextEdit, ...]


class EditorRenameResult(Wire):
    """What would change; no files where no language extension can rename.

    `otherChanges` counts files that would be made, moved or deleted: then nothing is renamed.
    """

    files: tuple[EditorFileEdits, ...] = ()
    position_encoding: PositionEncoding = "utf-16"
    other_changes: int = Field(default=0, ge=0)

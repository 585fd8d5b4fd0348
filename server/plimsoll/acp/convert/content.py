"""Converts the content blocks of a client's prompt to texts and files for a session."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from plimsoll.folders import path_in
from plimsoll.lsp.transport.bodies import member
from plimsoll.session.ports.content import Content, Excerpt, FileRef, ImageData, PromptText

UNKNOWN = "[The editor sent something of the kind {kind!r}, which this agent does not know.]"


def contents_of(blocks: Sequence[object]) -> list[Content]:
    """Convert the blocks of a prompt; one of an unknown kind becomes a sentence about it."""
    return [_content(block) for block in blocks]


def _content(block: object) -> Content:
    kind, text = _text(block, "type"), _text(block, "text")
    if kind == "text" and text is not None:
        return PromptText(text)
    if kind == "image" and (data := _text(block, "data")) is not None:
        return ImageData(_text(block, "mimeType") or "", data)
    if kind == "resource_link" and (uri := _text(block, "uri")) is not None:
        return _convert_link(uri, _text(block, "name") or uri)
    if kind == "resource":
        return _convert_embedded(member(block, "resource"))
    return Excerpt("unknown content", UNKNOWN.format(kind=str(kind)[:40]))


def _convert_link(uri: str, name: str) -> Content:
    """Convert a link: a file of this machine is attached, with the lines that the link names."""
    path = path_in(uri)
    if path is None:
        return Excerpt(name, uri)
    return FileRef(path, _lines_of(uri))


def _convert_embedded(resource: object) -> Content:
    """Convert an embedded file, whose text is the editor's and may differ from the disk."""
    uri, text = _text(resource, "uri") or "", _text(resource, "text")
    path = path_in(uri)
    if text is not None:
        return Excerpt(uri if path is None else str(path), text)
    blob, kind = _text(resource, "blob"), _text(resource, "mimeType") or ""
    if blob is not None and kind.startswith("image/"):
        return ImageData(kind, blob)
    return FileRef(path) if path is not None else Excerpt(uri, UNKNOWN.format(kind=kind[:40]))


def _lines_of(uri: str) -> tuple[int, int] | None:
    """Read the lines of a link that ends in `#L5`, `#L5-L9` or `#L5:9`; None if it names none."""
    marks = urlsplit(uri).fragment.upper().replace("L", "").replace(":", "-").split("-")
    if not all(mark.isdecimal() and mark != "0" for mark in marks) or len(marks) > 2:
        return None
    first, last = int(marks[0]), int(marks[-1])
    return (first, last) if first <= last else None


def _text(block: object, name: str) -> str | None:
    found = member(block, name)
    return found if isinstance(found, str) else None


def absolute(path: str) -> Path | None:
    """Return a path that a client names; None if it is not absolute, as the protocol wants it."""
    found = Path(path)
    return found if found.is_absolute() and "\0" not in path else None


def as_mapping(value: object) -> Mapping[str, object]:
    """Return a JSON object, an empty one for anything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def as_items(value: object) -> Sequence[object] | None:
    """Return a JSON array; None for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else None

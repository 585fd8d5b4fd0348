"""Export and import of a session: one JSON object a line, the record first."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from plimsoll.context.log.entries import Entry, Framed, Origin, Pinned, Said, Undone
from plimsoll.context.log.json_fields import IMPORTED
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.view.fold import Fold
from plimsoll.errors import LogInvalid, NotFound
from plimsoll.storage.base import SessionRecord

FORMAT = 1
KEY = "plimsollExport"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The content of an export; its mode and model are only shown, never used."""

    title: str
    turns: int
    preview: str
    entries: tuple[Entry, ...]


def export_session(record: SessionRecord, entries: Iterable[Entry]) -> str:
    """Export a session as text, without approvals and keys, and with no path but those said."""
    return _lines(record, (encode(_as_in_its_own_session(entry)) for entry in entries))


def exported_as_stored(record: SessionRecord, bodies: Iterable[str]) -> str:
    """Export a session that cannot be opened: all stored entries, without parsing them."""
    return _lines(record, (body.replace("\n", " ") for body in bodies))


def _lines(record: SessionRecord, entries: Iterable[str]) -> str:
    head = {
        KEY: FORMAT,
        "title": record.title,
        "mode": record.mode,
        "model": record.model,
        "turns": record.turns,
        "preview": record.preview,
    }
    return "\n".join([canonical(head), *entries, ""])


def _as_in_its_own_session(entry: Entry) -> Entry:
    """Return an entry as its first session had it, without the marks that an import added."""
    if isinstance(entry, Framed | Pinned):
        return replace(entry, origin=None)
    if not isinstance(entry, Said) or entry.origin is not Origin.IMPORT:
        return entry
    if entry.turn is None:
        return replace(entry, origin=Origin.EDITOR)
    return replace(entry, turn=entry.turn.removeprefix(IMPORTED), origin=Origin.PERSON)


def is_export(first_line: str) -> bool:
    """Tell whether a file that begins with this line is an exported session."""
    try:
        head: object = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and KEY in head


def parse_export(jsonl: str) -> Exported:
    """Parse the text of an export.

    Raises:
        LogInvalid: The text is no export, or a line of it cannot be read.
    """
    lines = [(n, line) for n, line in enumerate(jsonl.split("\n"), 1) if line.strip()]
    head = _head(lines[0][1] if lines else "null")
    entries = tuple(_entries(lines[1:]))
    turns = head.get("turns")
    return Exported(
        title=str(head.get("title", "")),
        turns=turns if isinstance(turns, int) else 0,
        preview=str(head.get("preview", "")),
        entries=entries,
    )


def _head(line: str) -> dict[str, object]:
    try:
        head: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _invalid(1, str(error)) from error
    if not isinstance(head, dict) or cast("dict[str, object]", head).get(KEY) != FORMAT:
        raise _invalid(1, f"the first line has no {KEY!r} of version {FORMAT}")
    return cast("dict[str, object]", head)


def _entries(lines: Iterable[tuple[int, str]]) -> Iterator[Entry]:
    """Yield the entries of numbered lines; no two have the same id."""
    seen: set[str] = set()
    for number, line in lines:
        try:
            entry = decode(line)
        except LogInvalid as error:
            raise _invalid(number, error.message) from error
        if entry.id in seen:
            raise _invalid(number, f"the id {entry.id!r} occurs twice")
        seen.add(entry.id)
        yield entry


def _invalid(line: int, why: str) -> LogInvalid:
    return LogInvalid(
        f"The export cannot be read at line {line}: {why}.",
        remedy="Export the session again; nothing was imported.",
    )


def entries_until(fold: Fold, message: str | None) -> tuple[Entry, ...]:
    """Return the entries up to the end of a message's group, and later ones only if pinned."""
    if message is None:
        return tuple(fold.entries)
    group = fold.group_of_message(message)
    if group is None:
        raise NotFound("message", message, remedy="Load the session to see its messages.")
    indexes = (fold.index_of(said.id) for said in group.said)
    end = max(index for index in indexes if index is not None) + 1
    pins = {entry.id for entry in fold.entries if isinstance(entry, Pinned)}
    later = (
        entry
        for entry in fold.entries[end:]
        if isinstance(entry, Pinned) or (isinstance(entry, Undone) and entry.target in pins)
    )
    return (*fold.entries[:end], *later)

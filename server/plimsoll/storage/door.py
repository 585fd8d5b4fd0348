"""What passes the door of the store: entries and records, without the secrets in them."""

from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.entries import Entry
from plimsoll.context.messages import clean
from plimsoll.context.serialization import encode
from plimsoll.errors import LogConflict
from plimsoll.storage.base import Redactor, SessionRecord

Body = tuple[str, str]
"""When an entry was made, and its JSON."""


def bodies_of(entries: Sequence[Entry], redact: Redactor) -> list[Body]:
    """The entries as they are stored."""
    return [(entry.at, encode(entry, redact)) for entry in entries]


def without_secrets(record: SessionRecord, redact: Redactor) -> SessionRecord:
    """The record as it is stored."""
    return replace(
        record,
        workspace=clean(record.workspace),
        title=redact(clean(record.title)),
        preview=redact(clean(record.preview)),
    )


def log_has_grown(session_id: str, expected: int, length: int) -> LogConflict:
    """The error for a writer that has read an older state."""
    return LogConflict(
        f"The log of session {session_id!r} has {length} entries, not {expected}: "
        "another process has written to it.",
        remedy="Load the session again, or fork it.",
        data={"expected": expected, "length": length},
    )


def session_exists(session_id: str) -> LogConflict:
    """The error for a new session with the id of another."""
    return LogConflict(
        f"There is a session {session_id!r} already.", remedy="Give the new session another id."
    )

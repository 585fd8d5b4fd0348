"""Shared memories, pins and sessions as rows of a shared PostgreSQL, and back."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from psycopg.sql import SQL

from plimsoll.errors import InvalidInput
from plimsoll.memory.checking import check_memory
from plimsoll.memory.types import ALWAYS_PRIVATE, Memory, MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.memories.columns import memory_of
from plimsoll.storage.postgres.sessions import FIELDS, record_of
from plimsoll.storage.shared.news import SharedPin, SharedSession
from plimsoll.storage.shared.operations import SharedMemory

log = logging.getLogger(__name__)

MEMORY_COLUMNS = SQL("""
id, type, class, title, content, author, trust, state, before, pinned, digest, session_id,
message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes, scope,
importance, tags, removal, version, changed, gone, owner,
CASE WHEN written_by NOT IN (owner, current_user) THEN written_by END AS written_by,
CASE WHEN owner <> current_user THEN owner END AS author_name, NULL AS seen_at
""")
PIN_COLUMNS = "id, at, text, scope, owner, owner = current_user"
SESSION_COLUMNS = SQL("{}, length, machine, coalesce(held_until >= now(), false)").format(FIELDS)


def check_shared(memory: Memory) -> Memory:
    """Check a memory as it stands at the server; raises InvalidInput or MemoryRefused."""
    if memory.scope is MemoryScope.PRIVATE or (
        memory.scope is MemoryScope.TEAM and memory.type in ALWAYS_PRIVATE
    ):
        raise InvalidInput("A private memory is not shared.", remedy="Give it another scope.")
    # What is for the same person alone may be of a type that is never for others.
    return replace(check_memory(memory), scope=memory.scope)


def shared_memory(row: Mapping[str, Any]) -> SharedMemory | None:
    """Build a shared memory from its columns; none where they are not those of a memory.

    Members may write rows by hand, and one that cannot be read must not stop the others' news.
    Whether its text may be kept is for whoever takes it in to check.
    """
    try:
        memory = _memory(row)
    except (ValueError, TypeError, RecursionError) as error:
        log.warning("a memory of the team is left out: %s", type(error).__name__)
        return None
    return SharedMemory(
        memory=memory,
        version=int(row["version"]),
        author_name=str(row["owner"]),
        is_own=memory.author_name is None,
        written_by=row["written_by"],
    )


def _memory(row: Mapping[str, Any]) -> Memory:
    """Build a memory; raises ValueError, TypeError or RecursionError for what is none."""
    memory = memory_of(row)
    for time in filter(None, (memory.created_at, memory.expires_at)):
        datetime.fromisoformat(time)
    # A tag that is no text cannot be joined.
    "".join(memory.tags)
    return memory


def shared_pin(row: Sequence[Any]) -> SharedPin:
    """Build a shared pin from `PIN_COLUMNS`."""
    name, at, text, scope, owner, is_own = row
    sharing = PinSharing(MemoryScope(scope), None if is_own else owner)
    pin = WorkspacePin(id=name, at=at, text=text, number=0, sharing=sharing)
    return SharedPin(pin, owner, is_own)


def shared_session(row: Sequence[Any]) -> SharedSession:
    """Build a session from `SESSION_COLUMNS`."""
    *fields, length, machine, is_held = row
    return SharedSession(record_of(fields), int(length), str(machine), bool(is_held))

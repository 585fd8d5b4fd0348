"""Memories as rows of a shared PostgreSQL: statements, each a function on the project."""

from collections.abc import Collection, Sequence
from typing import Any, LiteralString

from psycopg.sql import SQL, Composed

from plimsoll.memory.applying import no_memory, overtaken_cursor
from plimsoll.memory.base import PageQuery, RecentChanges
from plimsoll.memory.extraction.turns import Advance, Cursor, ReadBy
from plimsoll.memory.types import (
    SEARCHED,
    Action,
    Author,
    Memory,
    MemoryEvent,
    MemoryPage,
    MemoryState,
)
from plimsoll.storage.memories.columns import memory_of
from plimsoll.storage.memories.paging import part_of, place_after
from plimsoll.storage.postgres.projects import SharedProject

_COLUMNS = SQL(
    "id, type, class, title, content, author, trust, state, before, pinned, digest, session_id, "
    "message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes, scope, "
    "importance, tags, removal, NULL AS author_name, NULL AS version, NULL AS seen_at"
)


def _select(rest: LiteralString) -> Composed:
    """Build the SQL statement that selects keys and columns of a project's memories."""
    begin = SQL("SELECT key, {} FROM plimsoll.memories WHERE project = %(project)s")
    return begin.format(_COLUMNS) + SQL(rest)


_ONE = _select(" AND id = %(id)s")
_IN_STATES = _select(" AND state = ANY(%(states)s) ORDER BY created_at DESC, key DESC")
_PAGE = _select("""
  AND state = ANY(%(states)s)
  AND (%(type)s::text IS NULL OR type = %(type)s)
  AND (%(class)s::text IS NULL OR class = %(class)s)
  AND (%(at)s::text IS NULL OR (created_at, key) < (%(at)s, %(key)s::bigint))
ORDER BY created_at DESC, key DESC LIMIT %(limit)s
""")
_FOREMOST = _select("""
  AND state = ANY(%(states)s)
ORDER BY pinned DESC, (class = 'priority') DESC, coalesce(importance, 3) DESC, created_at DESC,
  key DESC LIMIT %(limit)s
""")
_PASSING = _select("""
  AND class = 'working' AND state = ANY(%(states)s) AND digest = %(digest)s
ORDER BY created_at DESC, key DESC LIMIT %(limit)s
""")
_CHANGED = _select("""
  AND state <> 'forgotten' AND id IN (
    SELECT memory_id FROM plimsoll.memory_events AS event
    WHERE event.project = %(project)s AND event.key > %(since)s
      AND (action = 'added' OR (action IN ('updated', 'accepted', 'restored') AND NOT digest)))
ORDER BY key
""")
_ALL_PASSING = _select("""
  AND state = ANY(%(states)s) AND (class = 'working' OR expires_at IS NOT NULL) ORDER BY key
""")
_OF_FILES = _select(" AND state = ANY(%(states)s) AND sha256 IS NOT NULL ORDER BY key")
_OF_KEYS = _select(" AND key = ANY(%(keys)s)")
_EVENTS = """
SELECT at, memory_id, action, author, reason, fingerprint FROM plimsoll.memory_events
WHERE project = %(project)s AND (%(id)s::text IS NULL OR memory_id = %(id)s) ORDER BY key
"""
_NEWEST_EVENT = (
    "SELECT coalesce(max(key), 0) FROM plimsoll.memory_events WHERE project = %(project)s"
)
_ORDERED = "SELECT ordered FROM plimsoll.projects WHERE id = %(project)s"
_FOUND_IN_ALL = "SELECT found FROM plimsoll.projects WHERE id = %(project)s"
_KEEP_ORDER = """
UPDATE plimsoll.projects SET ordered = greatest(ordered, %(event)s) WHERE id = %(project)s
"""
_KNOWN = SQL("""
SELECT fingerprint, {} FROM plimsoll.memories WHERE project = %(project)s
  AND (id = ANY(%(ids)s) OR (fingerprint = ANY(%(fingerprints)s) AND state <> 'forgotten'))
""").format(_COLUMNS)
_STANDING = """
SELECT id FROM plimsoll.memories
WHERE project = %(project)s AND id = ANY(%(ids)s) AND state = ANY(%(states)s)
"""
_CURSOR = """
SELECT message_id, count FROM plimsoll.memory_cursors
WHERE project = %(project)s AND session_id = %(session)s AND read_by = %(read_by)s
"""
_MOVE = """
INSERT INTO plimsoll.memory_cursors (project, session_id, read_by, message_id, count)
VALUES (%(project)s, %(session)s, %(read_by)s, %(message)s, %(count)s)
ON CONFLICT (project, session_id, read_by)
DO UPDATE SET message_id = excluded.message_id, count = excluded.count
"""
_TOLD = sorted(state.value for state in SEARCHED)


async def select_where(
    project: SharedProject, statement: Composed, **values: object
) -> list[tuple[int, Memory]]:
    """Read the memories that a statement built by `_select` yields, each with its key."""
    rows = await project.named_rows(statement, **{"states": _TOLD, **values})
    return [(int(row["key"]), memory_of(row)) for row in rows]


async def select_one(project: SharedProject, memory_id: str) -> Memory:
    """Read a memory; raises NotFound."""
    for _, memory in await select_where(project, _ONE, id=memory_id):
        return memory
    raise no_memory(memory_id)


async def select_states(project: SharedProject, states: Collection[MemoryState]) -> list[Memory]:
    """Read the memories in these states, newest first."""
    found = await select_where(project, _IN_STATES, states=_values(states))
    return [memory for _, memory in found]


async def select_page(project: SharedProject, wanted: PageQuery) -> MemoryPage:
    """Read a page of the memories, newest first; raises InvalidInput for a bad cursor."""
    at, key = place_after(wanted.cursor)
    asked: dict[str, object] = {
        "states": _values(wanted.states),
        "type": wanted.type,
        "class": wanted.class_,
        "at": at,
        "key": key,
        # One more than asked for, to know whether there is one.
        "limit": None if wanted.limit is None else wanted.limit + 1,
    }
    return part_of(await select_where(project, _PAGE, **asked), wanted.limit)


async def select_foremost(project: SharedProject, limit: int) -> tuple[list[Memory], int]:
    """Read the memories to tell a session before any question; count all that can be found."""
    found = await select_where(project, _FOREMOST, limit=limit)
    for digest in (False, True):
        found += await select_where(project, _PASSING, limit=limit, digest=digest)
    total = await project.first_row(_FOUND_IN_ALL)
    return list(dict(found).values()), 0 if total is None else int(total[0])


async def select_recent(project: SharedProject, *, passing: bool) -> RecentChanges:
    """Read the changes since the last consolidation; ``passing``: also all that can expire."""
    newest = await project.first_row(_NEWEST_EVENT)
    since = await project.first_row(_ORDERED)
    number = 0 if newest is None else int(newest[0])
    if since is None or since[0] is None:
        return RecentChanges(number, None)
    changed = await select_where(project, _CHANGED, since=since[0])
    wanted = passing or changed
    expiring = await select_where(project, _ALL_PASSING) if wanted else []
    return RecentChanges(
        number, int(since[0]), [memory for _, memory in changed], [each for _, each in expiring]
    )


async def keep_order(project: SharedProject, event: int) -> None:
    """Record that memories were consolidated up to an event, unless a later one is recorded."""
    await project.execute(_KEEP_ORDER, event=event)


async def select_of_files(project: SharedProject) -> list[Memory]:
    """Read the memories in effect that come from a file with a hash."""
    return [memory for _, memory in await select_where(project, _OF_FILES)]


async def select_standing(project: SharedProject, ids: Collection[str]) -> frozenset[str]:
    """Return the ids of those memories that are still in effect."""
    rows = await project.all_rows(_STANDING, ids=list(ids), states=_TOLD)
    return frozenset(name for (name,) in rows)


async def select_known(
    project: SharedProject, ids: Collection[str], fingerprints: Collection[str]
) -> list[tuple[Memory, str]]:
    """Read the memories with these ids or fingerprints, each with its fingerprint."""
    rows = await project.named_rows(_KNOWN, ids=list(ids), fingerprints=list(fingerprints))
    return [(memory_of(row), str(row["fingerprint"])) for row in rows]


async def select_keys(project: SharedProject, keys: Sequence[int]) -> dict[int, Memory]:
    """Read the memories with these row keys."""
    return dict(await select_where(project, _OF_KEYS, keys=list(keys)))


async def select_events(project: SharedProject, memory_id: str | None) -> list[MemoryEvent]:
    """Read the audit trail of one memory or of all, oldest first."""
    return [_event(row) for row in await project.all_rows(_EVENTS, id=memory_id)]


async def select_cursor(project: SharedProject, session_id: str, read_by: ReadBy) -> Cursor | None:
    """Read the cursor of a session: how far it was read for memories."""
    row = await project.first_row(_CURSOR, session=session_id, read_by=read_by)
    return None if row is None else Cursor(session_id, row[0], row[1], read_by)


async def move_cursor(project: SharedProject, advance: Advance) -> None:
    """Store the cursor of a session; raises LogConflict if another process moved it."""
    cursor = advance.cursor
    held = await select_cursor(project, cursor.session_id, cursor.read_by)
    if held != advance.expected:
        raise overtaken_cursor(cursor.session_id)
    await project.execute(
        _MOVE,
        session=cursor.session_id,
        read_by=cursor.read_by,
        message=cursor.message_id,
        count=cursor.count,
    )


def _values(states: Collection[MemoryState]) -> list[str]:
    return [state.value for state in states]


def _event(row: Sequence[Any]) -> MemoryEvent:
    at, name, action, author, reason, mark = row
    return MemoryEvent(
        at=at,
        memory_id=name,
        action=Action(action),
        author=Author(author),
        reason=reason,
        fingerprint=mark,
    )

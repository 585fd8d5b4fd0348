"""Takes a folder's part in a team along when the folder was moved."""

import sqlite3
from dataclasses import replace

from plimsoll.memory.types import Memory, MemoryScope
from plimsoll.storage.replica.membership import select_joined
from plimsoll.storage.shared.sharing import is_own

_PINS = "SELECT id, author_name, scope FROM workspace_pins JOIN pin_sharing ON pin = number"
_SHARE_PIN = """
INSERT OR IGNORE INTO pin_sharing (pin, author_name, scope)
SELECT number, ?2, ?3 FROM workspace_pins WHERE id = ?1
"""
_JOINED = "SELECT project, name, url, joined_at, position, seen_at FROM team"
_AUTHORS = "SELECT name, at FROM team_authors"
_ACCEPT = "INSERT OR IGNORE INTO team_authors (name, at) VALUES (?, ?)"
_WAITING = "SELECT key, body FROM team_outbox ORDER BY place"
_ENQUEUE = "INSERT OR IGNORE INTO team_outbox (key, body) VALUES (?, ?)"
_SESSIONS = """
SELECT session, record, length, machine, held, sent, fence, deleted, stays FROM team_sessions
"""
_HEAR = """
INSERT OR IGNORE INTO team_sessions
  (session, record, length, machine, held, sent, fence, deleted, stays)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_COPIES = ((_ACCEPT, _AUTHORS), (_ENQUEUE, _WAITING), (_HEAR, _SESSIONS), (_SHARE_PIN, _PINS))


def goes_along(old: sqlite3.Connection, new: sqlite3.Connection) -> bool:
    """Tell whether shared memories stay shared: not if the new folder is in another project."""
    there, here = select_joined(old), select_joined(new)
    return there is None or here is None or there.project == here.project


def moved_memory(memory: Memory, *, along: bool) -> Memory | None:
    """Return a memory as the moved folder has it; None for a colleague's of a team left behind."""
    if along:
        return memory
    if not is_own(memory):
        return None
    return replace(memory, scope=MemoryScope.PRIVATE, version=None, seen_at=None)


def copy_team(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy a folder's part in a team, when its memories and pins have been copied."""
    there = select_joined(old)
    if there is None:
        return
    if select_joined(new) is None:
        row = old.execute(_JOINED).fetchone()
        new.execute("INSERT INTO team VALUES (?, ?, ?, ?, ?, ?)", row)
    else:
        # What either of them has not taken in is read again.
        new.execute("UPDATE team SET position = min(position, ?)", (there.position,))
    for insert, select in _COPIES:
        new.executemany(insert, old.execute(select))

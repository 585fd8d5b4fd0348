"""The tables of a store as salvage recognises them: column types, and an insert for each.

A damaged file may have lost its schema, so a row is recognised by its values.
"""

from collections.abc import Mapping

from plimsoll.storage.database.pages import Value

_TEXT, _MAYBE, _WHOLE, _KEY = (str,), (str, type(None)), (int,), (type(None),)
SHARED_PINS = frozenset({"mine", "team", "hidden", "waiting"})
"""What is said of the sharing of a pin, which other rows of that shape have not in this place."""
Shape = tuple[tuple[type, ...], ...]

SHAPES: Mapping[str, Shape] = {
    "sessions": (_KEY, *(_TEXT,) * 7, _WHOLE, _MAYBE, _TEXT),
    "entries": (_WHOLE, _WHOLE, _TEXT),
    "agents": (_KEY, _TEXT, _WHOLE),
    "session_addresses": (_WHOLE, _WHOLE, _TEXT, _MAYBE),
    "memories": (
        (_KEY, *(_TEXT,) * 8, _MAYBE, _WHOLE, _WHOLE)
        + (_MAYBE,) * 4
        + (_TEXT, _MAYBE, _WHOLE, _MAYBE, _MAYBE, _TEXT, _MAYBE, _TEXT, _TEXT)
        + (_TEXT, (int, type(None)), _TEXT, _WHOLE)
    ),
    "memory_events": (_KEY, *(_TEXT,) * 4, _MAYBE, _TEXT),
    "memory_key": ((bytes,),),
    "workspace_pins": (_KEY, _TEXT, _TEXT, _TEXT),
    "exchanges": (_KEY, _TEXT, _WHOLE, *(_TEXT,) * 4),
    "sqlite_sequence": (_TEXT, _WHOLE),
    "team": (*(_TEXT,) * 4, _WHOLE, _MAYBE),
    "memory_sharing": (_KEY, (int, type(None)), _MAYBE),
    "pin_sharing": (_KEY, _MAYBE, _TEXT),
}
"""Tables by the types of their columns; no two are the same, since the tables are strict."""
ADDED: Mapping[str, tuple[Value, ...]] = {"memories": ("private", None, "[]", 0)}
"""Defaults of columns that were added by a later version."""
INDEXED: Mapping[str, Shape] = {
    "memory_tombstones": (_TEXT, _TEXT, _TEXT),
    "memory_cursors": (_TEXT, _TEXT, _WHOLE),
    "skills_off": (_TEXT, _TEXT),
}
"""Tables without row numbers, which are stored as an index."""
NEW_SESSION = "INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
NEW_ENTRY = "INSERT INTO entries (rowid, session, place, body) VALUES (?, ?, ?, ?)"
INSERTS: Mapping[str, str] = {
    "agents": (
        "INSERT OR IGNORE INTO agents SELECT ?1, ?2, ?3 "
        "WHERE EXISTS (SELECT 1 FROM sessions WHERE key = ?1)"
    ),
    "session_addresses": (
        "INSERT OR IGNORE INTO session_addresses SELECT ?1, ?2, ?3, ?4 "
        "WHERE EXISTS (SELECT 1 FROM sessions WHERE key = ?1)"
    ),
    "memories": (
        "INSERT OR IGNORE INTO memories VALUES "
        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ),
    "memory_events": "INSERT OR IGNORE INTO memory_events VALUES (?, ?, ?, ?, ?, ?, ?)",
    "memory_key": "INSERT OR IGNORE INTO memory_key VALUES (?)",
    "workspace_pins": "INSERT OR IGNORE INTO workspace_pins VALUES (?, ?, ?, ?)",
    "exchanges": "INSERT OR IGNORE INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?)",
    "memory_tombstones": "INSERT OR IGNORE INTO memory_tombstones VALUES (?, ?, ?)",
    "memory_cursors": "INSERT OR IGNORE INTO memory_cursors VALUES (?, ?, ?)",
    "skills_off": "INSERT OR IGNORE INTO skills_off VALUES (?, ?)",
}

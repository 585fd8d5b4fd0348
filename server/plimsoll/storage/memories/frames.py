"""Removes a purged memory from the frames in logs that told sessions of it."""

import sqlite3

from plimsoll.context.log.entries import Framed, Slot
from plimsoll.context.log.serialization import decode, encode
from plimsoll.memory.injection import without_memory

_FRAMES = """
SELECT rowid, body FROM entries WHERE instr(body, '"memories"') > 0 AND instr(body, ?) > 0
"""


def purge_from_logs(connection: sqlite3.Connection, memory_id: str) -> None:
    """Remove a purged memory from all frames that told sessions of it.

    The one change that is ever made to a log: a person's wish to remove a text for good has
    precedence over the rule that a log only grows. No entry is removed, and later frames lose only
    that memory.
    """
    for key, body in connection.execute(_FRAMES, (memory_id,)).fetchall():
        frame = decode(body)
        if isinstance(frame, Framed) and frame.kind is Slot.MEMORIES:
            rest = encode(without_memory(frame, memory_id))
            connection.execute("UPDATE entries SET body = ? WHERE rowid = ?", (rest, key))

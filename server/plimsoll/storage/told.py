"""What sessions were told of a memory: a purge removes it from their logs too.

The one change that is ever made to a log: what a person wants gone for good weighs more than that
a log only grows. No entry goes, and no later frame changes but by what was taken out.
"""

import sqlite3

from plimsoll.context.entries import Framed, Slot
from plimsoll.context.serialization import decode, encode
from plimsoll.memory.injection import without

_FRAMES = """
SELECT rowid, body FROM entries WHERE instr(body, '"memories"') > 0 AND instr(body, ?) > 0
"""


def take_out_of_logs(connection: sqlite3.Connection, memory_id: str) -> None:
    """Take a memory out of all frames in which sessions were told of it."""
    for key, body in connection.execute(_FRAMES, (memory_id,)).fetchall():
        frame = decode(body)
        if isinstance(frame, Framed) and frame.kind is Slot.MEMORIES:
            rest = encode(without(frame, memory_id))
            connection.execute("UPDATE entries SET body = ? WHERE rowid = ?", (rest, key))

"""One of several processes that write memories.

    python memory_writer_driver.py ROOT DATA NAME WRITES

Prints the longest wait of a write in seconds.
"""

import asyncio
import sys
import time
from pathlib import Path

from memory.samples import AT, memory
from plimsoll.memory.changes import Add
from plimsoll.memory.types import MemorySource
from plimsoll.storage.database.on_disk import open_project_database
from plimsoll.storage.locate import locate
from plimsoll.storage.memories.store import SqliteMemories


def ignore(error: object) -> None:
    raise RuntimeError(str(error))


async def main(root: Path, data: Path, name: str, writes: int) -> None:
    paths = locate(root, data)
    database = await open_project_database(paths.folder, ignore)
    store = SqliteMemories(database)
    longest = 0.0
    try:
        for number in range(writes):
            text = f"Process {name} wrote note{number}x{name}."
            note = memory(f"{name}-{number}", text, source=MemorySource(session_id=name))
            begun = time.monotonic()
            await store.apply([Add(note)], AT)
            longest = max(longest, time.monotonic() - begun)
    finally:
        await database.close()
    sys.stdout.write(f"{longest:.3f}\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))

"""One of several processes that read a log and append to it.

    python two_editors_driver.py ROOT DATA NAME UNITS

Prints the longest wait of a unit in seconds.
"""

import asyncio
import sys
import time
from pathlib import Path

from plimsoll.errors import LogConflict
from plimsoll.storage.base import SessionStore
from plimsoll.storage.locate import locate
from plimsoll.storage.registry import open_store
from storage.samples import pair, unchanged


async def append(store: SessionStore, name: str) -> None:
    length = 0
    while True:
        length += len(await store.entries("shared", length))
        try:
            await store.append("shared", pair(name), length)
        except LogConflict:
            continue
        return


async def main(root: Path, data: Path, name: str, units: int) -> None:
    store = await open_store("sqlite", locate(root, data), unchanged, lambda error: None)
    longest = 0.0
    try:
        for number in range(units):
            begun = time.monotonic()
            await append(store, f"{name}-{number}-")
            longest = max(longest, time.monotonic() - begun)
    finally:
        await store.close()
    sys.stdout.write(f"{longest:.3f}\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))

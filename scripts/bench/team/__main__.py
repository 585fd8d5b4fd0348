"""Searching and changing at a team's server, as memories and clients become more.

Times are the median and the 95th percentile, in milliseconds. All clients are tasks of one process,
which shares the machine with the server, started here on loopback and durable as it comes.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from common import table

from plimsoll.storage.postgres.opening import create_shared
from storage.postgres.engine import running
from team.changing import Changes
from team.searching import PROJECT, Stores, stores
from team.sessions import first_requests

SIZES, CLIENTS = [1_000, 10_000, 100_000], [1, 2, 4, 8, 16, 32]
SETTINGS = ("shared_buffers=512MB", "max_wal_size=4GB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, nargs="*", default=SIZES)
    parser.add_argument("--clients", type=int, nargs="*", default=CLIENTS)
    chosen = parser.parse_args()
    with running(*SETTINGS) as engine, tempfile.TemporaryDirectory() as name:
        asyncio.run(bench(engine.new_database(), Path(name), chosen))


async def bench(url: str, folder: Path, chosen: argparse.Namespace) -> None:
    project = await create_shared(url, PROJECT)
    changes = Changes(url, project)
    async with stores(url, project, folder) as all_of_them:
        for size in sorted(chosen.memories):
            await all_of_them.grow(size)
            await searches(all_of_them, size, chosen.clients)
            await changing(changes, size, chosen.clients)
        print("\non the wire, in round trips and bytes")
        table(["what", "round trips", "sent", "received"], await changes.news())
    print(f"\na session's first request, ms (load {os.getloadavg()[0]:.1f})")
    table(["team's server", "median", "more, in pairs"], await first_requests(url, PROJECT))


async def changing(changes: Changes, size: int, clients: list[int]) -> None:
    took = [(count, await changes.share(count)) for count in clients]
    rows = [[f"{size:,}", f"{count}", f"{one.a_second:.0f}", str(one)] for count, one in took]
    print(f"\nchanges of one project (load {os.getloadavg()[0]:.1f})")
    table(["memories", "clients", "a second", "ms"], rows)


async def searches(all_of_them: Stores, size: int, clients: list[int]) -> None:
    rows: list[list[str]] = []
    for count in clients:
        took = await all_of_them.search(count)
        rows.append([f"{size:,}", f"{count}", *map(str, took.values())])
    print(f"\nsearches, ms (load {os.getloadavg()[0]:.1f})")
    table(["memories", "clients", *took], rows)


if __name__ == "__main__":
    main()

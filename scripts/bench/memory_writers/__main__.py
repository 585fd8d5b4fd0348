"""How long a save waits where several processes write memories into one store and search in it.

    python -m memory_writers [--writes 300] [--processes 2 4]

Once with the write-ahead log of local disks, once with the rollback journal of all others. Each
process saves a memory, searches once, and saves the next, as fast as it can; beside it so many
processes insert the same texts into a plain SQLite file (write-ahead log, synced, BEGIN IMMEDIATE,
SQLite's own waiting). Both take turns in one run. At the end every memory must be there.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from common import AT, table

from plimsoll.errors import StoreError
from plimsoll.memory.changes import Add
from plimsoll.memory.types import Author, Memory, MemorySource, MemoryType, Trust
from plimsoll.storage.database.journal import Journal
from plimsoll.storage.database.on_disk import FileDatabase, open_project_database
from plimsoll.storage.locate import locate
from plimsoll.storage.memories.store import SqliteMemories

BUSY_SECONDS = 60
"""So that plain SQLite waits as long as it must."""
Waits = tuple[list[float], list[float]]
"""Milliseconds of each save and of each search."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--writes", type=int, default=300)
    parser.add_argument("--processes", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        kind, folder, name = given.write
        waits = WRITERS[kind](Path(folder), name, given.writes)
        print(json.dumps(waits))
        return
    rows = [
        row
        for count in given.processes
        for kind in WRITERS
        for row in measured(kind, count, given.writes)
    ]
    table(["", "p50 ms", "p99 ms", "longest ms", "longest / p50"], rows)


def measured(kind: str, processes: int, writes: int) -> list[list[str]]:
    """Let so many processes write at once; returns the rows of saves and of searches."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "project").mkdir()
        asked = [sys.executable, "-m", "memory_writers", "--writes", str(writes), "--write", kind]
        PREPARE[kind](folder)
        running = [
            subprocess.Popen([*asked, name, f"p{number}"], stdout=subprocess.PIPE)
            for number in range(processes)
        ]
        waits: list[Waits] = [json.loads(each.communicate()[0]) for each in running]
        kept = COUNT[kind](folder)
    if kept != processes * writes:
        raise SystemExit(f"{kind}: {kept} of {processes * writes} are there.")
    return [
        shown(f"{processes} processes, {kind}, {what}", [ms for each in waits for ms in each[part]])
        for part, what in enumerate(("save", "search"))
    ]


def shown(title: str, samples: Sequence[float]) -> list[str]:
    middle, most = statistics.median(samples), max(samples)
    late = statistics.quantiles(samples, n=100)[-1]
    return [title, f"{middle:.1f}", f"{late:.1f}", f"{most:.0f}", f"{most / middle:.0f}"]


def text_of(name: str, number: int) -> str:
    return f"Process {name} found that build step {number} needs the cache number{number}x{name}."


def write_ours(folder: Path, name: str, writes: int, journal: Journal) -> Waits:
    return asyncio.run(_write_ours(folder, name, writes, journal))


async def _write_ours(folder: Path, name: str, writes: int, journal: Journal) -> Waits:
    database = await _opened(folder, journal)
    store = SqliteMemories(database)
    saves: list[float] = []
    searches: list[float] = []
    for number in range(writes):
        note = Memory(
            id=f"{name}-{number}",
            type=MemoryType.PROJECT,
            title=f"Step {number}",
            content=text_of(name, number),
            author=Author.USER,
            trust=Trust.USER,
            created_at=AT,
            source=MemorySource(session_id=name),
        )
        begun = time.perf_counter()
        await store.apply([Add(note)], AT)
        saves.append((time.perf_counter() - begun) * 1000)
        begun = time.perf_counter()
        await store.search(f"Which cache does step {number} need?", AT, 10)
        searches.append((time.perf_counter() - begun) * 1000)
    await database.close()
    return saves, searches


async def _opened(folder: Path, journal: Journal) -> FileDatabase:
    place = locate(folder / "project", folder / "data").folder
    return await open_project_database(place, _warn, journal=journal)


def _warn(error: StoreError) -> None:
    print(error.message, file=sys.stderr)


def write_plainly(folder: Path, name: str, writes: int) -> Waits:
    saves: list[float] = []
    searches: list[float] = []
    with closing(_plain(folder)) as connection:
        for number in range(writes):
            begun = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO plain VALUES (?)", (text_of(name, number),))
            connection.execute("COMMIT")
            saves.append((time.perf_counter() - begun) * 1000)
            begun = time.perf_counter()
            connection.execute(
                "SELECT content FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10",
                (f"cache OR step OR {number}",),
            ).fetchall()
            searches.append((time.perf_counter() - begun) * 1000)
    return saves, searches


def _plain(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "plain.db", timeout=BUSY_SECONDS, isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def prepare_ours(folder: Path, journal: Journal) -> None:
    async def prepare() -> None:
        await (await _opened(folder, journal)).close()

    asyncio.run(prepare())


def prepare_plain(folder: Path) -> None:
    with closing(_plain(folder)) as connection:
        connection.execute("CREATE VIRTUAL TABLE plain USING fts5(content)")


def count_ours(folder: Path) -> int:
    database = locate(folder / "project", folder / "data").folder / "plimsoll.db"
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])


def count_plain(folder: Path) -> int:
    with closing(_plain(folder)) as connection:
        return int(connection.execute("SELECT count(*) FROM plain").fetchone()[0])


WAL, ROLLBACK, PLAIN = "ours", "ours, rollback journal", "plain SQLite"
WRITERS: dict[str, Callable[[Path, str, int], Waits]] = {
    WAL: partial(write_ours, journal="wal"),
    ROLLBACK: partial(write_ours, journal="delete"),
    PLAIN: write_plainly,
}
PREPARE: dict[str, Callable[[Path], None]] = {
    WAL: partial(prepare_ours, journal="wal"),
    ROLLBACK: partial(prepare_ours, journal="delete"),
    PLAIN: prepare_plain,
}
COUNT: dict[str, Callable[[Path], int]] = {
    WAL: count_ours,
    ROLLBACK: count_ours,
    PLAIN: count_plain,
}


if __name__ == "__main__":
    main()

"""D10: no commit ever overlaps a checkpoint, because neither happens without the turn."""

import asyncio
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plimsoll.errors import PlimsollError, StoreDamaged, StoreError, StoreUnavailable
from plimsoll.storage.database import on_disk
from plimsoll.storage.database.on_disk import FileDatabase, open_project_database
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.stores import FairLock
from storage.conftest import Open
from storage.samples import record, said


def sizes(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("plimsoll.db", "plimsoll.db-wal")}


def somebody_waits(folder: Path) -> bool:
    descriptor = os.open(folder / "plimsoll.queue", os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


@pytest.mark.parametrize("work", ["append", "scrub"])
async def test_writes_and_checkpoints_wait_for_the_turn(
    opened: Open, paths: ProjectPaths, work: str
) -> None:
    store = await opened()
    await store.create(record(), [said("a")])

    with FairLock(paths.folder).hold(60):
        before = sizes(paths.folder)
        waiting = asyncio.create_task(
            store.append("s1", [said("b")], 1) if work == "append" else store.database.scrub()
        )
        while not somebody_waits(paths.folder):
            await asyncio.sleep(0)
        during = sizes(paths.folder)

    await waiting
    assert during == before
    assert sizes(paths.folder) != before


async def test_reading_waits_for_nobody(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()
    await store.create(record(), [said("a")])

    with FairLock(paths.folder).hold(60):
        assert await store.entries("s1") == [said("a")]


@pytest.mark.slow
async def test_the_log_of_a_store_in_use_stays_when_another_process_leaves(
    opened: Open, paths: ProjectPaths
) -> None:
    store = await opened()
    await store.create(record(), [said("a")])
    log = paths.folder / "plimsoll.db-wal"
    in_use = log.stat().st_ino
    # As the last process to leave, it would checkpoint the log and remove it.
    other = f"import sqlite3; c = sqlite3.connect({str(paths.folder / 'plimsoll.db')!r}); "
    subprocess.run(
        [sys.executable, "-c", f"{other}c.execute('SELECT * FROM sessions'); c.close()"], check=True
    )
    assert log.stat().st_ino == in_use


async def test_closing_without_the_turn_makes_no_checkpoint(
    opened: Open, paths: ProjectPaths
) -> None:
    store = await opened()
    await store.create(record(), [said("a")])

    with FairLock(paths.folder).hold(60):
        before = sizes(paths.folder)
        await store.close()
        assert sizes(paths.folder) == before

    assert await (await opened()).entries("s1") == [said("a")]


async def test_the_log_is_emptied_from_time_to_time(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()
    await store.create(record())

    for number in range(400):
        await store.append("s1", [said(f"{number}", "x" * 1000)], number)

    # 400 commits are 6 MB and more of log, of which at most 64 commits are not yet in place.
    assert (paths.folder / "plimsoll.db-wal").stat().st_size < 2_500_000
    assert (paths.folder / "plimsoll.db").stat().st_size > 300_000


async def test_a_closed_database_says_so(opened: Open) -> None:
    store = await opened()
    await store.create(record())
    await store.close()

    for call in (store.get, store.delete, store.acquire):
        with pytest.raises(StoreUnavailable) as closed:
            await call("s1")
        assert "closed" in closed.value.message


async def test_a_write_that_waits_is_given_up_when_it_is_cancelled(
    opened: Open, paths: ProjectPaths
) -> None:
    store = await opened()
    await store.create(record())

    with FairLock(paths.folder).hold(60):
        waiting = asyncio.create_task(store.append("s1", [said("a")], 0))
        while not somebody_waits(paths.folder):
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    assert await store.append("s1", [said("b")], 0) == [said("b")]


async def test_a_failing_unit_leaves_nothing_and_its_error_is_kept(opened: Open) -> None:
    store = await opened()
    await store.create(record())
    database: FileDatabase = store.database

    def failing(error: Exception) -> Callable[[sqlite3.Connection], None]:
        def unit(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM sessions")
            raise error

        return unit

    for error, kind in (
        (KeyError("a"), KeyError),
        (PlimsollError("b"), PlimsollError),
        (sqlite3.OperationalError("c"), StoreUnavailable),
    ):
        with pytest.raises(kind):
            await database.write(failing(error))

    assert await store.get("s1") == record()


def without_end(connection: sqlite3.Connection) -> None:
    """A check that ends when it is interrupted."""
    connection.execute(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    )


async def test_closing_ends_a_check_that_runs(
    paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[StoreError] = []
    monkeypatch.setattr(on_disk, "find_fault", without_end)
    database = await open_project_database(paths.folder, found.append, check_at_once_bytes=0)
    check = database.check
    await database.close()

    assert check is not None
    assert not check._thread.is_alive()
    assert found == []


async def test_a_database_that_is_gone_is_closed_quietly(paths: ProjectPaths) -> None:
    database = await open_project_database(paths.folder, pytest.fail)
    shutil.rmtree(paths.folder)

    await database.close()

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database._connection.execute("SELECT 1")


async def test_a_schema_that_is_no_text_any_more_is_damage(
    opened: Open, paths: ProjectPaths
) -> None:
    store = await opened()
    with sqlite3.connect(paths.folder / "plimsoll.db") as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute(
            "UPDATE sqlite_master SET name = CAST(x'ff66' AS TEXT), sql = 'CREATE TABLE x('"
            " WHERE name = 'memory_tombstones'"
        )
        (version,) = other.execute("PRAGMA schema_version").fetchone()
        other.execute(f"PRAGMA schema_version = {version + 1}")
    other.close()

    with pytest.raises(StoreDamaged):
        await store.sessions()

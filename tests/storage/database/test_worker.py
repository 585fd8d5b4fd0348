"""aiosqlite's thread: what is dropped from its queue, what is completed, and how it ends."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Event

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.database.worker import Worker

LEFT_OPEN = """
import asyncio, sys
from pathlib import Path
from plimsoll.storage.database.on_disk import open_project_database

async def main():
    database = await open_project_database(Path(sys.argv[1]), print)
    begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def slow(connection):
        loop.call_soon_threadsafe(begun.set)
        connection.execute("INSERT INTO workspace_pins VALUES (1, 'p', 'now', 'kept')")
        connection.execute("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n"
                           " LIMIT 500000) SELECT count(*) FROM n").fetchone()

    writing = asyncio.create_task(database.write(slow))
    await begun.wait()
    raise SystemExit(7)

asyncio.run(main())
"""


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    connected = await Worker.connect(lambda: sqlite3.connect(":memory:"))
    yield connected
    await connected.close()


async def test_a_unit_that_is_cancelled_in_the_queue_is_never_called(worker: Worker) -> None:
    released, called = Event(), []
    first = asyncio.create_task(worker.run(lambda: released.wait(60)))
    second = asyncio.create_task(worker.run(lambda: called.append("second")))
    await asyncio.sleep(0)

    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    released.set()

    assert await first
    await worker.run(lambda: called.append("third"))
    assert called == ["third"]


async def test_a_unit_that_has_begun_is_completed_when_it_is_cancelled(worker: Worker) -> None:
    loop, begun, released, done = asyncio.get_running_loop(), asyncio.Event(), Event(), Event()

    def unit() -> None:
        loop.call_soon_threadsafe(begun.set)
        released.wait(60)
        done.set()

    running = asyncio.create_task(worker.run(unit))
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    released.set()

    await worker.run(lambda: None)
    assert done.is_set()


async def test_what_fails_at_connecting_is_raised_and_ends_the_thread(
    recwarn: pytest.WarningsRecorder,
) -> None:
    def refused() -> sqlite3.Connection:
        raise StoreUnavailable("The disk is full.")

    with pytest.raises(StoreUnavailable, match="disk is full"):
        await Worker.connect(refused)

    assert [str(one.message) for one in recwarn] == []


@pytest.mark.slow
def test_a_process_that_leaves_a_store_open_completes_what_runs_and_ends(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LEFT_OPEN, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert (ended.returncode, ended.stderr) == (7, "")
    assert not (tmp_path / "plimsoll.db-wal").exists()
    with sqlite3.connect(tmp_path / "plimsoll.db") as connection:
        assert connection.execute("SELECT text FROM workspace_pins").fetchall() == [("kept",)]

"""Where a write-ahead log would lose data, the store has a rollback journal and loses nothing."""

import asyncio
import fcntl
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path, PurePosixPath

import pytest

from plimsoll.errors import StoreDamaged, StoreNewer, StoreUnavailable
from plimsoll.storage.database.journal import (
    FileSystem,
    Journal,
    describe_journal,
    journal_of,
    kind_in_mounts,
    kind_in_statfs,
)
from plimsoll.storage.database.on_disk import FileDatabase, open_project_database
from plimsoll.storage.database.opening import open_database
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.stores import FairLock
from plimsoll.storage.sqlite import SqliteStore
from storage.samples import pair, record, said, unchanged

MOUNTS = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime master:1 shared:2 - ext4 /dev/vda rw
31 27 0:40 / /home rw,relatime shared:9 - nfs4 files:/home rw,vers=4.2
32 27 0:41 / /home/me/local rw,relatime - xfs /dev/vdb rw
33 27 0:42 / /media/My\040Disk rw,relatime - cifs //box/share rw
34 27 0:43 / /mnt/c rw,relatime - drvfs C: rw
35 27 0:44 / /work rw,relatime - ext4 /dev/vdc rw
36 35 0:45 / /work rw,relatime - virtiofs share rw
a line that nobody foresaw
"""

OpenWith = Callable[[Journal], Awaitable[SqliteStore]]


@pytest.mark.parametrize(
    ("path", "kind", "journal"),
    [
        ("/var/lib", "ext4", "wal"),
        ("/home/me/.local/share/plimsoll", "nfs4", "delete"),
        ("/homeward", "ext4", "wal"),
        ("/home/me/local/plimsoll", "xfs", "wal"),
        ("/media/My Disk/plimsoll", "cifs", "delete"),
        ("/mnt/c/Users", "drvfs", "delete"),
        ("/work/shared", "virtiofs", "delete"),
    ],
)
def test_the_nearest_mount_point_says_what_holds_a_path(
    path: str, kind: str, journal: Journal
) -> None:
    found = FileSystem(kind_in_mounts(MOUNTS, PurePosixPath(path)))

    assert (found.kind, found.journal) == (kind, journal)
    assert kind in describe_journal(found)


@pytest.mark.parametrize(
    ("kinds", "journal"),
    [
        ("ext2 ext3 ext4 xfs btrfs zfs tmpfs f2fs bcachefs apfs overlay", "wal"),
        (
            "nfs nfs4 cifs smb3 smbfs virtiofs 9p fuse fuse.sshfs fuseblk afs ceph unheard_of",
            "delete",
        ),
        (
            "glusterfs vboxsf prl_fs drvfs lustre webdav afpfs osxfuse",
            "delete",
        ),
    ],
)
def test_what_is_not_known_to_be_local_gets_a_rollback_journal(
    kinds: str, journal: Journal
) -> None:
    assert {FileSystem(kind).journal for kind in kinds.split()} == {journal}
    assert FileSystem(None).journal == "delete"
    assert kind_in_mounts("", PurePosixPath("/home")) is None


def test_macos_tells_the_kind_in_its_own_struct() -> None:
    answer = bytes(72) + b"smbfs".ljust(16, b"\0") + bytes(2000)

    assert kind_in_statfs(answer) == "smbfs"


@pytest.fixture
async def opened_with(paths: ProjectPaths) -> AsyncIterator[OpenWith]:
    """Opens stores of the project with a journal and closes them after the test."""
    stores: list[SqliteStore] = []

    async def open_one(journal: Journal) -> SqliteStore:
        database = await open_project_database(paths.folder, pytest.fail, journal=journal)
        stores.append(SqliteStore(database, unchanged, paths))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


async def test_without_shared_memory_two_stores_write_in_turn(
    opened_with: OpenWith, paths: ProjectPaths
) -> None:
    first, second = await opened_with("delete"), await opened_with("delete")
    await first.create(record("s1"))
    await second.create(record("s2"))

    async def fill(store: SqliteStore, name: str) -> None:
        for number in range(30):
            await store.append(name, [said(f"{name}-{number}")], number)
            await store.sessions()

    await asyncio.gather(fill(first, "s1"), fill(second, "s2"))

    assert [len(await first.entries(name)) for name in ("s1", "s2")] == [30, 30]
    assert {
        path.name for path in paths.folder.iterdir() if path.name.startswith("plimsoll.db")
    } == {"plimsoll.db"}
    synced = await first.database.read(lambda db: db.execute("PRAGMA synchronous").fetchone())
    assert synced == (3,)


async def test_a_log_that_a_crash_left_comes_along_into_the_other_journal(
    opened_with: OpenWith, paths: ProjectPaths
) -> None:
    store = await opened_with("wal")
    await store.create(record("s1"), [said("a")])
    crashed = paths.folder.with_name("crashed")
    shutil.copytree(paths.folder, crashed)
    assert (crashed / "plimsoll.db-wal").stat().st_size > 0
    (crashed / "plimsoll.db-shm").unlink()
    # Whoever wants shared memory fails.
    (crashed / "plimsoll.db-shm").mkdir()

    database = await open_project_database(crashed, pytest.fail, journal="delete")
    moved = SqliteStore(database, unchanged, ProjectPaths(crashed))
    assert await moved.entries("s1") == [said("a")]
    await moved.append("s1", [said("b")], 1)
    await moved.close()

    assert not (crashed / "plimsoll.db-wal").exists()
    assert journal_of(crashed / "plimsoll.db") == "delete"


async def test_a_log_that_a_crash_left_is_looked_at_without_shared_memory(
    opened_with: OpenWith, paths: ProjectPaths
) -> None:
    """What is refused stays as it is: no index of the log is made beside it."""
    store = await opened_with("wal")
    await store.database.write(lambda db: db.execute("PRAGMA user_version = 99").fetchall())
    crashed = paths.folder.with_name("crashed")
    crashed.mkdir()
    for name in ("plimsoll.db", "plimsoll.db-wal"):
        shutil.copyfile(paths.folder / name, crashed / name)

    with pytest.raises(StoreNewer):
        open_database(crashed, journal="delete")

    assert sorted(path.name for path in crashed.iterdir()) == ["plimsoll.db", "plimsoll.db-wal"]


async def test_a_log_that_somebody_uses_is_not_taken_from_them(
    opened_with: OpenWith, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plimsoll.storage.database.opening._BUSY_SECONDS", 0)
    store = await opened_with("wal")
    await store.create(record("s1"), [said("a")])

    with pytest.raises(StoreUnavailable) as refused:
        await open_project_database(paths.folder, pytest.fail, journal="delete")

    assert "Close other programs" in (refused.value.remedy or "")
    await store.append("s1", [said("b")], 1)
    assert await store.entries("s1") == [said("a"), said("b")]


async def test_a_store_that_machines_may_share_keeps_its_rollback_journal(
    opened_with: OpenWith, paths: ProjectPaths
) -> None:
    store = await opened_with("delete")
    await store.create(record("s1"), [said("a")])
    await store.close()

    seen_from_the_file_server = await opened_with("wal")

    assert await seen_from_the_file_server.entries("s1") == [said("a")]
    assert journal_of(paths.folder / "plimsoll.db") == "delete"


def half_written(paths: ProjectPaths, crashed: Path) -> None:
    """Copy a store in the middle of a transaction that is on the disk already."""
    connection = sqlite3.connect(paths.folder / "plimsoll.db", isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE entries SET body = 'torn'")
    connection.execute("DELETE FROM sessions")
    shutil.copytree(paths.folder, crashed)
    connection.execute("ROLLBACK")
    connection.close()
    assert (crashed / "plimsoll.db-journal").stat().st_size > 0


async def test_what_a_crash_wrote_by_half_is_rolled_back(
    opened_with: OpenWith, paths: ProjectPaths
) -> None:
    store = await opened_with("delete")
    entries = [entry for number in range(400) for entry in pair(f"{number}")]
    await store.create(record("s1"), entries)
    await store.close()
    crashed = paths.folder.with_name("crashed")
    half_written(paths, crashed)

    database: FileDatabase = await open_project_database(crashed, pytest.fail, journal="delete")
    mended = SqliteStore(database, unchanged, ProjectPaths(crashed))

    assert await mended.entries("s1") == entries
    await mended.close()


async def test_a_damaged_store_with_a_journal_left_is_not_changed(
    opened_with: OpenWith, paths: ProjectPaths
) -> None:
    store = await opened_with("delete")
    await store.create(record("s1"), [entry for n in range(400) for entry in pair(f"{n}")])
    await store.close()
    crashed = paths.folder.with_name("crashed")
    half_written(paths, crashed)
    path = crashed / "plimsoll.db"
    data = bytearray(path.read_bytes())
    data[68:72] = b"else"
    path.write_bytes(data)
    journal = crashed / "plimsoll.db-journal"
    journal.write_bytes(journal.read_bytes()[:512])
    before = {file.name: file.read_bytes() for file in (path, journal)}

    with pytest.raises(StoreDamaged):
        await open_project_database(crashed, pytest.fail, journal="delete")

    assert {file.name: file.read_bytes() for file in (path, journal)} == before
    assert not list(crashed.glob(".plimsoll.db*"))


async def test_a_file_system_without_locks_is_refused(
    paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)

    with pytest.raises(StoreUnavailable) as error:
        await open_project_database(paths.folder, pytest.fail)

    assert "No locks available" in error.value.message
    assert "local disk" in (error.value.remedy or "")


@pytest.mark.parametrize("journal", ["wal", "delete"])
async def test_beside_a_rollback_journal_readers_wait_for_their_turn(
    paths: ProjectPaths, journal: Journal
) -> None:
    database = await open_project_database(paths.folder, pytest.fail, journal=journal)

    with FairLock(paths.folder).hold(1):
        reading = asyncio.ensure_future(database.read(lambda _: "read"))
        # Whoever does not wait is done long before; whoever waits never is.
        await asyncio.wait([reading], timeout=60 if journal == "wal" else 0.2)
        assert reading.done() == (journal == "wal")

    assert await reading == "read"
    await database.close()

"""D5: a file that cannot be used is refused with a remedy and stays byte for byte as it is."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from plimsoll.errors import StoreDamaged, StoreError, StoreNewer, StoreUnavailable
from plimsoll.private_files import create_private
from plimsoll.storage.database.migrations import APPLICATION_ID, MIGRATIONS, version_of
from plimsoll.storage.database.on_disk import open_project_database
from plimsoll.storage.database.opening import look_at_database, open_database, remove_backups
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.registry import open_store
from storage.conftest import Open
from storage.samples import pair, record, said, unchanged

DAMAGES = 100


@pytest.fixture
async def database(opened: Open, paths: ProjectPaths) -> Path:
    """A closed store with some pages."""
    store = await opened()
    for name in ("s1", "s2"):
        await store.create(record(name), [entry for n in range(40) for entry in pair(f"{n}")])
    await store.close()
    return paths.folder / "plimsoll.db"


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but the locks, and the index of the log, which SQLite derives from the log."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and path.suffix not in (".lock", ".queue") and path.name[-4:] != "-shm"
    }


async def refused(paths: ProjectPaths, kind: type[StoreError]) -> StoreError:
    before = contents(paths.folder)
    with pytest.raises(kind) as error:
        await open_store("sqlite", paths, unchanged, lambda error: None)
    assert contents(paths.folder) == before
    assert error.value.remedy
    assert str(paths.folder) in error.value.message
    return error.value


def patch(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


async def test_a_new_store_is_marked_and_safe(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()

    def pragma(name: str) -> Callable[[sqlite3.Connection], object]:
        return lambda connection: connection.execute(f"PRAGMA {name}").fetchone()[0]

    names = ("application_id", "user_version", "journal_mode", "synchronous", "secure_delete")
    found = {name: await store.database.read(pragma(name)) for name in names}

    assert found == {
        "application_id": APPLICATION_ID,
        "user_version": len(MIGRATIONS),
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
    }
    assert await store.database.read(pragma("wal_autocheckpoint")) == 0


@pytest.mark.parametrize("data", [b"x", b"not a database at all, " * 400, bytes(8192)])
async def test_a_file_that_is_no_database_is_left_alone(paths: ProjectPaths, data: bytes) -> None:
    (paths.folder / "plimsoll.db").write_bytes(data)

    await refused(paths, StoreDamaged)


async def test_another_programs_database_is_left_alone(paths: ProjectPaths) -> None:
    with sqlite3.connect(paths.folder / "plimsoll.db") as foreign:
        foreign.execute("CREATE TABLE notes (text)")
    foreign.close()

    error = await refused(paths, StoreDamaged)

    assert "not a store of Plimsoll" in error.message


@pytest.mark.parametrize("letter", [b"x", b"\xf6"])
async def test_a_view_with_a_changed_letter_is_left_alone(
    database: Path, paths: ProjectPaths, letter: bytes
) -> None:
    data = database.read_bytes()
    view = data.index(b"CREATE VIEW session_records")
    patch(database, data.index(b"workspace", view), letter)

    await refused(paths, StoreDamaged)


async def test_a_newer_store_is_left_alone(database: Path, paths: ProjectPaths) -> None:
    patch(database, 60, (99).to_bytes(4, "big"))

    error = await refused(paths, StoreNewer)

    assert "version 99" in error.message


async def test_a_newer_version_that_is_only_in_the_log_is_left_alone(
    database: Path, paths: ProjectPaths
) -> None:
    newer = sqlite3.connect(database, isolation_level=None)
    newer.execute("PRAGMA user_version = 99")
    crashed = paths.folder.with_name("crashed")
    shutil.copytree(paths.folder, crashed)
    newer.close()

    await refused(ProjectPaths(crashed), StoreNewer)


async def test_a_folder_or_link_in_place_of_the_file_is_left_alone(
    paths: ProjectPaths, tmp_path: Path
) -> None:
    (paths.folder / "plimsoll.db").mkdir()
    await refused(paths, StoreDamaged)
    (paths.folder / "plimsoll.db").rmdir()
    (paths.folder / "plimsoll.db").symlink_to(tmp_path / "elsewhere")
    await refused(paths, StoreDamaged)

    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
@pytest.mark.parametrize("left", [None, b"", b"x"], ids=["missing", "empty", "a byte"])
async def test_a_lost_file_whose_log_is_still_there_is_not_built_anew(
    paths: ProjectPaths, suffix: str, left: bytes | None
) -> None:
    if left is not None:
        (paths.folder / "plimsoll.db").write_bytes(left)
    (paths.folder / f"plimsoll.db{suffix}").write_bytes(b"the only copy")

    await refused(paths, StoreDamaged)


async def test_what_a_crash_left_while_building_is_built_anew(
    opened: Open, paths: ProjectPaths
) -> None:
    (paths.folder / "plimsoll.db").touch()
    (paths.folder / "plimsoll.db-wal").touch()
    (paths.folder / ".plimsoll.db.0123").write_bytes(b"half")
    (paths.folder / ".plimsoll.db.0123-journal").write_bytes(b"half")

    store = await opened()
    await store.create(record())

    assert not list(paths.folder.glob(".plimsoll.db*"))
    assert (paths.folder / "plimsoll.db").stat().st_mode & 0o777 == 0o600


async def test_damaged_stores_are_refused_or_sound_and_never_changed(
    database: Path, paths: ProjectPaths, seed: int
) -> None:
    chance = random.Random(seed)
    original = database.read_bytes()
    refusals = 0
    for number in range(DAMAGES):
        folder = paths.folder.with_name(f"damaged-{number}")
        folder.mkdir()
        data = bytearray(original)
        for _ in range(chance.choice([1, 3, 20])):
            # The tail of the first page holds the schema; later pages hold rows.
            at = chance.choice([chance.randrange(100), chance.randrange(len(data))])
            data[at : at + 16] = chance.randbytes(min(16, len(data) - at))
        if number % 4 == 0:
            del data[chance.randrange(1, len(data)) :]
        damaged = folder / "plimsoll.db"
        damaged.write_bytes(data)
        if number % 5 == 0:
            (folder / "plimsoll.db-wal").write_bytes(chance.randbytes(5000))
        before = contents(folder)
        try:
            store = await open_store("sqlite", ProjectPaths(folder), unchanged, pytest.fail)
        except StoreError as error:
            refusals += 1
            assert isinstance(error, StoreDamaged | StoreNewer | StoreUnavailable)
            assert contents(folder) == before, number
        else:
            await store.close()
    assert refusals > DAMAGES // 2


async def test_damage_that_shows_later_is_told(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()
    await store.create(record(), [entry for n in range(400) for entry in pair(f"{n}")])
    await store.database.scrub()
    other = await opened()
    path = paths.folder / "plimsoll.db"
    patch(path, path.stat().st_size // 2 // 4096 * 4096, b"\xff" * 4096)

    with pytest.raises(StoreDamaged):
        await other.entries("s1")


async def test_a_large_store_is_checked_in_the_background(
    database: Path, paths: ProjectPaths
) -> None:
    page = database.read_bytes().rindex(b'"role"') // 4096 * 4096
    patch(database, page + 8, b"\xff" * 2000)
    found: list[StoreError] = []
    opened = await open_project_database(paths.folder, found.append, check_at_once_bytes=1000)
    opened.check.wait()
    await opened.close()

    assert [type(error) for error in found] == [StoreDamaged]


async def test_an_older_store_is_copied_and_brought_up_to_date(
    database: Path, paths: ProjectPaths
) -> None:
    def m_logbook(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE logbook (text TEXT)")

    known = len(MIGRATIONS)
    open_database(paths.folder, migrations=(*MIGRATIONS, m_logbook)).close()

    (backup,) = (paths.folder / "backups").iterdir()
    assert backup.stat().st_mode & 0o777 == 0o600
    for path, version, tables in ((database, known + 1, 1), (backup, known, 0)):
        with sqlite3.connect(path) as connection:
            named = "SELECT count(*) FROM sqlite_schema WHERE name = 'logbook'"
            assert version_of(connection) == version
            assert connection.execute(named).fetchone() == (tables,)
            assert connection.execute("SELECT count(*) FROM entries").fetchone() == (160,)
            records = connection.execute("SELECT version, name FROM migrations").fetchall()
            names = [migration.__name__ for migration in (*MIGRATIONS, m_logbook)]
            assert records == list(enumerate(names, 1))[:version]
        connection.close()
    remove_backups(paths.folder)
    assert not backup.exists()


async def test_a_copy_survives_a_power_cut_before_the_store_is_changed(
    database: Path, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync, synced, folder = os.fsync, set[int](), paths.folder / "backups"
    kept: list[bool] = []

    def fsync(descriptor: int) -> None:
        synced.add(os.fstat(descriptor).st_ino)
        sync(descriptor)

    def m_logbook(connection: sqlite3.Connection) -> None:
        kept.append(folder.stat().st_ino in synced)

    monkeypatch.setattr(os, "fsync", fsync)
    open_database(paths.folder, migrations=(*MIGRATIONS, m_logbook)).close()

    assert kept == [True]


async def test_a_migration_that_fails_leaves_the_version_before_it(
    database: Path, opened: Open, paths: ProjectPaths
) -> None:
    def m002_broken(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE logbook (text TEXT)")
        connection.execute("DELETE FROM entries")
        connection.execute("DELETE FROM nowhere")

    with pytest.raises(StoreUnavailable):
        open_database(paths.folder, migrations=(*MIGRATIONS, m002_broken))

    store = await opened()
    assert len(await store.entries("s1")) == 80
    tables = await store.database.read(
        lambda db: db.execute("SELECT name FROM sqlite_schema WHERE name = 'logbook'").fetchall()
    )
    assert tables == []


async def test_a_folder_that_cannot_be_written_is_told(paths: ProjectPaths) -> None:
    (paths.folder / "plimsoll.queue").mkdir()

    with pytest.raises(StoreUnavailable) as error:
        await open_store("sqlite", paths, unchanged, lambda error: None)

    assert error.value.remedy


@pytest.mark.parametrize("above", [0, 1])
async def test_a_store_is_checked_up_to_a_size_and_nothing_is_changed(
    database: Path, monkeypatch: pytest.MonkeyPatch, above: int
) -> None:
    most = database.stat().st_size - above
    monkeypatch.setattr("plimsoll.storage.database.opening.CHECK_AT_ONCE_BYTES", most)
    before = contents(database.parent)
    assert look_at_database(database.parent) is not bool(above)
    assert contents(database.parent) == before


async def test_damage_is_found_by_looking_and_the_file_is_left(database: Path) -> None:
    size = database.stat().st_size
    patch(database, size // 2, bytes(size // 2))
    before = contents(database.parent)
    with pytest.raises(StoreDamaged):
        look_at_database(database.parent)
    assert contents(database.parent) == before


def test_a_folder_without_a_store_has_nothing_to_check(tmp_path: Path) -> None:
    assert look_at_database(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_private_file_is_never_one_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")

    with pytest.raises(FileExistsError):
        create_private(tmp_path / "link")

    assert not (tmp_path / "target").exists()


async def test_a_full_disk_is_told_and_leaves_the_log_whole(opened: Open) -> None:
    store = await opened()
    await store.create(record(), [said("a")])
    await store.database.write(lambda db: db.execute("PRAGMA max_page_count = 20").fetchall())

    with pytest.raises(StoreUnavailable) as full:
        await store.append("s1", [said("b"), said("c", "x" * 200_000)], 1)

    assert "disk space" in (full.value.remedy or "")
    assert await store.entries("s1") == [said("a")]
    assert await store.append("s1", [said("b")], 1) == [said("b")]

"""What the store on disk keeps to beyond the contract."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.locate import ProjectPaths, locate
from plimsoll.storage.registry import open_store
from plimsoll.storage.spill import Spills
from storage.conftest import Open
from storage.samples import record, said, unchanged

LEASE_HOLDER = """
import asyncio, sys
from pathlib import Path
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.registry import open_store

async def main():
    store = await open_store("sqlite", ProjectPaths(Path(sys.argv[1])), str, print)
    await store.acquire("s1")
    print("held", flush=True)
    await asyncio.sleep(100)

asyncio.run(main())
"""


async def test_sessions_outlive_the_store(opened: Open) -> None:
    store = await opened()
    await store.create(record(), [said("a")])
    await store.close()

    again = await opened()

    assert await again.get("s1") == record()
    assert await again.entries("s1") == [said("a")]


async def test_two_open_stores_see_each_others_writes(opened: Open) -> None:
    one, other = await opened(), await opened()

    await one.create(record())
    await other.append("s1", [said("a")], 0)

    assert await one.entries("s1") == [said("a")]


async def test_a_closed_store_is_one_file(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()
    await store.create(record())

    await store.close()

    assert sorted(
        path.name for path in paths.folder.iterdir() if path.suffix.startswith(".db")
    ) == ["plimsoll.db"]


async def test_only_the_owner_can_read_anything(tmp_path: Path) -> None:
    earlier = os.umask(0)
    try:
        (tmp_path / "project").mkdir()
        paths = locate(tmp_path / "project", tmp_path / "data")
        store = await open_store("sqlite", paths, unchanged, pytest.fail)
        await store.create(record())
        await store.acquire("s1")
        Spills(paths, unchanged).of("s1").write("c1", "text")
        modes = {
            path.relative_to(paths.folder.parent): path.stat().st_mode & 0o777
            for path in paths.folder.parent.rglob("*")
        }
        await store.close()
    finally:
        os.umask(earlier)

    folders = {path for path in modes if (paths.folder.parent / path).is_dir()}
    assert len(modes) - len(folders) >= 8
    assert {mode for path, mode in modes.items() if path not in folders} == {0o600}
    assert {modes[path] for path in folders} == {0o700}
    assert (tmp_path / "data" / "projects").stat().st_mode & 0o777 == 0o700


async def test_nothing_of_a_deleted_session_is_left_on_disk(
    opened: Open, paths: ProjectPaths
) -> None:
    store, other = await opened(), await opened()
    await store.create(
        record("s1", title="barnacle"), [said(f"{n}", "barnacle") for n in range(50)]
    )
    await store.create(record("s2"), [said("kept", "mussel")])
    Spills(paths, unchanged).of("s1").write("c1", "barnacle")
    (paths.folder / "backups").mkdir()
    (paths.folder / "backups" / "version-1-00.db").write_text("barnacle")

    await other.delete("s1")

    left = [path for path in paths.folder.rglob("*") if path.is_file()]
    assert [path for path in left if b"barnacle" in path.read_bytes()] == []
    assert not paths.session("s1").exists()
    assert await store.entries("s2") == [said("kept", "mussel")]


async def test_a_session_in_use_elsewhere_is_not_deleted(opened: Open) -> None:
    one, other = await opened(), await opened()
    await one.create(record(), [said("a")])
    lease = await one.acquire("s1")

    with pytest.raises(Busy):
        await other.delete("s1")

    assert await other.entries("s1") == [said("a")]
    await one.release(lease)
    await other.delete("s1")


@pytest.mark.slow
async def test_a_lease_ends_with_its_process(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()
    await store.create(record())
    holder = subprocess.Popen(
        [sys.executable, "-c", LEASE_HOLDER, paths.folder], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy) as busy:
            await store.acquire("s1")
        holder.kill()
        holder.wait()

    assert busy.value.data == {"heldBy": f"pid {holder.pid}"}
    assert (await store.acquire("s1")).holder == f"pid {os.getpid()}"


async def test_closing_gives_leases_back(opened: Open) -> None:
    one, other = await opened(), await opened()
    await one.create(record())
    await one.acquire("s1")

    await one.close()

    await other.acquire("s1")


async def test_a_store_that_was_replaced_takes_no_writes(opened: Open, paths: ProjectPaths) -> None:
    store = await opened()
    await store.create(record())
    path = paths.folder / "plimsoll.db"
    path.rename(path.with_name("moved.db"))

    with pytest.raises(StoreUnavailable):
        await store.append("s1", [said("a")], 0)
    path.touch()
    with pytest.raises(StoreUnavailable) as replaced:
        await store.append("s1", [said("a")], 0)

    assert "replaced" in replaced.value.message
    path.with_name("moved.db").replace(path)


async def test_any_id_can_name_a_session(opened: Open, paths: ProjectPaths, tmp_path: Path) -> None:
    store = await opened()
    before = {path for path in tmp_path.rglob("*") if path.is_dir()}
    for name in ("../../escape", "/absolute", "", ".", "nul\0", "x" * 300, "s 1", "日本"):
        await store.create(record(name))
        await store.release(await store.acquire(name))

    made = {path for path in tmp_path.rglob("*") if path.is_dir()} - before
    assert {path.parent for path in made} == {paths.sessions}
    assert len(made) == 8
    await store.delete("../../escape")


async def test_a_long_log_is_stored_and_read_off_the_loop(opened: Open) -> None:
    store = await opened(redact=Secrets({"SHIP_KEY": "sail-and-anchor"}))
    log = [said(f"m{number}", "sail-and-anchor") for number in range(1000)]

    await store.create(record(), log)

    read = await store.entries("s1")
    assert read == [said(entry.id, "[redacted: SHIP_KEY]") for entry in log]


@pytest.mark.parametrize("size", [10, 2_000_000])
async def test_a_long_text_is_coded_off_the_loop(paths: ProjectPaths, size: int) -> None:
    threads: set[int] = set()

    def redact(text: str) -> str:
        threads.add(threading.get_ident())
        return text

    store = await open_store("sqlite", paths, redact, print)
    await store.create(record())
    threads.clear()
    await store.append("s1", [said("a", "x" * size)], 0)
    assert (threading.get_ident() in threads) is (size == 10)
    await store.close()

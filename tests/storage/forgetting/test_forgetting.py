"""Leaving: all that is kept of a folder goes, nothing else does, nothing under a server."""

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.storage.forgetting import forget_everything, list_kept, read_stored_sessions
from plimsoll.storage.locate import ProjectPaths, locate
from plimsoll.storage.locks.stores import Presence, keep_others_out
from plimsoll.storage.registry import open_store
from plimsoll.storage.spill import Spills, remove_folder
from plimsoll.terminal.line_editing.history import HISTORY_FILE, PromptHistory
from storage.conftest import Open
from storage.samples import pair, record, said, unchanged
from storage.vanishing import vanish_when_listed

NOBODY = 65534


@pytest.fixture
async def other(tmp_path: Path) -> Path:
    """A second folder of which something is kept."""
    root = tmp_path / "other"
    root.mkdir()
    store = await open_store("sqlite", locate(root, tmp_path / "data"), unchanged, pytest.fail)
    await store.create(record("s9"), [said("a")])
    await store.close()
    return root


@pytest.fixture
async def filled(opened: Open, paths: ProjectPaths, tmp_path: Path) -> Path:
    """The first folder, with sessions, pins and files."""
    store = await opened()
    await store.create(record("s1"), pair("a"))
    await store.create(record("s2"))
    await store.pins.add("p1", "Use tabs.", "2026-01-01T00:00:00Z")
    await store.close()
    Spills(paths, unchanged).of("s1").write("c1", "a long output")
    return tmp_path / "project"


async def test_what_is_kept_is_shown(filled: Path, other: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"

    (one,) = list_kept(data, filled)

    assert (one.root, one.sessions, one.memories, one.pins) == (str(filled), 2, 0, 1)
    assert one.bytes == sum(f.stat().st_size for f in one.folder.rglob("*") if f.is_file())
    assert {each.root for each in list_kept(data, None)} == {str(filled), str(other)}
    assert list_kept(data, tmp_path / "never seen") == []


async def test_the_sessions_of_every_folder_that_is_there_are_read(
    opened: Open, filled: Path, other: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    gone, damaged = tmp_path / "gone", tmp_path / "damaged"
    for root in (gone, damaged):
        root.mkdir()
        shutil.copytree(locate(other, data).folder, locate(root, data).folder, dirs_exist_ok=True)
        locate(root, data)
    gone.rmdir()
    for file in locate(damaged, data).folder.glob("*.db"):
        file.write_bytes(b"no database" * 400)

    assert sorted(each.id for each in read_stored_sessions(data, 9)) == ["s1", "s2", "s9"]
    assert len(read_stored_sessions(data, 1)) == 2
    store = await opened()
    await store.create(record("s3"))
    assert "s3" in {each.id for each in read_stored_sessions(data, 9)}
    await store.close()


async def test_one_folder_is_forgotten_and_the_other_stays(
    filled: Path, other: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (before,) = list_kept(data, other)
    filled.rmdir()

    forget_everything(data, filled)

    assert list_kept(data, None) == [before]
    assert not list(data.rglob("*.txt"))


async def test_all_is_forgotten_and_what_is_not_ours_stays(
    filled: Path, other: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (data / "mine.txt").write_text("stay")
    (data / "mends.json").write_text("[]")
    (data / "projects" / ".forgotten-by-a-crash").mkdir()

    forget_everything(data, None)
    forget_everything(data, None)

    assert {path.name for path in data.rglob("*")} == {"mine.txt", "projects"}
    assert filled.is_dir()


async def test_nothing_goes_while_somebody_has_a_store_open(
    opened: Open, filled: Path, other: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    before = list_kept(data, None)
    store = await opened()

    with pytest.raises(Busy, match="has the store of") as busy:
        forget_everything(data, None)

    assert busy.value.remedy
    assert [replace(one, files=0, bytes=0) for one in list_kept(data, None)] == [
        replace(one, files=0, bytes=0) for one in before
    ]
    await store.append("s2", [said("b")], 0)


async def test_a_store_that_is_being_removed_is_not_opened(
    opened: Open, paths: ProjectPaths, filled: Path
) -> None:
    with keep_others_out(paths.folder), pytest.raises(StoreUnavailable, match="being removed"):
        await opened()

    assert await (await opened()).entries("s1") == pair("a")


async def test_the_prompts_of_chats_are_forgotten_too(filled: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    history = PromptHistory(locate(filled, data).folder / HISTORY_FILE, unchanged)
    history.store_string("a prompt that nobody else keeps")
    assert b"nobody else" in b"".join(path.read_bytes() for path in data.rglob(HISTORY_FILE))

    forget_everything(data, filled)
    # A chat that outlives it brings nothing back.
    history.store_string("one more")

    assert not list(data.rglob(HISTORY_FILE))


@pytest.fixture
def of_an_ordinary_user() -> Iterator[Path]:
    """A folder of somebody who may not do what root may; the test runs as that user."""
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as made:
        folder, own = Path(made), os.geteuid()
        if own == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(own)


def test_what_a_build_tool_closed_goes_too(of_an_ordinary_user: Path) -> None:
    folder = of_an_ordinary_user / "kept"
    module = folder / "caches" / "go-mod" / "example.org"
    module.mkdir(parents=True)
    (module / "a.go").touch()
    (module / "link").symlink_to(of_an_ordinary_user)
    for closed, mode in ((module, 0o555), (module.parent, 0o000)):
        closed.chmod(mode)

    remove_folder(folder)

    assert list(of_an_ordinary_user.iterdir()) == []


async def test_a_damaged_store_is_forgotten_too(filled: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    (database,) = data.rglob("plimsoll.db")
    database.write_bytes(b"not a database" * 1000)

    assert list_kept(data, filled)[0].sessions is None
    forget_everything(data, filled)

    assert list_kept(data, None) == []


def test_a_folder_that_cannot_be_locked_says_why(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="No such file"):
        Presence(tmp_path / "gone")


def test_a_lock_on_a_file_that_lost_its_name_keeps_nobody_out(
    paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock: Callable[[int, int], None] = fcntl.flock
    forgotten = [paths.folder]

    def forget_first(descriptor: int, operation: int) -> None:
        while forgotten:
            shutil.rmtree(forgotten.pop())
            paths.folder.mkdir()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", forget_first)
    Presence(paths.folder)

    with pytest.raises(Busy), keep_others_out(paths.folder):
        pytest.fail("it is open")


async def test_a_file_that_goes_while_it_is_counted_is_left_out(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = list_kept(tmp_path / "data", filled)
    going = one.folder / "more" / "gone"
    going.parent.mkdir()
    going.write_bytes(b"1234567")
    vanish_when_listed(going, monkeypatch)

    assert list_kept(tmp_path / "data", filled) == [one]
    assert not going.exists()


async def test_a_folder_that_cannot_be_removed_is_told(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _target: Path) -> Path:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "rename", refuse)

    with pytest.raises(StoreUnavailable, match="not permitted") as refused:
        forget_everything(tmp_path / "data", filled)

    assert refused.value.remedy

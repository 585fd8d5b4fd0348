import errno
import re
from pathlib import Path

import pytest

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.writers import Writers


@pytest.fixture
def paths(tmp_path: Path) -> ProjectPaths:
    (tmp_path / "sessions" / "s1").mkdir(parents=True)
    return ProjectPaths(tmp_path)


def window(paths: ProjectPaths, name: str) -> Writers:
    writers = Writers(paths)
    writers.announce(name)
    return writers


def test_the_first_writes_and_the_second_is_told_its_name(paths: ProjectPaths) -> None:
    one, other = window(paths, "Editor\n\x1b[31m"), window(paths, "Other")

    assert one.claim("s1") is None
    assert one.claim("s1") is None
    held_by = other.claim("s1")

    assert held_by is not None
    assert held_by.startswith("Editor[31m, process ")
    one.refuse_elsewhere("s1")
    with pytest.raises(Busy) as busy:
        other.refuse_elsewhere("s1")
    assert busy.value.data == {"heldBy": held_by}


def test_one_that_is_not_announced_shares_every_session(paths: ProjectPaths) -> None:
    one, plain = window(paths, "Editor"), Writers(paths)
    one.claim("s1")

    plain.refuse_elsewhere("s1")
    plain.take_over("s1")

    assert one.claim("s1") is None


def test_a_session_without_a_folder_is_nobodys(paths: ProjectPaths) -> None:
    one, other = window(paths, "Editor"), window(paths, "Other")

    assert (one.claim("s2"), other.claim("s2")) == (None, None)
    assert not paths.session("s2").exists()


def test_who_is_taken_over_finds_that_its_file_has_lost_its_name(paths: ProjectPaths) -> None:
    one, other = window(paths, "Editor"), window(paths, "Other")
    one.claim("s1")

    other.take_over("s1")

    assert other.claim("s1") is None
    assert (one.claim("s1") or "").startswith("Other")
    one.take_over("s1")
    assert (other.claim("s1") or "").startswith("Editor")


def test_what_is_let_go_is_free(paths: ProjectPaths) -> None:
    one, other = window(paths, "Editor"), window(paths, "Other")
    one.claim("s1")

    one.keep_only(["s1"])
    assert other.claim("s1") is not None
    one.keep_only([])

    assert other.claim("s1") is None


def test_what_cannot_be_signed_is_not_held(
    paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = window(paths, "Editor"), window(paths, "Other")

    def refuse(descriptor: int, text: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("plimsoll.storage.locks.open_files.os.pwrite", refuse)
        for attempt in (one.claim, one.take_over):
            with pytest.raises(StoreUnavailable, match="No space left"):
                attempt("s1")

    assert other.claim("s1") is None


def test_a_session_that_nobody_sees_is_left_to_who_wants_it(paths: ProjectPaths) -> None:
    one, other = window(paths, "Editor"), window(paths, "Other")
    one.claim("s1")
    assert not one.is_wanted("s1")
    assert not one.has_left("s1")

    other.want("s1")
    other.want("s1")
    assert not other.is_wanted("s1"), "it is asked of who writes it"
    assert one.is_wanted("s1")
    assert not one.is_wanted("s1"), "one answer for one question"

    one.leave("s1")
    assert one.has_left("s1")
    assert other.claim("s1") is None
    assert not one.has_left("s1")
    held_by = one.claim("s1")
    assert held_by is not None
    assert re.fullmatch(r"Other, process \d+, since \d{4}-\d\d-\d\d \d\d:\d\d", held_by)


def test_what_was_left_is_ones_own_again_when_it_is_used(paths: ProjectPaths) -> None:
    one, other = window(paths, "Editor"), window(paths, "Other")
    one.claim("s1")
    one.leave("s1")
    one.refuse_elsewhere("s1")
    assert not one.has_left("s1")
    assert other.claim("s1") is not None


def test_what_a_window_has_open_is_seen_by_those_without_a_name(paths: ProjectPaths) -> None:
    one, plain = window(paths, "Editor"), Writers(paths)
    assert not plain.is_open_elsewhere("s1")
    one.claim("s1")
    assert plain.is_open_elsewhere("s1")
    assert not one.is_open_elsewhere("s1")
    one.keep_only(())
    assert not plain.is_open_elsewhere("s1")
    assert not Writers(None).is_open_elsewhere("s1")

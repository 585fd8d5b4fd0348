"""What of the system a command sees, and the links that lead there."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.seen.special import special_below
from plimsoll.tools.process.confinement.seen.system import (
    SYSTEM,
    beside,
    follow,
    system_folders,
    system_links,
)


def test_the_folders_of_the_system_are_seen_that_are_there_and_open_to_all():
    found = [*system_folders()]
    assert found == sorted(found)
    assert {Path("/usr"), Path("/etc")} <= {*found} <= SYSTEM
    assert all(path.stat().st_mode & 0o001 for path in found)


def test_the_links_at_the_root_are_seen_and_those_that_programs_name():
    found = dict(system_links())
    known = [path for path in (*Path("/").iterdir(), Path("/var/run")) if path.is_symlink()]
    assert {path: str(path.readlink()) for path in known}.items() <= found.items()
    assert all(path.is_symlink() for path in found)


@pytest.fixture
def at(tmp_path: Path) -> Path:
    at = tmp_path.resolve()
    (at / "a/b").mkdir(parents=True)
    (at / "file").write_text("")
    for name, text in {
        "one": "a/./b",
        "two": "one/../b",
        "whole": f"{at}/a",
        "gone": "none",
        "circle": "circle",
    }.items():
        (at / name).symlink_to(text)
    return at


@pytest.mark.parametrize(
    ("path", "links", "end"),
    [
        ("a/b", (), "a/b"),
        ("a/../file", (), "file"),
        ("one", ("one",), "a/b"),
        ("two", ("two", "one"), "a/b"),
        ("whole/b", ("whole",), "a/b"),
        ("gone", ("gone",), None),
        ("none/x", (), None),
        ("file/x", (), None),
        ("circle", (), None),
    ],
)
def test_a_path_is_followed_to_its_real_end(
    at: Path, path: str, links: tuple[str, ...], end: str | None
):
    told = tuple((at / name, str((at / name).readlink())) for name in links)
    assert follow(at / path) == (told, at / end if end else None)


@pytest.mark.parametrize(("number", "ends"), [(40, True), (41, False)])
def test_so_many_links_are_followed_as_linux_follows(at: Path, number: int, ends: bool):
    (at / "0").write_text("")
    for each in range(number):
        (at / str(each + 1)).symlink_to(str(each))
    links, end = follow(at / str(number))
    assert (len(links), end) == ((number, at / "0") if ends else (0, None))


def test_a_link_in_a_folder_that_is_shown_anyway_is_not_made_again():
    links = [(Path("/a/x"), "y"), (Path("/b"), "c"), (Path("/b"), "c"), (Path("/d"), "e")]
    assert [*beside(links, [Path("/a"), Path("/d")])] == [(Path("/b"), "c")]


def test_pipes_and_sockets_are_found_however_deep_and_nothing_else(at: Path):
    for name in ("p", "a/p", "a/b/p"):
        os.mkfifo(at / name)
    (at / "to p").symlink_to("p")
    assert sorted(special_below([at, at / "gone"])) == [at / "a/b/p", at / "a/p", at / "p"]
    # Ten entries at the top, and two in what is looked at next.
    assert sorted(special_below([at], most=9)) == [at / "p"]
    assert sorted(special_below([at], most=10)) == [at / "a/p", at / "p"]
    assert sorted(special_below([at], most=0)) == []

"""Where a name ends, through links, also where nothing is: as the kernel follows them."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.protection.links import (
    Chain,
    follow,
    inside,
    join_path,
    last_name,
    parent,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "work"
    (root / "a/b").mkdir(parents=True)
    (root / "a/file").write_text("")
    (root.parent / "out").mkdir()
    for name, text in {
        "one": "a/b",
        "two": "one/../file",
        "far": "../out",
        "whole": f"{root}/a",
        "gone": "a/none/x",
        "a/up": "..",
        "circle": "circle",
    }.items():
        (root / name).symlink_to(text)
    (root.parent / "out" / "back").symlink_to("../work/a")
    return root


@pytest.mark.parametrize(
    ("path", "links", "end", "exists"),
    [
        ("a/b", (), "work/a/b", True),
        ("a/./b//", (), "work/a/b", True),
        ("a/b/../file", (), "work/a/file", True),
        ("one", ("one",), "work/a/b", True),
        ("two", ("two", "one"), "work/a/file", True),
        ("a/up/one", ("a/up", "one"), "work/a/b", True),
        ("whole/b", ("whole",), "work/a/b", True),
        ("far", ("far",), "out", True),
        ("far/back/b", ("far",), "work/a/b", True),
        ("gone/y", ("gone",), "work/a/none/x/y", False),
        ("none/../a", (), "work/a", False),
        ("a/file/x", (), "work/a/file/x", False),
    ],
)
def test_a_name_leads_to_its_end_and_passes_links(
    root: Path, path: str, links: tuple[str, ...], end: str, exists: bool
):
    told = {name: str((root / name).readlink()) for name in links}
    assert follow(root, f"{root}/{path}") == Chain(told, f"{root.parent}/{end}", exists)


def test_a_circle_ends_nowhere(root: Path):
    assert follow(root, f"{root}/circle") == Chain({"circle": "circle"})


@pytest.mark.parametrize(("links", "ends"), [(40, True), (41, False)])
def test_so_many_links_are_followed_as_linux_follows(root: Path, links: int, ends: bool):
    (root / "0").write_text("")
    for number in range(links):
        (root / str(number + 1)).symlink_to(str(number))
    assert (follow(root, f"{root}/{links}").end is not None) is ends
    assert (root / str(links)).exists() is ends


def test_paths_are_seen_from_a_folder():
    assert [inside("/a", path) for path in ("/a/b/c", "/a", "/a/", "/ab", "/b")] == [
        *("b/c", None, None, None, None),
    ]
    assert (join_path("/a/", "b"), join_path("/a", "/b"), join_path("/", "b")) == (
        "/a/b",
        "/b",
        "/b",
    )
    assert (parent("/a/b"), parent("/a"), last_name("/a/b")) == ("/a", "/", "b")

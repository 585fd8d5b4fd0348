"""Stores made to trap whoever salvages them: pages that point in circles, sizes that lie."""

import contextlib
import random
import sqlite3

import pytest

from plimsoll.errors import PlimsollError
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.salvage import salvage
from plimsoll.storage.sqlite import SqliteStore
from storage.conftest import Open
from storage.damage.damaged_stores import fill

pytestmark = pytest.mark.slow
PAGE = 4_096
HEADER = {
    "a page of one byte": (16, b"\x00\x01"),
    "a page of 3 bytes": (16, b"\x00\x03"),
    "the largest page": (16, b"\x00\x02"),
    "all reserved": (20, b"\xff"),
    "pages without number": (28, b"\xff\xff\xff\xff"),
    "no pages": (28, bytes(4)),
    "a free list of itself": (32, b"\x00\x00\x00\x01\xff\xff\xff\xff"),
    "another text": (56, b"\x00\x00\x00\x03"),
    "a schema to come": (44, b"\xff\xff\xff\xff"),
    "a version to come": (60, b"\x7f\xff\xff\xff"),
}
PAGES = {
    "a leaf that is a branch": b"\x05",
    "a kind that is none": b"\xee",
    "cells without number": b"\x0d\x00\x00\xff\xff",
    "cells at the beginning": b"\x0d\x00\x00\x00\x20\x00\x00\x00" + bytes(64),
    "cells behind the end": b"\x0d\x00\x00\x00\x20\x00\x00\x00" + b"\xff" * 64,
    "one cell many times": b"\x0d\x00\x00\x00\x40\x0f\x00\x00" + b"\x0f\x00" * 64,
    "a row of 2^63 bytes": b"\x0d\x00\x00\x00\x01\x01\x00\x00\x01\x00" + bytes(246) + b"\xff" * 9,
    "a branch to itself": b"\x05\x00\x00\x00\x40\x0f\x00\x00\x00\x00\x00\x02" + b"\x0f\x00" * 64,
    "blanks in a circle": b"\x0d\x01\x00\x00\x01\x01\x00\x00\x01\x00" + b"\x01\x00\x00\xff",
    "noise": random.Random(5).randbytes(PAGE),
}


@pytest.mark.parametrize("kind", [*HEADER, *(f"{kind} ({n})" for kind in PAGES for n in (1,))])
async def test_it_ends_and_what_was_there_stays(opened: Open, paths: ProjectPaths, kind: str):
    store: SqliteStore = await opened()
    await fill(store)
    await store.close()
    file = paths.folder / "plimsoll.db"
    data = bytearray(file.read_bytes())
    if kind in HEADER:
        at, value = HEADER[kind]
        data[at : at + len(value)] = value
    else:
        name, _, step = kind.removesuffix(")").rpartition(" (")
        # Each so many-th page; all of them point to the second at most.
        for at in range(PAGE, len(data), PAGE * int(step)):
            data[at : at + len(PAGES[name])] = PAGES[name]
    file.write_bytes(data)
    with contextlib.suppress(PlimsollError):
        done = salvage(paths.folder)
        assert (done.damaged / "plimsoll.db").read_bytes() == data
        with contextlib.closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return
    assert file.read_bytes() == data

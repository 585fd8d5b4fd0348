"""Rows are read off the pages of a database, however damaged some are."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from plimsoll.storage.database.pages import PagedFile


def test_values_of_every_kind_and_size_are_read_as_sqlite_reads_them(tmp_path: Path):
    path = tmp_path / "a.db"
    edges = [
        sign * (1 << bits) - below for bits in range(64) for below in (0, 1) for sign in (1, -1)
    ]
    numbers = [number for number in edges if -(1 << 63) <= number < 1 << 63]
    values = [None, 0.5, -1e300, "", "ships", "ships " * 2_000, b"", b"\0\xff", *numbers]
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE said (number, value)")
        database.executemany("INSERT INTO said VALUES (?, ?)", enumerate(values))
    database.close()

    read = {row.values for row in PagedFile(path).rows() if len(row.values) == 2}
    assert sorted(read, key=lambda row: row[0]) == [*enumerate(values)]


# The least that is too many for a page, and the most that can be claimed.
@pytest.mark.parametrize("claimed", [2_045, 0xFFFF])
def test_a_page_that_claims_more_rows_than_it_can_hold_is_passed_over(tmp_path: Path, claimed: int):
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE said (text)")
        database.execute("INSERT INTO said VALUES ('ships')")
    database.close()
    sound = [row.values for row in PagedFile(path).rows()]
    with path.open("ab") as file:
        file.write((b"\x0d\0\0" + claimed.to_bytes(2, "big")).ljust(4096, b"\xff"))

    assert ("ships",) in sound
    assert [row.values for row in PagedFile(path).rows()] == sound


def test_a_row_below_zero_keeps_its_number(tmp_path: Path):
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE said (text)")
        database.execute("INSERT INTO said (rowid, text) VALUES (-5, 'ships')")
    database.close()

    assert [row.number for row in PagedFile(path).rows() if row.values == ("ships",)] == [-5]


def test_of_a_change_that_was_cut_off_the_rows_of_before_are_read(tmp_path: Path):
    path, cut = tmp_path / "a.db", tmp_path / "cut"
    cut.mkdir()
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("CREATE TABLE said (text)")
        texts = [(f"{number} " + "ships " * 200,) for number in range(300)]
        database.executemany("INSERT INTO said VALUES (?)", texts)
        # So little stays in memory that pages are written before the change is whole.
        database.execute("PRAGMA cache_size = 10")
        database.execute("BEGIN")
        database.execute("UPDATE said SET text = replace(text, 'ships', 'boats and ships')")
        for each in ("a.db", "a.db-journal"):
            shutil.copy(tmp_path / each, cut / each)
        database.execute("ROLLBACK")
    finally:
        database.close()

    assert b"boats" in (cut / "a.db").read_bytes()
    assert texts_in(cut / "a.db") == sorted(texts)
    with (cut / "a.db-journal").open("r+b") as journal:
        journal.write(b"\0")
    assert texts_in(cut / "a.db") != sorted(texts)


@pytest.mark.parametrize(("cut", "text"), [(0, "ships"), (1, "boats")])
def test_a_journal_that_claims_more_than_it_has_is_read_as_far_as_it_is_whole(
    tmp_path: Path, cut: int, text: str
):
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE said (text)")
        database.execute("INSERT INTO said VALUES ('ships')")
    database.close()
    before = path.read_bytes()[4096:8192]
    with sqlite3.connect(path) as database:
        database.execute("UPDATE said SET text = 'boats'")
    database.close()
    claimed, nonce, pages, sector = 100, 7, 2, 512
    head = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"".join(
        number.to_bytes(4, "big") for number in (claimed, nonce, pages, sector, 4096)
    )
    total = nonce + sum(before[4096 - 200 : 0 : -200])
    record = (2).to_bytes(4, "big") + before + total.to_bytes(4, "big")
    (tmp_path / "a.db-journal").write_bytes((head.ljust(sector, b"\0") + record)[: 4624 - 8 - cut])

    assert texts_in(path) == [(text,)]


def texts_in(path: Path) -> list[tuple[object, ...]]:
    return sorted(row.values for row in PagedFile(path).rows() if len(row.values) == 1)

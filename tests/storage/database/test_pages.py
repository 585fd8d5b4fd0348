"""Rows are read off the pages of a database, however damaged some are."""

import sqlite3
from pathlib import Path

from plimsoll.storage.database.pages import PagedFile


def test_a_page_that_claims_more_rows_than_it_can_hold_is_passed_over(tmp_path: Path):
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE said (text)")
        database.execute("INSERT INTO said VALUES ('ships')")
    database.close()
    sound = [row.values for row in PagedFile(path).rows()]
    with path.open("ab") as file:
        file.write(b"\x0d".ljust(4096, b"\xff"))

    assert ("ships",) in sound
    assert [row.values for row in PagedFile(path).rows()] == sound


def test_a_row_below_zero_keeps_its_number(tmp_path: Path):
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE said (text)")
        database.execute("INSERT INTO said (rowid, text) VALUES (-5, 'ships')")
    database.close()

    assert [row.number for row in PagedFile(path).rows() if row.values == ("ships",)] == [-5]

import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.providers.mends.known import MOST_ROWS, KnownMends, Row
from plimsoll.providers.mends.mend import Mend
from plimsoll.storage.rows_file import RowsFile, kept_files

MEND = Mend(way="omit", what="store")


def opened(folder: Path, warned: list[StoreUnavailable]) -> RowsFile:
    rows = kept_files({"PLIMSOLL_DATA_DIR": str(folder / "data")}, "sqlite", warned.append).mends
    assert rows is not None
    return rows


def test_a_store_that_keeps_nothing_has_no_file():
    assert kept_files({}, "memory", lambda _: None).mends is None


def test_what_one_process_learned_another_knows_and_the_file_is_its_owners(tmp_path):
    warned: list[StoreUnavailable] = []
    for way in (MEND, Mend(way="turns")):
        KnownMends(opened(tmp_path, warned)).change("http://h/v1", "m", hold=[way], drop=())
    found = KnownMends(opened(tmp_path, warned))
    assert found.mends_for("http://h/v1", "m") == (MEND, Mend(way="turns"))
    mode = stat.S_IMODE((tmp_path / "data" / "mends.json").stat().st_mode)
    assert (mode, warned, len([*(tmp_path / "data").iterdir()])) == (0o600, [], 1)
    (told,) = (each for each in found.describe_all() if "store" in each)
    assert told.startswith("The server of m (http://h/v1) does not take the field `store`, so it")


def test_a_damaged_file_is_as_none_and_is_written_anew(tmp_path):
    rows = RowsFile(tmp_path / "mends.json", lambda _: None)
    for text in ("{", "[[", "[1]", '[{"way": "omit"}]', '{"a": 1}', "[" * 100_000):
        (tmp_path / "mends.json").write_text(text)
        known = KnownMends(rows)
        assert known.all() == ()
        known.change("a", "m", hold=[MEND], drop=())
        assert known.mends_for("a", "m") == (MEND,)


def test_where_it_cannot_be_written_it_holds_in_the_process_and_that_is_said_once(tmp_path):
    warned: list[StoreUnavailable] = []
    (tmp_path / "data").write_text("no folder")
    known = KnownMends(opened(tmp_path, warned))
    for mend in (MEND, Mend(way="turns")):
        known.change("a", "m", hold=[mend], drop=())
    assert known.mends_for("a", "m") == (MEND, Mend(way="turns"))
    assert len(warned) == 1


def test_a_key_in_the_path_of_an_address_is_in_no_file_and_no_list(tmp_path):
    address = "http://h/sk-0123456789/v1"
    known = KnownMends(opened(tmp_path, []), redact=lambda text: text.replace("sk-0123456789", "…"))
    known.change(address, "m", hold=[MEND], drop=())
    assert known.mends_for(address, "m") == (MEND,)
    kept = (tmp_path / "data" / "mends.json").read_text("utf-8")
    assert "sk-" not in kept + "".join(known.describe_all())
    known.change(address, "m", hold=(), drop=[MEND])
    assert known.all() == ()


class Table:
    def __init__(self, *rows: Row) -> None:
        self.rows: Sequence[Row] = rows

    def read(self) -> Sequence[Row]:
        return self.rows

    def write(self, rows: Sequence[Row]) -> None:
        self.rows = rows


def row(way: str = "omit", to: str = "", *, since: float = 0) -> Row:
    told = {"way": way, "what": "store", "to": to}
    return {"address": "a", "model": "m", "since": since, **told}


@pytest.mark.parametrize(
    ("way", "to", "is_read"),
    [
        ("omit", "", True),
        ("omit", "anything", True),
        ("cap", "123456789", True),
        ("cap", "1234567890", False),
        ("cap", "many", False),
        ("names", "64", True),
        ("images", "x", False),
        ("ids", "=9", True),
        ("ids", "<=40", True),
        ("ids", "=nine", False),
        ("unknown", "", False),
    ],
)
def test_a_row_that_nobody_here_has_written_is_left_out(way: str, to: str, is_read: bool):
    known = KnownMends(Table(row(way, to)), now=lambda: 1.0)
    assert bool(known.all()) is is_read


WEEK = 7 * 24 * 3600.0


@pytest.mark.parametrize(
    ("now", "holds"), [(99.0, False), (100.0, True), (99 + WEEK, True), (100 + WEEK, False)]
)
def test_a_server_is_asked_without_a_mend_again_after_a_week(now: float, holds: bool):
    known = KnownMends(Table(row(since=100)), now=lambda: now)
    assert bool(known.mends_for("a", "m")) is holds


def test_a_mend_says_until_when_it_holds():
    known = KnownMends(Table(row(since=0)), now=lambda: 1.0)
    (told,) = known.describe_all()
    assert told.endswith("; until 1970-01-08")


def test_a_mend_is_of_one_model_at_one_address_and_is_dropped_there_alone():
    known = KnownMends(Table(), now=lambda: 1.0)
    for address, model in (("a", "m"), ("a", "n"), ("b", "m")):
        known.change(address, model, hold=[MEND], drop=())
    known.change("a", "m", hold=[Mend(way="turns")], drop=[MEND])
    assert known.mends_for("a", "m") == (Mend(way="turns"),)
    assert (known.mends_for("a", "n"), known.mends_for("b", "m")) == ((MEND,), (MEND,))
    assert known.mends_for("b", "n") == ()


def test_of_too_many_mends_the_oldest_go():
    rows = Table(*({**row(since=n), "model": f"m{n}"} for n in range(MOST_ROWS)))
    known = KnownMends(rows, now=lambda: float(MOST_ROWS))
    known.change("a", "new", hold=[MEND], drop=())
    kept = [each["model"] for each in rows.rows]
    assert (len(kept), kept[0], kept[-1]) == (MOST_ROWS, "m1", "new")


def test_a_mend_that_is_learned_again_holds_anew():
    rows = Table(row(since=5))
    KnownMends(rows, now=lambda: 9.0).change("a", "m", hold=[MEND], drop=())
    assert [each["since"] for each in rows.rows] == [9.0]

import stat
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.providers.mends.known import KnownMends
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

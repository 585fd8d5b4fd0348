from pathlib import Path

from plimsoll.storage.machine import MACHINE_FILE, machine_id


def test_a_machine_keeps_its_id(tmp_path: Path) -> None:
    first = machine_id(tmp_path / "data")

    assert machine_id(tmp_path / "data") == first
    assert (tmp_path / "data" / MACHINE_FILE).stat().st_mode & 0o777 == 0o600


def test_copied_data_have_another_id_on_another_machine(tmp_path: Path) -> None:
    first = machine_id(tmp_path)
    (tmp_path / "named").write_text("another machine")

    assert machine_id(tmp_path, tmp_path / "named") != first


def test_other_data_have_another_id_on_the_same_machine(tmp_path: Path) -> None:
    assert machine_id(tmp_path / "one") != machine_id(tmp_path / "two")


def test_a_number_that_was_torn_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / MACHINE_FILE).write_text("ab")

    first = machine_id(tmp_path)

    assert machine_id(tmp_path) == first


def test_where_nothing_can_be_kept_it_holds_for_the_moment(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")

    assert machine_id(tmp_path / "data") != machine_id(tmp_path / "data")

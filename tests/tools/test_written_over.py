"""The old texts of files that are written where they stand, and what is said of them."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.written_over import (
    Unfinished,
    keep_text,
    told_once,
    unfinished_words,
    unfinished_writes,
)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.cfg"
    path.write_text("an old text that is longer\n")
    return path


def half_written(kept: Path, file: Path) -> Path:
    """Leave a file as a process does that is killed while it writes, a while ago."""
    copy = keep_text(kept, file, file.read_bytes(), b"new and more\n")
    file.write_text("new a")
    os.utime(copy, (0, 0))
    return copy


def test_a_file_that_is_about_to_be_written_keeps_its_copy(file: Path, kept: Path):
    copy = keep_text(kept, file, file.read_bytes(), b"new")
    assert unfinished_writes(kept) == []
    assert copy.exists()
    os.utime(copy, (0, 0))
    assert unfinished_writes(kept) == []
    assert [*kept.iterdir()] == []


def test_a_copy_of_which_nothing_more_is_known_is_named(kept: Path):
    kept.mkdir()
    (kept / "0-a.cfg").write_text("old\n")
    assert unfinished_writes(kept) == [Unfinished(None, kept / "0-a.cfg")]


def test_a_kill_while_the_copy_is_made_leaves_a_whole_file(file: Path, kept: Path):
    copy = keep_text(kept, file, file.read_bytes(), b"new")
    copy.write_text("an old te")
    assert unfinished_writes(kept) == []
    os.utime(copy, (0, 0))
    assert unfinished_writes(kept) == []
    assert [*kept.iterdir()] == []


def test_a_copy_of_an_older_version_is_compared_as_it_stands(file: Path, kept: Path):
    copy = keep_text(kept, file, file.read_bytes(), b"new")
    beside = copy.with_name(f"{copy.name}.of")
    beside.write_text(beside.read_text().replace('"before"', '"unknown"'))
    assert unfinished_writes(kept) == []
    file.write_text("n")
    assert unfinished_writes(kept) == [Unfinished(file, copy)]


def test_what_was_said_of_a_text_that_is_gone_is_tidied_up(file: Path, kept: Path):
    copy = keep_text(kept, file, file.read_bytes(), b"new")
    copy.unlink()
    (beside,) = kept.iterdir()
    assert unfinished_writes(kept) == []
    # It may be that of a text which is about to be kept.
    assert beside.exists()
    os.utime(beside, (0, 0))
    assert unfinished_writes(kept) == []
    assert not beside.exists()


@pytest.mark.parametrize("name", ["list.of", "list.said", f"{'x' * 177}.of.txt"])
def test_a_file_that_is_named_as_what_stands_beside_a_text(name: str, kept: Path, tmp_path: Path):
    file = tmp_path / name
    file.write_text("old\n")
    copy = half_written(kept, file)
    assert unfinished_writes(kept) == [Unfinished(file, copy)]


def test_a_text_that_leaves_while_it_is_looked_at_is_not_named(file: Path, kept: Path):
    keep_text(kept, file, file.read_bytes(), b"new")
    (kept / "0-gone.cfg").symlink_to(kept / "nowhere")
    assert unfinished_writes(kept) == []


def test_a_half_written_file_is_told_once_with_the_way_back(file: Path, kept: Path):
    copy = half_written(kept, file)
    (told,) = told_once(kept)
    assert told == (
        f"Plimsoll ended while it wrote `{file}`, which may be half written. Its old text is in "
        f"`{copy}`. To put it back: `cp {copy} {file}`. Then remove the copy."
    )
    assert told_once(kept) == []
    # The doctor goes on to name it.
    assert unfinished_writes(kept) == [Unfinished(file, copy)]
    Path(copy).replace(file)
    assert told_once(kept) == unfinished_writes(kept) == []
    for each in kept.iterdir():
        os.utime(each, (0, 0))
    unfinished_writes(kept)
    assert [*kept.iterdir()] == []


def test_a_file_that_may_be_being_written_is_told_later(file: Path, kept: Path):
    copy = half_written(kept, file)
    os.utime(copy)
    assert told_once(kept) == []
    os.utime(copy, (0, 0))
    assert len(told_once(kept)) == 1


def test_names_are_shown_as_they_are_and_quoted_for_a_shell(kept: Path, tmp_path: Path):
    file = tmp_path / "it `is`.cfg"
    copy = tmp_path / "copy of it"
    assert f"To put it back: cp '{copy}' '{file}'. Then" in unfinished_words(Unfinished(file, copy))
    file.write_text("old\n")
    half_written(kept, file)
    (told,) = told_once(kept)
    assert f"``{file}``" in told

"""When files and folders were last changed."""

import os

from plimsoll.tools.files.times import folders_above, time_of, times_again
from plimsoll.tools.ports.times import FolderTime


def test_a_file_that_was_moved_into_place_is_as_young_as_that(root):
    old, place = root / "old", root / "place"
    old.write_text("x")
    os.utime(old, ns=(0, 0))
    old.rename(place)
    assert time_of(place) == place.stat().st_ctime_ns


def test_a_date_that_is_still_to_come_counts(root):
    path = root / "a"
    path.write_text("x")
    os.utime(path, ns=(0, 2**62))
    assert time_of(path) == 2**62


def test_what_is_missing_has_no_time(root):
    assert time_of(root / "none") is None


def test_a_missing_folder_is_named_with_the_first_above_it_that_is_there(root):
    found = folders_above(root / "x/y/z.txt")
    assert found == (
        FolderTime(root / "x/y", None),
        FolderTime(root / "x", None),
        FolderTime(root, time_of(root)),
    )
    (root / "x").mkdir()
    again = times_again(found)
    assert [each.path for each in again] == [each.path for each in found]
    assert [each.at for each in again] == [None, time_of(root / "x"), time_of(root)]

"""A clock that jumps sweeps nothing; one that goes on does."""

import os
from pathlib import Path

import pytest

from plimsoll.storage.clock import CLOCK_FILE, DAY, Sightings, add_reading, trusted_time
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.spill import Spills
from storage.samples import unchanged

NOW = 1_800_000_000.0


def looked(before: float, *times: float) -> float:
    sightings = Sightings(before)
    for time in times:
        sightings = add_reading(sightings, time)
    return sightings.settled


def test_a_clock_that_goes_on_is_believed() -> None:
    assert looked(NOW, NOW + 10, NOW + DAY, NOW + 1.9 * DAY) == NOW + 1.9 * DAY


@pytest.mark.parametrize("days", [1.1, 40, 20_000])
def test_a_leap_forward_must_last(days: float) -> None:
    leap = NOW + days * DAY

    assert looked(NOW, leap, leap + 60, leap + DAY) == NOW
    assert looked(NOW, leap, leap + 3 * DAY, leap + 7 * DAY) == leap + 7 * DAY
    assert looked(NOW, leap, NOW + 60) == NOW + 60
    assert looked(NOW, leap, NOW + 60, leap, leap + DAY) == NOW + 60


def test_a_clock_that_goes_back_is_followed() -> None:
    assert looked(NOW, NOW - 40 * DAY) == NOW - 40 * DAY
    assert looked(NOW, NOW - 40 * DAY, NOW) == NOW - 40 * DAY


def test_spill_files_outlive_a_clock_that_jumped(paths: ProjectPaths) -> None:
    spills = Spills(paths, unchanged)
    kept = spills.of("s1").write("c1", "kept")
    now = kept.stat().st_mtime
    trusted_time(paths.folder, now)
    for jumped in (now + 40 * DAY, now + 40 * DAY + 60, now - 40 * DAY, now + 41 * DAY, now):
        assert spills.sweep(7, trusted_time(paths.folder, jumped)) == 0

    for day in range(9):
        settled = trusted_time(paths.folder, now + day * DAY)
    assert spills.sweep(7, settled) == 1


ABSURD = (
    f'{{"jumped":null,"settled":1{"0" * 400}}}',
    "[" * 100_000,
    '{"jumped":null,"settled":NaN}',
)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"settled": "soon"}', '{"settled": 1.0}', "\x00", *ABSURD]
)
def test_without_sightings_the_store_was_last_written_at_a_good_time(
    paths: ProjectPaths, text: str
) -> None:
    (paths.folder / CLOCK_FILE).write_text(text)
    database: Path = paths.folder / "plimsoll.db"
    database.touch()
    os.utime(database, (NOW, NOW))

    assert trusted_time(paths.folder, NOW + 40 * DAY) == NOW

"""How soon the files of a session are asked for again: by what was asked, not by its size."""

import pytest

from context.stages.logs import next_request, read, shell
from plimsoll.context.index.rereads import WITHIN


def rereads(*entries):
    return next_request(entries).fold.rereads


def other(first, count):
    return [said for n in range(first, first + count) for said in shell(n, "true", "ok")]


def test_a_session_that_reads_nothing_twice_has_no_rate():
    assert rereads().rate() == 0
    assert rereads(*read(1, "a"), *read(2, "b", "src/y.py"), *other(3, 4)).rate() == 0


def test_the_rate_is_repeats_for_each_file_and_answer():
    once = [*read(1, "a"), *other(2, 3), *read(5, "a")]
    assert rereads(*once).rate() == pytest.approx(1 / 4)
    # The second file waits for two answers, the first for two more.
    assert rereads(*once, *read(6, "b", "src/y.py"), *other(7, 2)).rate() == pytest.approx(1 / 9)


@pytest.mark.parametrize(("between", "counts"), [(WITHIN - 1, True), (WITHIN, False)])
def test_what_is_asked_for_after_long_says_nothing_of_the_next_answers(between, counts):
    again = [*read(1, "a"), *other(2, between), *read(90, "a")]
    assert rereads(*again).rate() == (pytest.approx(1 / WITHIN) if counts else 0)


def test_two_in_one_answer_are_one_reading():
    asking = read(1, "a")
    again = read(2, "a")[1]
    assert rereads(*asking, again, *other(3, 3)).rate() == 0


def test_another_part_of_a_file_and_a_command_are_no_repeat():
    assert rereads(*shell(1, "make", "x"), *shell(2, "make", "x")).rate() == 0
    assert list(rereads(*shell(1, "make", "x")).lately()) == []


def test_those_read_lately_come_with_all_their_results_the_last_first():
    said = [*read(1, "a"), *read(2, "b", "src/y.py"), *other(3, 2), *read(5, "a")]
    assert list(rereads(*said).lately()) == ["r1.0", "r5.0", "r2.0"]
    assert list(rereads(*said, *other(6, WITHIN - 3)).lately()) == ["r1.0", "r5.0", "r2.0"]
    assert list(rereads(*said, *other(6, WITHIN - 2)).lately()) == ["r1.0", "r5.0"]
    assert list(rereads(*said, *other(6, WITHIN + 1)).lately()) == []

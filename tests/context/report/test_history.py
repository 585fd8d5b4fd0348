"""The requests of a session by its log: their size, what was reduced before each, missed caches."""

from dataclasses import replace

import pytest

from builders import assistant, edited, user
from plimsoll.context.log.entries import Noted, Origin, Rewound, Stage, Undone
from plimsoll.context.log.messages import canonical
from plimsoll.context.report.history import (
    MOST_REQUESTS,
    CacheMiss,
    PastRequest,
    RequestHistory,
    past_requests,
)

FIVE_MINUTES = 300


def at(minute: float) -> str:
    return f"2026-01-01T01:{int(minute):02d}:{int(60 * minute) % 60:02d}.000Z"


def noted(what: str, minute: float, **data: object) -> Noted:
    return Noted(id=f"n{minute}", at=at(minute), what=what, data=canonical(data))


def asked(minute: float, size: int, cached: int, model: str = "a/m", **more: object):
    """A prompt, its answer half a minute later, and what the provider reported."""
    said = replace(user(f"u{minute}", "Go on."), at=at(minute))
    answer = assistant(f"a{minute}", "So.")
    answer = replace(answer, at=at(minute + 0.5), origin=Origin.PERSON)
    usage = {"purpose": "turn", "model": model, "input": size, "cached": cached, "output": 7}
    return [said, answer, noted("usage", minute + 0.5, **usage, **more)]


def misses(*entries) -> list[CacheMiss | None]:
    return [request.miss for request in past_requests(entries, FIVE_MINUTES)]


def test_each_request_is_told_with_what_was_reduced_before_it():
    pruned = replace(edited("e1", stage=Stage.PRUNE), at=at(1))
    cut = replace(edited("e2", stage=Stage.TRUNCATE), at=at(1))
    log = [*asked(0, 900, 0, counted=880, effective=9_000), pruned, cut, *asked(2, 500, 400)]
    one = {"model": "a/m", "output": 7}
    assert past_requests(log, FIVE_MINUTES) == (
        PastRequest(turn=1, at=at(0), tokens=880, input=900, cached=0, effective=9_000, **one),
        PastRequest(turn=2, at=at(2), tokens=500, input=500, cached=400, reductions=("e1",), **one),
    )


def test_where_a_provider_reports_nothing_our_own_counts_stand():
    log = [
        *asked(0, 900, 0)[:2],
        noted("unreported", 0.5, model="a/m", input=700, cached=0, output=3),
        noted("turn", 0.6, used=710, reason="endTurn"),
        *asked(1, 900, 0)[:2],
        noted("turn", 1.6, used=800, reason="endTurn"),
    ]
    assert past_requests(log, FIVE_MINUTES) == (
        PastRequest(turn=1, at=at(0), model="a/m", tokens=700),
        PastRequest(turn=2, at=at(1), model="", tokens=800),
    )


def test_what_is_no_request_of_a_turn_and_what_cannot_be_read_is_left_out():
    damaged = Noted(id="n", at=at(1), what="usage", data="{")
    summary = {"purpose": "compaction", "model": "b/u", "input": 9, "cached": 0, "output": 1}
    assert past_requests([damaged, noted("usage", 1, **summary)], FIVE_MINUTES) == ()


def test_the_newest_are_told():
    log = [entry for number in range(MOST_REQUESTS + 5) for entry in asked(number % 50, 9, 0)]
    found = past_requests(log, FIVE_MINUTES)
    assert [found[0].turn, found[-1].turn] == [6, MOST_REQUESTS + 5]


PRUNED = edited("e1", stage=Stage.PRUNE)


@pytest.mark.parametrize(
    ("between", "second", "miss"),
    [
        ([], asked(1, 9_000, 7_900), None),
        ([], asked(1, 9_000, 6_000), CacheMiss("unknown", 2_000)),
        ([], asked(1, 9_000, 0, "b/m", written=9_000), CacheMiss("model", 9_000)),
        ([], asked(6, 9_000, 0), CacheMiss("expired", 8_000)),
        ([PRUNED], asked(1, 5_000, 2_000), CacheMiss("rewritten", 3_000, ("e1",))),
        ([PRUNED], asked(6, 5_000, 2_000), CacheMiss("expired", 3_000)),
        ([Undone("x", at(1), "e1")], asked(1, 9_000, 0), CacheMiss("rewritten", 8_000, ("e1",))),
        ([Rewound("r", at(1), "u")], asked(1, 8_500, 0), CacheMiss("rewritten", 8_000, ("r",))),
        ([replace(PRUNED, stage=Stage.REFER)], asked(1, 9_000, 0), CacheMiss("unknown", 8_000)),
    ],
    ids=[
        "a hit, up to the last step of the cache",
        "nobody knows why",
        "another model",
        "too late",
        "a reduction",
        "a reduction while the cache was cold anyway",
        "an undo",
        "a rewind",
        "what was cut as it arrived rewrites nothing",
    ],
)
def test_a_miss_has_a_cause(between, second, miss):
    first = asked(0, 8_000, 0, written=8_000)
    assert misses(*first, *between, *second) == [CacheMiss("first", 8_000), miss]


def test_of_a_provider_that_reports_no_cache_nothing_is_missed():
    assert misses(*asked(0, 8_000, 0), *asked(1, 9_000, 0)) == [None, None]


def test_a_time_that_nobody_can_read_expires_nothing():
    late = [replace(entry, at="yesterday") for entry in asked(9, 9_000, 0)]
    first = asked(0, 8_000, 0, written=8_000)
    assert misses(*first, *late)[1] == CacheMiss("unknown", 8_000)


def test_a_log_that_grows_is_told_as_one_that_is_read_at_once():
    log = [*asked(0, 9_000, 0), *asked(1, 9_500, 9_000), *asked(9, 9_900, 0)]
    grown, history = log[:2], RequestHistory()
    for entry in (*log[2:], None):
        assert history.newest(grown, FIVE_MINUTES) == past_requests(grown, FIVE_MINUTES)
        grown.extend([entry] if entry else ())
    assert history.newest(grown, 3_600) == past_requests(log, 3_600)
    other = asked(0, 2_000, 0)
    assert history.newest(other, FIVE_MINUTES) == past_requests(other, FIVE_MINUTES)

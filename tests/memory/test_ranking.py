"""How a search weighs the memories whose words match."""

from dataclasses import replace

import pytest

from memory.samples import AT, memory
from plimsoll.memory.ranking import alternatives, expression, rank, weight
from plimsoll.memory.types import MemoryClass, MemoryMatch, MemoryState, Trust

ONE = memory("m1", "We deploy on Tuesdays.")


def weighed(one=ONE, named=(), **changed) -> float:
    return weight(replace(one, **changed), AT, frozenset(named))


def test_age_adds_or_takes_a_tenth_at_most_and_never_hides_a_memory():
    days = ("2026-11-21", "2027-01-05", "2099-01-01")
    fresh, usual, old = (weight(ONE, f"{day}T00:00:00.000Z", frozenset()) for day in days)

    assert fresh / usual == pytest.approx(1.1, abs=0.01)
    assert old / usual == pytest.approx(0.9, abs=0.01)


def test_each_day_counts_and_what_a_clock_put_ahead_is_as_new_as_today():
    days = ("2026-11-20", "2026-11-21", "2026-11-22")
    ahead, today, tomorrow = (weight(ONE, f"{day}T00:00:00.000Z", frozenset()) for day in days)
    assert ahead == today > tomorrow


def test_a_memory_weighs_more_or_less_by_its_class_trust_state_and_words():
    classes = [MemoryClass.WORKING, MemoryClass.DURABLE, MemoryClass.PRIORITY]
    by_class = [weighed(class_=each) for each in classes]
    assert by_class == sorted(set(by_class))
    by_trust = [weighed(trust=each) for each in (Trust.EXTRACTED, Trust.AGENT, Trust.USER)]
    assert by_trust == sorted(set(by_trust))
    assert weighed(trust=Trust.TEAM) == weighed(trust=Trust.AGENT)
    assert weighed(pinned=True) > weighed() > weighed(state=MemoryState.STALE)
    by_importance = [weighed(importance=each) for each in range(1, 6)]
    assert by_importance == sorted(set(by_importance))
    for asks in ("When do we deploy?", "When do we deploy? \n", "\u4f55\u6642\uff1f"):
        assert weighed(memory("m1", asks)) < weighed()


def test_a_memory_about_whom_the_question_names_weighs_more():
    about = memory("m1", "Ada: we deploy on Tuesdays.")
    assert weighed(about, {"ada"}) > weighed(about) == weighed(about, {"bob"})
    assert weighed(ONE, {"ada"}) == weighed()
    late = memory("m1", f"{'We deploy ' * 4}Ada: on Tuesdays.")
    assert weighed(late, {"ada"}) == weighed(late)
    titled = replace(ONE, title="Ada deploys")
    assert weighed(titled, {"ada"}) > weighed(titled)


def test_the_best_match_comes_first_each_memory_once_and_of_equals_the_newest():
    old = replace(ONE, id="old", created_at="2026-01-01T00:00:00.000Z")
    new = replace(ONE, id="new", created_at="2026-02-01T00:00:00.000Z")
    found = [MemoryMatch(old, 1.0), MemoryMatch(new, 1.0), MemoryMatch(old, 2.0)]
    assert rank(found, 9) == [MemoryMatch(old, 2.0), MemoryMatch(new, 1.0)]
    assert rank(found[:2], 9) == [MemoryMatch(new, 1.0), MemoryMatch(old, 1.0)]
    assert rank(found, 1) == [MemoryMatch(old, 2.0)]


@pytest.mark.parametrize(
    ("counted", "related", "found"),
    [
        ([], [], []),
        ([("gone", 0)], [], []),
        ([("tide", 9), ("oar", 1), ("gone", 0)], [], [("oar",), ("tide",)]),
        ([("tide", 9), ("oar", 1)], [("tides", 5)], [("oar",), ("tide",), ("tides",)]),
        ([("tide", 9), ("oar", 1)], [("tides", 6)], [("oar",), ("tide",)]),
        ([("tide", 10), ("oar", 1)], [], [("oar",)]),
        ([("tide", 11)], [], [("tide",)]),
        ([("the", 11), ("sea", 12)], [], [("the", "sea")]),
        (
            [(word, 20) for word in "abcde"],
            [],
            [("a", "b"), ("b", "c"), ("c", "d")],
        ),
    ],
    ids=[
        *("nothing", "in no memory", "the rare ones", "other spellings up to half the rows"),
        *("no more of them", "up to the rows", "a common one alone", "common ones as pairs"),
        "a few pairs",
    ],
)
def test_a_search_touches_few_rows(counted, related, found):
    assert alternatives(counted, related, postings=10) == found


def test_a_query_quotes_its_words():
    assert expression([], postings=10) is None
    assert expression([('say "so"', 11), ("sea*", 12)], postings=10) == '("say ""so""" AND "sea"*)'
    assert expression([("oar", 1), ("tide", 2)], postings=10) == '"oar" OR "tide"'

"""Order among the memories: what runs out, what is trimmed, merged and superseded."""

from dataclasses import replace

import pytest

from memory.samples import AT, memory
from plimsoll.memory.changes import Forget, Revise
from plimsoll.memory.types import Action, Author, Memory, MemoryClass, MemoryState, Trust
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits, consolidate, in_turns

LIMITS = ConsolidationLimits()
NOW = "2026-12-05T10:00:00.000Z"
"""Fourteen days after AT."""


def gone(*memories: Memory, now: str = NOW) -> list[tuple[str, Action]]:
    changes = consolidate(memories, now, LIMITS)
    assert all(change.author is Author.EXTRACTION for change in changes)
    return [(change.id, change.action) for change in changes if isinstance(change, Forget)]


def test_a_working_memory_goes_after_14_days_without_use() -> None:
    idle = memory("m1", "port half done", class_=MemoryClass.WORKING)
    used = memory(
        "m2", "rudder ready", class_=MemoryClass.WORKING, last_used_at="2026-11-21T10:00:00.001Z"
    )
    durable = memory("m3", "harbour deep")

    assert gone(idle, used, durable) == [("m1", Action.EXPIRED)]
    assert gone(idle, now="2026-12-05T09:59:59.999Z") == []
    assert gone(memory("m1", "x y", class_=MemoryClass.WORKING, pinned=True)) == []


def test_a_date_of_expiry_is_kept() -> None:
    assert gone(memory("m1", expires_at=NOW)) == [("m1", Action.EXPIRED)]
    assert gone(memory("m1", expires_at="2026-12-05T10:00:01.000Z")) == []


def test_nothing_expires_by_a_time_that_is_not_believed() -> None:
    idle = memory("m1", class_=MemoryClass.WORKING)
    dated = memory("m2", "x y", expires_at=NOW)

    assert consolidate([idle, dated], NOW, LIMITS, believed=AT) == []


def test_digests_stay_while_a_clock_that_went_back_hides_which_are_the_newest() -> None:
    digests = [memory(f"d{number}", f"digest {number}", digest=True) for number in range(11)]

    assert gone(*digests, now="2026-11-01T10:00:00Z") == []


def test_only_the_newest_ten_digests_stay() -> None:
    digests = [
        memory(f"d{n}", f"did {n}", digest=True, created_at=f"2026-11-{n + 1:02d}T00:00:00Z")
        for n in range(13)
    ]

    oldest = [(f"d{n}", Action.TRIMMED) for n in (2, 1, 0)]
    assert gone(*digests, now="2026-11-14T00:00:00Z") == oldest
    # Clocks of two machines may be a day apart.
    assert gone(*digests, now="2026-11-12T00:00:00Z") == oldest
    assert gone(*digests, now="2026-11-11T23:59:59Z") == []


LONG = (
    "The release pipeline builds the wheel with hatchling, signs it on the build host, uploads it "
    "to the internal mirror and tags the commit afterwards."
)


def test_near_duplicates_become_one_and_the_worthier_stays() -> None:
    newer = memory("m2", LONG.replace("afterwards", "later"), title="t", created_at=NOW)
    older = memory("m1", LONG, title="t")
    agents = memory("m3", LONG, title="t", trust=Trust.AGENT, created_at=NOW)

    assert gone(older, newer, agents) == [("m1", Action.MERGED), ("m3", Action.MERGED)]
    pinned = memory("m4", LONG, title="t", pinned=True, trust=Trust.EXTRACTED)
    assert gone(older, pinned) == [("m1", Action.MERGED)]


def test_an_inbox_memory_never_takes_the_place_of_another() -> None:
    waiting = memory(
        "m2", LONG, title="t", state=MemoryState.INBOX, created_at=NOW, supersedes="m1"
    )

    assert gone(memory("m1", LONG, title="t", trust=Trust.EXTRACTED), waiting) == [
        ("m2", Action.MERGED)
    ]


@pytest.mark.parametrize(
    "other",
    [
        LONG.replace("build host", "build host 2"),
        LONG.replace("build host", "mirror").replace("internal mirror", "build host"),
        "The release pipeline builds the wheel.",
        "",
    ],
)
def test_what_says_something_else_stays(other: str) -> None:
    assert gone(memory("m1", LONG, title="t"), memory("m2", other, title="t")) == []


def test_of_two_opposite_notes_the_newer_takes_the_place_of_the_older() -> None:
    old = memory("m1", "Always push to main after tests", title="Push")
    new = memory("m2", "Never push to main after the tests.", title="Push", created_at=NOW)

    assert consolidate([old, new], NOW, LIMITS) == [
        Revise(id="m2", author=Author.EXTRACTION, supersedes="m1"),
        Forget("m1", Author.EXTRACTION, Action.SUPERSEDED, "replaced by m2"),
    ]
    nothing = memory("m2", "push nothing to main after tests", title="Push", created_at=NOW)
    assert len(consolidate([old, nothing], NOW, LIMITS)) == 2
    # A person has restored it; it is pinned; it weighs more; it only waits in the inbox.
    assert consolidate([old, replace(new, supersedes="m1")], NOW, LIMITS) == []
    assert consolidate([replace(old, pinned=True), new], NOW, LIMITS) == []
    assert consolidate([old, replace(new, trust=Trust.EXTRACTED)], NOW, LIMITS) == []
    accepted = replace(old, trust=Trust.EXTRACTED)
    assert consolidate([accepted, replace(new, trust=Trust.TEAM)], NOW, LIMITS) == []
    assert consolidate([old, replace(new, state=MemoryState.INBOX)], NOW, LIMITS) == []


def test_a_memory_goes_once_and_what_is_gone_is_left_alone() -> None:
    idle = memory("m1", LONG, title="t", class_=MemoryClass.WORKING, expires_at=AT)
    dead = memory("m3", LONG, title="t", state=MemoryState.FORGOTTEN)

    assert gone(idle, memory("m2", LONG, title="t"), dead) == [("m1", Action.EXPIRED)]


def test_many_memories_are_compared_in_good_time() -> None:
    many = [memory(f"m{n}", f"fact {n} about part{n % 97} and piece{n % 89}") for n in range(1_000)]

    assert gone(*many) == []


def test_who_takes_a_place_stays_with_it_in_one_part() -> None:
    gone = [Forget(f"m{n}", Author.EXTRACTION, Action.EXPIRED) for n in range(3)]
    instead = Revise(id="new", author=Author.EXTRACTION, supersedes="old")
    old = Forget("old", Author.EXTRACTION, Action.SUPERSEDED)

    assert list(in_turns([*gone, instead, old, gone[0]], 2)) == [
        gone[:2],
        [gone[2], instead, old],
        [gone[0]],
    ]
    assert list(in_turns([], 2)) == []

"""Which groups a compaction takes out of view, where a summary has been written ahead of it."""

import pytest

from builders import edited, exchange, user
from context.stages.logs import next_request
from plimsoll.context.log.entries import Cover, Entry, Restore, Stage
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.compaction_plan import is_shielded, plan_compaction

ASKED = exchange(1, "one")
"""Behind ``u1``, with which these logs begin."""
AGAIN = [user("u2", "Now the tests."), *exchange(2, "two"), *exchange(3, "three")]
LAST = [user("u3", "And the docs."), *exchange(4, "four")]
TALK = [*ASKED, *AGAIN, *LAST]


def leaving(now: NextRequest, **options: object) -> list[str]:
    plan = plan_compaction(now, **options)
    return [group.id for group in plan.groups] if plan else []


@pytest.mark.parametrize(
    ("until", "gone"),
    [
        ("u1", ["u1"]),
        ("a2", ["u1", "a1", "u2", "a2"]),
        ("r2", ["u1", "a1", "u2", "a2"]),
        ("a3", ["u1", "a1", "u2", "a2", "a3"]),
        ("u3", ["u1", "a1", "u2", "a2", "a3"]),
        ("r4", ["u1", "a1", "u2", "a2", "a3"]),
        ("of another log", []),
    ],
)
def test_what_stands_behind_a_message_stays(until, gone):
    """As do the person's last words and the newest group, whatever the message."""
    assert leaving(next_request(TALK), until=until) == gone


def test_the_least_that_stays_is_the_newest_group_and_the_persons_last_words():
    assert leaving(next_request(TALK), least_kept=True) == ["u1", "a1", "u2", "a2", "a3"]
    assert leaving(next_request([*TALK, *exchange(5, "5")]), least_kept=True)[-1] == "a4"


def test_a_plan_counts_what_leaves_and_how_much_of_it_no_summary_has():
    plan = plan_compaction(next_request(TALK), until="a2")
    sizes = {line.id: line.tokens for line in next_request(TALK).fold.view.lines}
    size = sum(sizes[each] for each in ("u1", "a1", "r1", "u2", "a2", "r2"))
    assert (plan.tokens, plan.fresh, plan.shielded) == (size, size, 0)
    cover = edited("e1", Cover(("u1", "a1"), "short words"))
    covered = next_request([*TALK, cover])
    plan = plan_compaction(covered, until="a2")
    fresh = sum(sizes[each] for each in ("u2", "a2", "r2"))
    summary = sum(line.tokens for line in covered.fold.view.lines if line.id == "e1")
    assert (plan.tokens, plan.fresh) == (fresh + summary, fresh)
    assert summary > 0
    assert leaving(covered, until="a1") == [], "nothing new would leave"


RESTORED: list[tuple[Entry, list[str]]] = [
    (edited("e1", Restore(("a1",), ()), stage=Stage.RESTORE), ["a1"]),
    (edited("e1", Restore((), ("r1.0",)), stage=Stage.RESTORE), ["a1"]),
    (edited("e1", Restore((), ("a1.1",)), stage=Stage.RESTORE), ["a1"]),
    (edited("e1", Restore(("u2",), ()), stage=Stage.RESTORE), ["u2"]),
]


@pytest.mark.parametrize(("restored", "groups"), RESTORED)
def test_what_a_person_brought_back_stays_unless_they_ask(restored, groups):
    now = next_request([*TALK, restored])
    assert [each.id for each in now.fold.groups if is_shielded(each, now.fold)] == groups
    left = ["u1", "a1", "u2", "a2"]
    assert leaving(now, until="a2") == [each for each in left if each not in groups]
    assert leaving(now, until="a2", by_hand=True) == left
    plan = plan_compaction(now, until="a2", by_hand=True)
    assert plan is not None
    assert plan.shielded == 1

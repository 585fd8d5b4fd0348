"""A plan is made once for each state of a log, and its load holds while little is new."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from builders import AT, LEDGER, TOOLS, assistant, exchange, pin, user
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Edited, Entry, Noted
from plimsoll.context.log.notes import STALE
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.reduction import LEAST_STEP
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import View
from plimsoll.session.state.planning import PlansAhead

WINDOW = 20_000


class WatchedFold(Fold):
    """Counts how often an edit was tried."""

    tried = 0

    @contextmanager
    def trial_edit(self, edit: Edited) -> Generator[View]:
        self.tried += 1
        with super().trial_edit(edit) as view:
            yield view


def fed(steps: int, size: int = 150) -> NextRequest:
    """A session that another agent has fed, of which no request of ours has carried anything."""
    entries: list[Entry] = [user("u1", "Repair the build.")]
    for number in range(steps):
        entries += exchange(number, f"line {number} " + "word " * size)
    entries.append(assistant("a-last", "It is repaired."))
    return NextRequest(
        indexes=Indexes(WatchedFold(LEDGER, entries, TOOLS)),
        budget=budget_for(WINDOW),
        settings=PipelineSettings(
            pruning=PruningSettings(protect_turns=0, protect_tokens=1_000, min_savings_tokens=1_000)
        ),
        cold=True,
    )


def short(number: int) -> Entry:
    return user(f"more{number}", f"One more thing {number}.")


def test_short_messages_do_not_plan_the_same_reduction_again():
    now, plans = fed(40), PlansAhead()
    before, stood = plans.load(now), now.fold.view.tokens
    tried = now.fold.tried
    assert plans.plan(now).proposals

    for number in range(10):
        now.fold.append(short(number))
        load = plans.load(now)
        assert load.tokens == before.tokens + now.fold.view.tokens - stood
        assert sum(load.by_slot.values()) == load.tokens
    assert now.fold.tried == tried
    assert abs(plans.plan(now).view.tokens - load.tokens) < WINDOW * LEAST_STEP


def test_it_is_planned_anew_once_as_much_has_come_as_a_reduction_must_free():
    now, plans = fed(40), PlansAhead()
    before, tried = plans.load(now), now.fold.tried
    now.fold.append(user("long", "word " * int(WINDOW * LEAST_STEP)))

    after = plans.load(now)
    assert now.fold.tried > tried
    exact = PlansAhead().plan(now).view
    assert (after.tokens, after.by_slot) == (exact.tokens, exact.by_slot)
    assert after.tokens > before.tokens


@pytest.mark.parametrize(
    "entry",
    [
        pin(1, "Never touch the tests."),
        Noted(id="n1", at=AT, what=STALE, item="r3.0", data="{}"),
        Edited(id="e1", at=AT, stage="manual", why="", ops=(), before=0, after=0),
    ],
    ids=["pin", "stale", "edit"],
)
def test_what_is_no_message_is_planned_anew(entry: Entry):
    now, plans = fed(40), PlansAhead()
    plans.load(now)
    tried = now.fold.tried
    now.fold.append(entry)

    assert plans.load(now).tokens == plans.plan(now).view.tokens
    assert now.fold.tried > tried


def test_an_answer_to_large_results_is_planned_anew():
    """What was unseen may leave from now on."""
    now, plans = fed(40), PlansAhead()
    for entry in exchange(100, "word " * 900):
        now.fold.append(entry)
    plans.load(now)
    tried = now.fold.tried
    now.fold.append(short(1))
    plans.load(now)
    assert now.fold.tried == tried
    now.fold.append(assistant("so", "So."))

    assert plans.load(now).tokens == PlansAhead().plan(now).view.tokens
    assert now.fold.tried > tried


def test_a_mark_that_is_reached_is_planned_anew():
    now, plans = fed(40), PlansAhead()
    room = now.budget.warning - now.fold.view.tokens
    now.fold.append(user("filler", "word " * (room - 10)))
    plans.load(now)
    assert now.fold.view.tokens < now.budget.warning
    tried = now.fold.tried
    while now.fold.view.tokens < now.budget.warning:
        assert now.fold.tried == tried
        now.fold.append(short(len(now.fold.entries)))
        load = plans.load(now)

    assert now.fold.tried > tried
    assert load.tokens == PlansAhead().plan(now).view.tokens


def test_another_window_is_planned_for_anew():
    now, plans = fed(40), PlansAhead()
    plans.load(now)
    roomy = NextRequest(
        indexes=Indexes(now.fold),
        budget=budget_for(2_000_000),
        settings=now.settings,
        cold=now.cold,
    )

    assert plans.load(roomy).tokens == PlansAhead().plan(roomy).view.tokens

"""Prune while there is room: only where it clearly pays, in big steps, and it says why."""

import re

import pytest

from builders import assistant, edited, pin, result
from context.stages.logs import after, call, lines, next_request, planned, read, shell, states
from plimsoll.context.budget import budget_for
from plimsoll.context.index.net_gain import Horizon, turns_to_come
from plimsoll.context.log.entries import Refer, Restore, Stage
from plimsoll.context.stages import prune
from plimsoll.context.stages.pipeline import CacheSettings, PipelineSettings, PruningSettings
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.stages.prune import horizon
from plimsoll.context.view.rendering import content_hash

ROOMY = 200_000


def small(first, count, words=20):
    return [said for n in range(first, first + count) for said in shell(n, "true", "word " * words)]


def large(number, words=9_000):
    return shell(number, f"cat {number}", "word " * words)


def change(number, text):
    """An edit whose call has a long text, which never goes."""
    return call(number, "file_edit", {"new_string": text}, "edited x")


def settled(*entries, settings=None, cold=False):
    return next_request(entries, ROOMY, settings, cold=cold)


def gone(before):
    proposal = planned(before, prune.in_room)
    return [op.item for op in proposal.ops] if proposal else []


def test_a_large_old_result_with_a_short_tail_goes_at_once():
    assert gone(settled(*small(0, 20), *large(50), *small(60, 8))) == ["r50.0"]


def test_one_deep_in_the_prefix_stays():
    """opencode 32515: pruning must not pay more for the prefix than it saves."""
    tail = [said for n in range(60, 68) for said in change(n, "word " * 9_000)]
    assert gone(settled(*small(0, 20), *large(50), *tail)) == []


def test_the_newest_results_stay():
    entries = [said for n in range(30) for said in large(n, 500)]
    for keep in (1, 2, 6):
        few = PipelineSettings(pruning=PruningSettings(keep_results=keep))
        assert gone(settled(*entries, settings=few))[-1] == f"r{29 - keep}.0"


def test_what_a_person_brought_back_leaves_for_no_gain_at_any_load():
    back = edited("e1", Restore(items=("r50.0",)), stage=Stage.RESTORE)
    entries = [*small(0, 20), *large(50), back, *small(60, 8)]
    full = next_request(entries, 12_000)
    assert full.load >= full.budget.blocking
    assert gone(full) == []


def storm(number, count, words=2_000):
    """One message with so many calls, and their results."""
    calls = [(f"c{number}.{n}", "shell", f'{{"command":"look {n}"}}') for n in range(count)]
    return [
        assistant(f"a{number}", "all at once", *calls),
        *(
            result(f"r{number}-{n}", f"a{number}", f"c{number}.{n}", "word " * words, "shell")
            for n in range(count)
        ),
    ]


@pytest.mark.parametrize("cold", [False, True])
def test_what_the_model_has_not_answered_to_stays_however_much_it_is(cold):
    """With ten calls at once all but the newest few would leave before anybody has read them."""
    unread = [*small(0, 20), *storm(50, 10)]
    assert gone(settled(*unread, cold=cold)) == []
    assert "r50-0.0" in gone(settled(*unread, *small(60, 8), cold=cold))


@pytest.mark.parametrize(("ago", "stays"), [(1, True), (2, True), (3, False)])
def test_what_an_answer_referred_to_stays_for_some_answers(ago, stays):
    """What is being worked on is needed word for word, and a note has only its names."""
    zebra = shell(50, "cat", "zebra_count " + "word " * 9_000)
    meant = shell(60, "true", "ok", "zebra_count is wrong")
    entries = [*small(0, 20), *zebra, *small(51, 5), *meant, *small(61, ago - 1)]
    assert gone(settled(*entries)) == ([] if stays else ["r50.0"])
    off = PipelineSettings(pruning=PruningSettings(keep_referenced=0))
    assert gone(settled(*entries, settings=off)) == ["r50.0"]


FILE = "word " * 9_000


def reading(*answers, last=20, text=FILE):
    """A session that reads one file with these answers, and a short command with the others."""
    return [
        said
        for n in range(last)
        for said in (read(n, text) if n in answers else shell(n, "true", "word " * 20))
    ]


def test_a_file_that_was_read_goes_as_other_results_do():
    assert gone(settled(*reading(10))) == ["r10.0"]


def test_a_file_stays_where_this_session_has_asked_again_before_long():
    """To keep it costs a read for each answer, to lose it a write when it is asked for again."""
    assert gone(settled(*reading(8, 12))) == []
    free = PipelineSettings(cache=CacheSettings(price_read=0.1, price_write=0.3))
    assert gone(settled(*reading(8, 12), settings=free)) == ["r8.0", "r12.0"]


def test_a_file_goes_when_nobody_has_asked_for_it_for_long():
    assert gone(settled(*reading(2, 4, last=15))) == []
    assert gone(settled(*reading(2, 4, last=18))) == ["r2.0", "r4.0"]


def test_files_that_stay_take_a_share_of_the_window():
    room = budget_for(ROOMY).effective * prune.READ_SHARE
    half = "word " * int(room / 2)
    assert gone(settled(*reading(8, 12, text=half[: -100 * 5]))) == []
    assert gone(settled(*reading(8, 12, text=half + "word " * 500))) == ["r12.0"]


def test_what_a_kept_pointer_points_to_stays():
    text = lines("x", 1_500)
    again = [
        *shell(51, "cat", text),
        edited("e1", Refer("r51.0", content_hash(text), "as above"), stage=Stage.REFER),
    ]
    entries = [*small(0, 20), *shell(50, "cat", text), *again, *small(60, 8)]
    assert gone(settled(*entries)) == ["r50.0", "r51.0"]
    named = PipelineSettings(pruning=PruningSettings(keep_results=9))
    assert gone(settled(*entries, settings=named)) == []


def test_near_the_load_line_it_pays_less():
    """At the compact mark old results go anyway; what leaves now puts that off by some requests."""
    tail = [said for n in range(60, 64) for said in change(n, "word " * 1_200)]
    entries = [*small(0, 20), *large(50), *tail]
    assert gone(settled(*entries)) == ["r50.0"]
    near = next_request(entries, 26_000)
    assert near.tokens < near.budget.compact
    assert gone(near) == []


def test_what_was_used_up_leaves_before_a_mark_demands_it():
    """Near the end of the request it costs next to nothing, and the files in front can stay."""
    in_front = [*shell(1, "cat old", "word " * 1_500), *change(2, "word " * 4_000)]
    entries = [*in_front, *large(50, 5_000), *shell(60, "true", "word " * 4_000)]
    near = next_request(entries, 20_000)
    assert near.tokens >= near.budget.force_final
    assert [p.ops[0].item for p in preflight(near).proposals] == ["r50.0"]


def test_the_horizon_is_the_session_or_the_load_line():
    """The newest six groups say how fast the window fills."""
    entries = [said for n in range(20) for said in change(n, "word " * 500)]
    near = next_request(entries, 20_000)
    room, pace = near.budget.compact - near.tokens, near.fold.settled()[-1].tokens
    assert horizon(near) == Horizon(turns_to_come(20), room, pytest.approx(pace))
    assert horizon(settled(*entries)).after(0) == turns_to_come(20)
    assert horizon(next_request(entries, 12_000)).after(0) == 0


def test_what_costs_too_much_at_the_beginning_pays_when_the_session_has_lasted():
    tail = change(51, "word " * 9_000)
    assert gone(settled(*large(50), *tail, *small(60, 8))) == []
    assert gone(settled(*large(50), *tail, *small(60, 30))) == ["r50.0"]


def test_the_prices_decide():
    """Where reading from the cache is free nothing pays; where it costs as much as writing, all."""
    tail = [said for n in range(60, 68) for said in change(n, "word " * 9_000)]
    entries = [*small(0, 20), *large(50), *tail]
    dear = PipelineSettings(cache=CacheSettings(price_read=1.0, price_write=1.0))
    free = PipelineSettings(cache=CacheSettings(price_read=0.0, price_write=1.25))
    assert "r50.0" in gone(settled(*entries, settings=dear))
    assert gone(settled(*small(0, 20), *large(50), *small(60, 8), settings=free)) == []


def test_with_a_cold_cache_the_depth_does_not_matter():
    tail = [said for n in range(60, 68) for said in change(n, "word " * 9_000)]
    assert "r50.0" in gone(settled(*small(0, 20), *large(50), *tail, cold=True))


def test_a_small_step_is_not_made():
    """Law 5: never a little each turn."""
    edits = [said for n in range(20) for said in change(n, "word " * 1_000)]
    assert gone(settled(*edits, *large(50, 3_900), *small(60, 8))) == []
    assert gone(settled(*edits, *large(50, 4_900), *small(60, 8))) == ["r50.0"]


def test_the_receipt_gives_the_numbers_of_the_decision():
    before = settled(*small(0, 20), *large(50), *small(60, 8))
    proposal = planned(before, prune.in_room)
    told = re.fullmatch(
        r"net gain: ([\d,]+) tokens of 1 old result leave, which saves about ([\d,]+) over 20 "
        r"requests to come; rewriting ([\d,]+) cached tokens costs ([\d,]+)",
        proposal.why,
    )
    freed, saved, rewritten, cost = (int(number.replace(",", "")) for number in told.groups())
    assert freed == before.tokens - after(before, proposal).tokens
    assert saved == pytest.approx(0.1 * 19.5 * freed, abs=1)
    assert cost == pytest.approx(1.15 * rewritten, abs=1)


def test_what_a_big_step_moves_to_the_head_is_paid_for_too():
    """A pin that entered at the tail moves to the head with the step, before all of the prefix."""
    edits = [said for n in range(20) for said in change(n, "word " * 2_000)]
    entries = [*edits, *large(50, 5_000), *small(60, 8)]
    assert gone(settled(*entries)) == ["r50.0"]
    assert gone(settled(*entries[:-1], pin(1, "always so"), *entries[-1:])) == []


def test_once_is_enough():
    before = settled(*small(0, 20), *large(50), *small(60, 8))
    later = after(before, planned(before, prune.in_room))
    assert gone(later) == []
    assert preflight(later).proposals == ()


def test_a_base_goes_only_with_its_pointer():
    text = lines("x", 1_500)
    again = [
        *shell(51, "cat", text),
        edited("e1", Refer("r51.0", content_hash(text), "as above"), stage=Stage.REFER),
    ]
    base = shell(50, "cat", text)
    assert gone(settled(*small(0, 20), *base, *again, *small(60, 8))) == ["r50.0", "r51.0"]
    assert gone(settled(*small(0, 20), *base, *small(60, 8), *again)) == []


def test_errors_edits_and_what_was_brought_back_stay():
    around = (small(0, 20), small(60, 8))
    failed = shell(50, "make", "word " * 900, failed=True)
    code = shell(50, "make", "word " * 900 + "\n[exit code: 2]")
    edit_call = call(50, "file_edit", {"path": "x"}, "word " * 90)
    back = [*large(50), edited("e1", Restore(items=("r50.0",)), stage=Stage.RESTORE)]
    for kept in (failed, code, edit_call, back):
        assert "r50.0" not in gone(settled(*around[0], *kept, *large(51), *around[1]))


def test_long_logs_of_failures_and_edits_that_show_the_file_go():
    around = (small(0, 20), small(60, 8))
    failed = shell(50, "make", "word " * 9_000 + "\n[exit code: 2]")
    shown = call(50, "file_edit", {"path": "x"}, "word " * 9_000)
    for longer in (failed, shown):
        assert gone(settled(*around[0], *longer, *around[1])) == ["r50.0"]


def test_it_can_be_turned_off():
    off = PipelineSettings(pruning=PruningSettings(net_gain=False))
    assert gone(settled(*small(0, 20), *large(50), *small(60, 8), settings=off)) == []


def test_a_reduction_leaves_the_prefix_before_it_alone():
    before = settled(*small(0, 20), *read(50, lines("x", 2_000)), *small(60, 8))
    later = after(before, planned(before, prune.in_room))
    assert states(later)["r50.0"] == "pruned"
    old, new = before.fold.view.lines, later.fold.view.lines
    assert [one is other or one == other for one, other in zip(old, new, strict=True)].count(
        False
    ) == 1

"""Prune while there is room: what nothing protects leaves where that clearly pays, in big steps."""

import pytest

from builders import assistant, edited, pin, result, user, words
from context.stages.logs import after, call, lines, next_request, planned, read, shell, states
from plimsoll.context.index.net_gain import Horizon, turns_to_come
from plimsoll.context.log.entries import Refer, Restore, Stage
from plimsoll.context.pipeline.proposal import as_edit
from plimsoll.context.pipeline.settings import CacheSettings, PipelineSettings, PruningSettings
from plimsoll.context.stages import prune
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.stages.prune import horizon
from plimsoll.context.view.ledger import Ledger
from plimsoll.text.lines import version_of

ROOMY = 200_000
FREE = PruningSettings(protect_turns=0, protect_tokens=0, min_savings_tokens=1_000)
"""Nothing is protected: the price alone decides."""


def small(first, count, words=20):
    return [said for n in range(first, first + count) for said in shell(n, "true", "word " * words)]


def large(number, words=9_000):
    return shell(number, f"cat {number}", "word " * words)


def change(number, text):
    """An edit whose call has a long text, which never goes."""
    return call(number, "file_edit", {"new_string": text}, "edited x")


def pruning_request(*entries, pruning=FREE, window=ROOMY, cold=False, cache=None):
    settings = PipelineSettings(pruning=pruning, cache=cache or CacheSettings())
    return next_request(entries, window, settings, cold=cold)


def gone(before):
    proposal = planned(before, prune.in_room)
    return [op.item for op in proposal.ops] if proposal else []


def files(turn, count, words=2_000):
    """A turn of a person in which so many files are read, one after the other."""
    first = 100 * turn
    yield user(f"u{turn + 2}", f"Compare the files of part {turn}.")
    for number in range(count):
        text = lines(f"p{turn}f{number}", words // 5)
        yield from read(first + number, text, f"part{turn}/f{number}.py", f"v{first + number}")


@pytest.mark.parametrize("window", [65_536, 128_000, 200_000, 1_000_000])
def test_of_the_turn_at_hand_and_the_two_before_it_nothing_leaves(window):
    """However often it was read since, and however much else has come: the answer may need it."""
    few = 2 if window == 65_536 else 8
    said = [each for turn in range(3) for each in files(turn, few)]
    before = next_request([*said, *small(900, 60)], window)
    assert before.tokens < before.budget.warning
    assert preflight(before).proposals == ()


def test_what_is_older_than_both_protections_leaves_when_it_pays():
    said = [each for turn in range(6) for each in files(turn, 8)]
    before = next_request([*said, *small(900, 60)], 1_000_000)
    left = gone(before)
    assert left[0] == "r0.0"
    assert not [item for item in left if int(item[1:].split(".")[0]) // 100 >= 3]


def test_tokens_protect_where_turns_do_not():
    tokens = PruningSettings(protect_turns=0)
    said = [each for turn in range(6) for each in files(turn, 8)]
    before = pruning_request(*said, *small(900, 30), pruning=tokens, window=1_000_000)
    stay = {each for each in states(before) if each.startswith("r")} - set(gone(before))
    held = sum(
        shown.tokens
        for each in before.fold.rendered_groups()
        for shown in each.results
        if shown.item in stay
    )
    assert 38_000 < held <= 40_000


def test_less_than_the_least_saving_is_no_step():
    """Law 5: never a little each turn."""
    entries = [*small(0, 20), *large(50, 5_000), *small(60, 8)]
    saved = before_less_after(pruning_request(*entries))
    exact = PruningSettings(protect_turns=0, protect_tokens=0, min_savings_tokens=saved)
    assert before_less_after(pruning_request(*entries, pruning=exact)) == saved
    more = PruningSettings(protect_turns=0, protect_tokens=0, min_savings_tokens=saved + 1)
    assert preflight(pruning_request(*entries, pruning=more)).proposals == ()


def before_less_after(before):
    return before.tokens - preflight(before).view.tokens


def test_one_deep_in_the_prefix_stays():
    """opencode 32515: pruning must not pay more for the prefix than it saves."""
    tail = [said for n in range(60, 68) for said in change(n, "word " * 9_000)]
    assert gone(pruning_request(*small(0, 20), *large(50), *tail)) == []
    assert "r50.0" in gone(pruning_request(*small(0, 20), *large(50), *tail, cold=True))


def test_what_a_person_brought_back_leaves_for_no_gain():
    back = edited("e1", Restore(items=("r50.0",)), stage=Stage.RESTORE)
    assert "r50.0" not in gone(pruning_request(*small(0, 20), *large(50), back, *small(60, 8)))


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
    unread = [*small(0, 20), *storm(50, 10)]
    assert gone(pruning_request(*unread, cold=cold)) == []
    assert "r50-0.0" in gone(pruning_request(*unread, *small(60, 8), cold=cold))


def test_what_a_protected_pointer_points_to_stays():
    text = lines("x", 1_500)
    again = [
        *shell(51, "cat", text),
        edited("e1", Refer("r51.0", version_of(text), "as above"), stage=Stage.REFER),
    ]
    entries = [*small(0, 20), *shell(50, "cat", text), *again, *small(60, 8)]
    assert gone(pruning_request(*entries)) == ["r50.0", "r51.0"]
    unread = [*small(0, 20), *shell(50, "cat", text), *small(60, 8), *again]
    assert gone(pruning_request(*unread)) == []


def test_near_the_load_line_it_pays_less():
    """At the compact mark old results go anyway; what leaves now puts that off by some requests."""
    tail = [said for n in range(60, 64) for said in change(n, "word " * 1_200)]
    entries = [*small(0, 20), *large(50), *tail]
    assert gone(pruning_request(*entries)) == ["r50.0"]
    near = pruning_request(*entries, window=26_000)
    assert near.tokens < near.budget.compact
    assert gone(near) == []


def test_the_horizon_is_the_session_or_the_load_line():
    """The newest six groups say how fast the window fills."""
    entries = [said for n in range(20) for said in change(n, "word " * 500)]
    near = next_request(entries, 20_000)
    room, pace = near.budget.compact - near.tokens, near.fold.rendered_groups()[-1].tokens
    assert horizon(near) == Horizon(turns_to_come(20), room, pytest.approx(pace))
    assert horizon(pruning_request(*entries)).after(0) == turns_to_come(20)
    assert horizon(next_request(entries, 12_000)).after(0) == 0


def test_the_prices_decide():
    """Where reading from the cache is free nothing pays; where it costs as much as writing, all."""
    tail = [said for n in range(60, 68) for said in change(n, "word " * 9_000)]
    dear = CacheSettings(price_read=1.0, price_write=1.0)
    free = CacheSettings(price_read=0.0, price_write=1.25)
    assert "r50.0" in gone(pruning_request(*small(0, 20), *large(50), *tail, cache=dear))
    assert gone(pruning_request(*small(0, 20), *large(50), *small(60, 8), cache=free)) == []


def test_what_a_big_step_moves_to_the_head_is_paid_for_too():
    """A pin that entered at the tail moves to the head with the step, before all of the prefix."""
    edits = [said for n in range(20) for said in change(n, "word " * 2_000)]
    entries = [*edits, *large(50, 5_000), *small(60, 8)]
    assert gone(pruning_request(*entries)) == ["r50.0"]
    assert gone(pruning_request(*entries[:-1], pin(1, "always so"), *entries[-1:])) == []


def test_once_is_enough_and_the_prefix_before_it_stays():
    before = pruning_request(*small(0, 20), *large(50), *small(60, 8))
    later = after(before, planned(before, prune.in_room))
    assert gone(later) == []
    assert preflight(later).proposals == ()
    old, new = before.fold.view.lines, later.fold.view.lines
    assert [one == other for one, other in zip(old, new, strict=True)].count(False) == 1


def test_errors_edits_and_what_they_say_stay():
    around = (small(0, 20), small(60, 8))
    failed = shell(50, "make", "word " * 900, failed=True)
    code = shell(50, "make", "word " * 900 + "\n[exit code: 2]")
    edit_call = call(50, "file_edit", {"path": "x"}, "word " * 90)
    for kept in (failed, code, edit_call):
        assert "r50.0" not in gone(pruning_request(*around[0], *kept, *large(51), *around[1]))


def test_long_logs_of_failures_and_edits_that_show_the_file_go():
    around = (small(0, 20), small(60, 8))
    failed = shell(50, "make", "word " * 9_000 + "\n[exit code: 2]")
    shown = call(50, "file_edit", {"path": "x"}, "word " * 9_000)
    for longer in (failed, shown):
        assert gone(pruning_request(*around[0], *longer, *around[1])) == ["r50.0"]


def test_it_can_be_turned_off():
    off = PruningSettings(enabled=False)
    assert gone(pruning_request(*small(0, 20), *large(50), *small(60, 8), pruning=off)) == []


def test_what_was_tried_to_see_whether_it_pays_is_not_rendered_again():
    before = pruning_request(*(each for n in range(4) for each in large(n)), *small(10, 60))
    counted = []
    before.fold.reprice(Ledger(lambda text: counted.append(text) or words(text)))
    proposal = prune.in_room(before)
    counted.clear()
    with before.fold.trial_edit(as_edit(proposal, before.edit_name)) as view:
        assert view.tokens < 4_000
    assert counted == []

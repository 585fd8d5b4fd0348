"""Protection: what the work may need word for word stays, by turns and by tokens."""

import pytest

from builders import edited, user
from context.stages.logs import lines, next_request, read, shell
from plimsoll.context.log.entries import Refer, Stage
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.stages.results.protection import (
    first_of_last_turns,
    free_results,
    newest_within,
    protected_results,
    results_of_last_turns,
    tokens_without_turn,
)
from plimsoll.text.lines import version_of

TEXT = lines("x", 60)


def newest(entries, tokens):
    return [each.result.item for each in newest_within(next_request(entries), tokens)]


def test_the_newest_results_that_so_many_tokens_hold():
    entries = [said for n in range(4) for said in shell(n, f"run {n}", "word " * 100)]
    assert newest(entries, 250) == ["r2.0", "r3.0"]
    assert newest(entries, 20) == []


def test_results_that_fill_the_tokens_to_the_last_one_stay():
    entries = [said for n in range(3) for said in shell(n, f"run {n}", "word " * 100)]
    two = sum(each.tokens for each in newest_within(next_request(entries), 10_000)[1:])
    assert newest(entries, two) == ["r1.0", "r2.0"]
    assert newest(entries, two - 1) == ["r2.0"]


def test_a_pointer_takes_what_it_points_to_along():
    whole = read(1, TEXT)
    size = newest_within(next_request(whole), 10_000)[0].tokens
    pointer = Refer("r3.0", version_of(whole[-1].parts[0].text), "[unchanged]")
    refer = edited("e1", pointer, stage=Stage.REFER)
    entries = [*whole, *shell(2, "run", "word " * 50), *read(3, TEXT), refer]
    assert newest(entries, size + 100) == ["r1.0", "r2.0", "r3.0"], "the base counts once"
    assert newest(entries, size + 30) == ["r3.0"], "no room beside the base"
    assert newest(entries, size // 2) == []


def turns(count):
    """So many turns of a person with one result each: r0 to r<count - 1>."""
    for turn in range(count):
        yield user(f"u{turn + 2}", f"Ask {turn}.")
        yield from shell(turn, f"run {turn}", "word " * 100)


@pytest.mark.parametrize(
    ("before", "kept"), [(0, []), (1, ["r2.0", "r3.0"]), (2, ["r1.0", "r2.0", "r3.0"])]
)
def test_the_current_turn_and_so_many_before_it(before, kept):
    found = results_of_last_turns(next_request(list(turns(4))), before)
    assert [each.result.item for each in found] == kept


def test_more_turns_than_there_are_protect_all():
    assert len(results_of_last_turns(next_request(list(turns(4))), 9)) == 4


def test_before_anything_is_said_there_is_no_last_turn():
    assert first_of_last_turns(next_request([]).fold, 2) == 0


@pytest.mark.parametrize("before", [0, 1, 2, 9])
def test_what_is_free_below_the_mark_is_at_most_what_no_turn_protects(before):
    settings = PipelineSettings(pruning=PruningSettings(protect_turns=before, protect_tokens=0))
    asked = next_request(list(turns(5)), 200_000, settings)
    free = free_results(asked, protected_results(asked))
    most = tokens_without_turn(asked)
    assert sum(each.tokens for each in free) <= most
    assert (most == 0) == (before == 9)


def test_results_too_small_to_be_pruned_do_not_count():
    pruning = PruningSettings(protect_turns=0)
    entries = [said for n in range(4) for said in shell(n, "true", "done")]
    assert (
        tokens_without_turn(next_request(entries, settings=PipelineSettings(pruning=pruning))) == 0
    )


def protected(window, words, **pruning):
    """How many of twenty results, in three turns, are protected."""
    said = [
        part
        for turn in range(4)
        for part in (
            user(f"u{turn + 2}", "Go on."),
            *(p for n in range(5) for p in shell(5 * turn + n, f"run {n}", "word " * words)),
        )
    ]
    settings = PipelineSettings(pruning=PruningSettings(**pruning))
    return len(protected_results(next_request(said, window, settings)))


def test_below_the_mark_the_larger_of_both_protects():
    assert protected(200_000, 1_000) == 20, "all of it is within 40,000 tokens"
    assert protected(200_000, 1_000, protect_tokens=0) == 15, "three turns"
    assert protected(200_000, 1_000, protect_tokens=0, protect_turns=0) == 0


def test_at_the_mark_turns_yield():
    assert protected(30_000, 1_000) == 8, "36 % of an effective window of 22,500"


def test_the_tokens_are_not_scaled_but_for_a_share_of_the_window():
    budget = next_request([], 65_536).budget
    assert budget.protected_tokens(40_000) == int(budget.effective * 0.36) == 17_832
    assert next_request([], 128_000).budget.protected_tokens(40_000) == 40_000

"""Prune at the mark: what goes, in which order, and what stays."""

import pytest

from builders import AT, assistant, edited, user
from context.stages.logs import (
    after,
    call,
    edit,
    grep,
    lines,
    next_request,
    planned,
    shell,
    states,
)
from plimsoll.context.log.entries import Refer, Restore, Stage, Undone
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.stages import prune
from plimsoll.context.stages.results.protection import free_results
from plimsoll.context.stages.results.visible_results import importance, ordered_by_importance
from plimsoll.text.lines import version_of


def plan(before):
    return planned(before, prune.plan)


def filler(number, words, tool="shell"):
    """A result of so many words without names."""
    return call(number, tool, {"command": f"run {number}"}, "word " * words)


def pruned(entries, settings=None, window=65_536):
    proposal = plan(next_request(entries, window, settings))
    return [op.item for op in proposal.ops] if proposal else []


def full(tool="shell", count=44):
    """One prompt and so many results of 1,000 words: above the compact mark of a window of 64k."""
    return [said for n in range(count) for said in filler(n, 1_000, tool)]


def test_nothing_goes_below_the_mark():
    assert pruned(full(count=40)) == []


def test_it_runs_inside_one_user_turn_and_spares_the_newest_output():
    """KosmoKrator 2: with fewer than two user turns pruning never ran."""
    gone = pruned(full())
    assert gone[:3] == ["r0.0", "r1.0", "r2.0"]
    protected = next_request([]).budget.protected_tokens(40_000)
    assert len(gone) == 44 - protected // 1_004


def test_it_goes_well_below_the_mark_in_one_step():
    before = next_request(full())
    later = after(before, plan(before))
    assert later.tokens <= before.budget.effective * 0.60
    assert plan(later) is None


def test_the_least_saving_counts_exactly():
    """Exact equality with the minimum saving acts; to ask for one token more does nothing."""

    def freed(least):
        settings = PipelineSettings(pruning=PruningSettings(min_savings_tokens=least))
        before = next_request(full(count=104), 131_072, settings)
        proposal = plan(before)
        return before.tokens - after(before, proposal).tokens if proposal else 0

    most = freed(0)
    assert most > 9_000
    assert freed(most) == most
    assert freed(most + 1) == 0


ANSWER = [assistant("end", "That is all.")]
WEIGHTS = ["shell", "shell_read", "web_fetch", "grep", "web_search", "file_read", "file_write"]


def candidates(entries):
    before = next_request(entries)
    return ordered_by_importance(before, free_results(before, []))


def test_the_heaviest_tool_goes_first():
    entries = [said for n, t in enumerate(reversed(WEIGHTS)) for said in filler(n, 3_000, t)]
    assert [each.result.name for each in candidates([*entries, *ANSWER])] == WEIGHTS


@pytest.mark.parametrize(("words", "blocking"), [(45_000, False), (49_500, True)])
def test_what_the_model_has_not_answered_to_stays_at_any_load(words, blocking):
    before = next_request([*filler(0, 300), *filler(1, words)])
    assert before.tokens >= before.budget.compact
    assert (before.tokens >= before.budget.blocking) == blocking
    assert [each.result.item for each in free_results(before, [])] == ["r0.0"]


def test_an_unknown_tool_has_the_weight_of_unknown():
    entries = [*filler(0, 500, "jira"), *filler(1, 500, "grep"), *filler(2, 500, "glob")]
    ordered = candidates([*entries, *ANSWER])
    assert [each.result.name for each in ordered] == ["jira", "grep", "glob"], "ties go by age"


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("so be it", 0),
        ("look at zebra_count again", 15),
        ("look at src/zebra.py again", 15),
        ("the issue is in zebra_count", 25),
        ("based on zebra_count I go on", 25),
        ("the issue is elsewhere", 0),
    ],
)
def test_references_and_decisions_make_a_result_matter(said, points):
    entries = [
        *call(1, "file_read", {"path": "src/zebra.py"}, "def zebra_count(): 1"),
        *shell(2, "true", "ok", said),
    ]
    indexes = next_request(entries).indexes
    result = indexes.results.of("r1.0")
    assert importance(result, PruningSettings(), indexes.references) == 30 - points


def test_a_name_that_a_person_said_first_is_no_reference():
    entries = [
        user("u2", "why is zebra_count wrong"),
        *shell(1, "cat", "def zebra_count(): 1"),
        *shell(2, "true", "ok", "zebra_count it is"),
    ]
    assert next_request(entries).indexes.references.counts() == {}


def test_what_errors_and_edits_say_stays():
    failing = [said for n in range(20) for said in filler(n, 1_500)]
    failing = [*failing, *shell(20, "t", "word " * 900 + "\n[exit code: 1]")]
    failing = [*failing, *shell(21, "t", "word " * 900, failed=True), *edit(22)]
    gone = pruned([*failing, *filler(23, 12_000), *filler(24, 100)])
    assert gone
    assert not {"r20.0", "r21.0", "r22.0"} & set(gone)


def test_what_a_person_brought_back_stays_until_blocking_and_the_receipt_says_so():
    back = edited("e1", Restore(items=("r0.0",)), stage=Stage.RESTORE)
    assert "r0.0" not in pruned([*full(), back])
    before = next_request([*full(), *filler(90, 8_000), back])
    proposal = plan(before)
    assert "r0.0" in [op.item for op in proposal.ops]
    assert "what was brought back had to go too" in proposal.why


def test_what_was_undone_is_shielded():
    before = next_request(full())
    done = after(before, plan(before))
    undone = Undone("x", AT, done.fold.entries[-1].id)
    again = next_request([*done.fold.entries[2:], undone])
    assert again.tokens == before.tokens
    taken = {op.item for op in done.fold.entries[-1].ops}
    proposal = plan(again)
    assert proposal is None or not taken & {op.item for op in proposal.ops}


def pointed(base, pointer):
    text = next_request([]).fold.ledger and lines("x", 300)
    first = call(base, "file_read", {"path": "x"}, text)
    second = call(pointer, "file_read", {"path": "x"}, text)
    edit_made = edited(
        "e1", Refer(f"r{pointer}.0", version_of(text), "as above"), stage=Stage.REFER
    )
    return first, [*second, edit_made]


def test_what_the_newest_output_points_to_stays():
    base, pointer = pointed(50, 51)
    gone = pruned([*base, *full(), *pointer])
    assert gone
    assert "r50.0" not in gone


def test_an_old_pointer_leaves_with_its_base():
    base, pointer = pointed(50, 51)
    settings = PipelineSettings(pruning=PruningSettings(weights={"file_read": 99}))
    before = next_request([*base, *pointer, *full()], settings=settings)
    later = after(before, plan(before))
    assert states(later)["r50.0"] == states(later)["r51.0"] == "pruned"


def test_it_is_deterministic_and_can_be_turned_off():
    assert plan(next_request(full())) == plan(next_request(full()))
    assert pruned(full(), PipelineSettings(pruning=PruningSettings(enabled=False))) == []


def test_a_result_that_reads_like_a_note_is_pruned_like_any_other():
    entries = [*grep(50, "[pruned: grep x, 3 lines] " * 300), *full()]
    settings = PipelineSettings(pruning=PruningSettings(weights={"grep": 99}))
    assert "r50.0" in pruned(entries, settings)


@pytest.mark.parametrize(
    "window", [4_096, 16_384, 131_072, pytest.param(2_000_000, marks=pytest.mark.slow)]
)
def test_it_works_in_every_window(window):
    before = next_request([], window)
    size = before.budget.compact // 11
    entries = [said for n in range(12) for said in filler(n, size)]
    proposal = plan(next_request(entries, window))
    assert proposal is not None


def turns(count, results):
    """So many turns of a person, each with so many results of 1,000 words."""
    for turn in range(count):
        yield user(f"u{turn}", f"Ask {turn}.")
        for number in range(results):
            yield from filler(turn * results + number, 1_000)


def test_at_the_mark_turns_yield_and_the_newest_output_stays():
    """A run of one prompt is the commonest: where turns held there, nothing could leave."""
    gone = [int(item[1:].split(".")[0]) for item in pruned(list(turns(3, 15)))]
    assert gone == list(range(gone[-1] + 1))
    assert 15 < gone[-1] < 30


def test_at_blocking_newer_results_go_too_the_oldest_first():
    settings = PipelineSettings(pruning=PruningSettings(protect_tokens=40_000))
    full_window = [*turns(2, 10), *filler(20, 30_000), *filler(21, 300)]
    before = next_request(full_window, 65_536, settings)
    assert before.load >= before.budget.blocking
    gone = pruned(full_window, settings)
    assert gone[0] == "r0.0"
    later = after(before, plan(before))
    assert later.tokens < before.budget.compact

"""Prune: what goes, in which order, what stays, and what it leaves behind."""

from itertools import islice, product

import pytest

from builders import AT, assistant, edited, user
from context.stages import logs
from context.stages.logs import after, call, edit, grep, lines, planned, read, shell, states, texts
from examples import examples
from plimsoll.context.log.entries import Refer, Restore, Stage, Undone
from plimsoll.context.stages import prune
from plimsoll.context.stages.pipeline import PipelineSettings, PruningSettings, reached_compact
from plimsoll.context.stages.visible_results import importance, prune_candidates
from plimsoll.context.view.rendering import content_hash


def next_request(*args, cold=True, **fields):
    """A next request whose cache is cold: then a prune is due at the warning mark."""
    return logs.next_request(*args, cold=cold, **fields)


def plan(before):
    return planned(before, prune.plan)


def filler(number, words, tool="shell"):
    """A result of so many words without names."""
    return call(number, tool, {"command": f"run {number}"}, "word " * words)


def only(**given):
    """The settings without the net gain: the load line alone decides."""
    return PruningSettings(**{"net_gain": False, **given})


LINE = PipelineSettings(pruning=only())


def pruned(entries, settings=LINE, window=65_536):
    proposal = plan(next_request(entries, window, settings))
    return [op.item for op in proposal.ops] if proposal else []


def full(tool="shell", count=40):
    """One prompt and so many results of 1,000 words: above the warning of a window of 64k."""
    return [said for n in range(count) for said in filler(n, 1_000, tool)]


def test_nothing_goes_below_the_warning():
    assert pruned(full(count=30), PipelineSettings(pruning=only())) == []


def test_it_runs_inside_one_user_turn_and_spares_the_newest_output():
    """KosmoKrator 2: with fewer than two user turns pruning never ran."""
    gone = pruned(full())
    assert gone[:3] == ["r0.0", "r1.0", "r2.0"]
    protected = 40_000 * next_request([]).budget.scale
    assert len(gone) <= 40 - protected // 1_000


def test_it_goes_well_below_the_mark_in_one_step():
    before = next_request(full(), settings=LINE)
    later = after(before, plan(before))
    assert later.tokens <= before.budget.effective * 0.40
    assert plan(later) is None


def test_the_least_saving_counts_exactly():
    """Exact equality with the minimum saving acts; to ask for one token more does nothing."""

    def freed(least):
        settings = PipelineSettings(pruning=only(min_savings_tokens=least))
        before = next_request(full(count=90), 131_072, settings)
        proposal = plan(before)
        return before.tokens - after(before, proposal).tokens if proposal else 0

    most = freed(0)
    assert most > 10_000
    assert freed(most) == most
    assert freed(most + 1) == 0


ANSWER = [assistant("end", "That is all.")]
WEIGHTS = ["shell", "shell_read", "web_fetch", "grep", "web_search", "file_read", "file_write"]


def test_the_heaviest_tool_goes_first():
    entries = [said for n, t in enumerate(reversed(WEIGHTS)) for said in filler(n, 3_000, t)]
    ordered = prune_candidates(next_request([*entries, *ANSWER]), [])
    assert [each.result.name for each in ordered] == WEIGHTS


@pytest.mark.parametrize(("words", "blocking"), [(45_000, False), (49_500, True)])
def test_what_the_model_has_not_answered_to_stays_at_any_load(words, blocking):
    before = next_request([*filler(0, 300), *filler(1, words)], settings=LINE)
    assert before.tokens >= before.budget.compact
    assert (before.tokens >= before.budget.blocking) == blocking
    assert [each.result.item for each in prune_candidates(before, [])] == ["r0.0"]


def test_an_unknown_tool_has_the_weight_of_unknown():
    entries = [*filler(0, 500, "jira"), *filler(1, 500, "grep"), *filler(2, 500, "glob")]
    ordered = prune_candidates(next_request([*entries, *ANSWER]), [])
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
    fold = next_request(entries).fold
    result = fold.results.of("r1.0")
    assert importance(result, PruningSettings(), fold.references) == 30 - points


def test_a_name_that_a_person_said_first_is_no_reference():
    entries = [
        user("u2", "why is zebra_count wrong"),
        *shell(1, "cat", "def zebra_count(): 1"),
        *shell(2, "true", "ok", "zebra_count it is"),
    ]
    assert next_request(entries).fold.references.counts() == {}


def test_what_errors_and_edits_say_stays():
    failing = [said for n in range(20) for said in filler(n, 1_500)]
    failing = [*failing, *shell(20, "t", "word " * 900 + "\n[exit code: 1]")]
    failing = [*failing, *shell(21, "t", "word " * 900, failed=True), *edit(22)]
    gone = pruned([*failing, *filler(23, 10_000)])
    assert gone
    assert not {"r20.0", "r21.0", "r22.0"} & set(gone)


def test_the_note_keeps_tool_target_and_size():
    entries = [*read(50, lines("w", 584), "server/x.py"), *full(count=37)]
    settings = PipelineSettings(pruning=only(names_tokens=0, weights={"file_read": 99}))
    before = next_request(entries, settings=settings)
    assert texts(after(before, plan(before)))["r50.0"] == (
        "[pruned: file_read server/x.py, 584 lines]"
    )


def test_the_note_keeps_an_exit_code():
    entries = [*shell(50, "make", "word " * 2_000 + "\n[exit code: 0]"), *full()]
    before = next_request(entries)
    assert texts(after(before, plan(before)))["r50.0"] == (
        "[pruned: shell make, 2 lines, exit code 0]"
    )


def test_the_note_keeps_the_names_that_stand_nowhere_else():
    text = "alpha_one beta_two gamma_three " + "word " * 2_000
    entries = [*shell(50, "make", text), *shell(51, "look", "gamma_three"), *full()]
    before = next_request(entries)
    now = texts(after(before, plan(before)))["r50.0"]
    assert now.split("\n")[1] == "[names in it: alpha_one beta_two]"


def test_the_note_of_a_command_keeps_its_failures_and_its_end():
    rows = [
        "collecting",
        "E   assert 3 == 4",
        "more",
        "FAILED tests/a.py::x",
        "1 failed",
        "ends so",
    ]
    text = "\n".join(["word " * 2_000, *rows, "[exit code: 0]"])
    before = next_request([*shell(50, "make", text), *read(51, text, "b.py"), *full()])
    now = texts(after(before, plan(before)))
    assert now["r50.0"].split("\n")[1:6] == [
        "[lines in it: E   assert 3 == 4",
        "FAILED tests/a.py::x",
        "1 failed",
        "ends so]",
        "[words in it: collecting more]",
    ]
    assert "[lines in it" not in now["r51.0"]


def test_the_note_keeps_words_that_stand_nowhere_else():
    text = "alpha_one quokka wombat the zebras one quokka " + "word " * 2_000
    entries = [*shell(50, "make", text), *shell(51, "look", "zebras"), *full()]
    before = next_request(entries)
    now = texts(after(before, plan(before)))["r50.0"]
    assert now.split("\n")[1:] == ["[names in it: alpha_one]", "[words in it: quokka wombat]"]


def test_words_have_a_room_of_their_own_and_what_the_names_leave():
    names, words = " ".join(f"name_{n}" for n in range(99)), letters(999)
    settings = PipelineSettings(pruning=only(names_tokens=30))
    before = next_request([*shell(50, "make", f"{names} {words}"), *full()], settings=settings)
    full_of_names = texts(after(before, plan(before)))["r50.0"]
    before = next_request([*shell(50, "make", words), *full()], settings=settings)
    words_alone = texts(after(before, plan(before)))["r50.0"]
    assert (full_of_names.count(" quo"), words_alone.count(" quo")) == (5, 20)


def letters(count):
    """Different words of seven letters, of two estimated tokens each."""
    return " ".join(f"quo{''.join(sample)}" for sample in islice(product("bcdf", repeat=5), count))


def test_the_names_keep_to_their_limit():
    text = " ".join(f"name_{n}" for n in range(2_000))
    settings = PipelineSettings(pruning=only(names_tokens=9))
    before = next_request([*shell(50, "make", text), *full()], settings=settings)
    now = texts(after(before, plan(before)))["r50.0"]
    assert now.count("name_") == 3


def test_what_a_person_brought_back_stays_until_blocking_and_the_receipt_says_so():
    back = edited("e1", Restore(items=("r0.0",)), stage=Stage.RESTORE)
    assert "r0.0" not in pruned([*full(), back])
    before = next_request([*full(), *filler(90, 8_000), back], settings=LINE)
    proposal = plan(before)
    assert "r0.0" in [op.item for op in proposal.ops]
    assert "that a person had brought back" in proposal.why


def test_what_was_undone_is_shielded():
    before = next_request(full(), settings=LINE)
    done = after(before, plan(before))
    undone = Undone("x", AT, done.fold.entries[-1].id)
    again = next_request([*done.fold.entries[2:], undone], settings=LINE)
    assert again.tokens == before.tokens
    taken = {op.item for op in done.fold.entries[-1].ops}
    proposal = plan(again)
    assert proposal is None or not taken & {op.item for op in proposal.ops}


def pointed(base, pointer):
    text = next_request([]).fold.ledger and lines("x", 300)
    first = call(base, "file_read", {"path": "x"}, text)
    second = call(pointer, "file_read", {"path": "x"}, text)
    edit_made = edited(
        "e1", Refer(f"r{pointer}.0", content_hash(text), "as above"), stage=Stage.REFER
    )
    return first, [*second, edit_made]


def test_what_the_newest_output_points_to_stays():
    base, pointer = pointed(50, 51)
    gone = pruned([*base, *full(), *pointer])
    assert gone
    assert "r50.0" not in gone


def test_an_old_pointer_leaves_with_its_base():
    base, pointer = pointed(50, 51)
    settings = PipelineSettings(pruning=only(weights={"file_read": 99}))
    before = next_request([*base, *pointer, *full()], settings=settings)
    later = after(before, plan(before))
    assert states(later)["r50.0"] == states(later)["r51.0"] == "pruned"


def test_it_is_deterministic_and_can_be_turned_off():
    assert plan(next_request(full(), settings=LINE)) == plan(next_request(full(), settings=LINE))
    assert pruned(full(), PipelineSettings(pruning=only(enabled=False))) == []


def test_a_result_that_reads_like_a_note_is_pruned_like_any_other():
    entries = [*grep(50, "[pruned: grep x, 3 lines] " * 300), *full()]
    settings = PipelineSettings(pruning=only(weights={"grep": 99}))
    assert "r50.0" in pruned(entries, settings)


@pytest.mark.parametrize(
    "window", [4_096, 16_384, 131_072, pytest.param(2_000_000, marks=pytest.mark.slow)]
)
def test_it_works_in_every_window(window):
    before = next_request([], window)
    size = before.budget.warning // 10
    entries = [said for n in range(12) for said in filler(n, size)]
    proposal = plan(next_request(entries, window, LINE))
    assert proposal is not None


def test_while_the_cache_is_warm_it_waits_for_the_compact_mark():
    """Law 5: rewriting a prefix that the provider still holds is put off as long as it can be."""
    for count in range(20, 60, max(1, 40 // examples(40))):
        warm, cold = (
            next_request(full(count=count), settings=LINE, cold=cold) for cold in (False, True)
        )
        assert bool(plan(cold)) == (cold.tokens >= cold.budget.warning)
        assert bool(plan(warm)) == reached_compact(warm)


def turns(count, results):
    """So many turns of a person, each with so many results of 1,000 words."""
    for turn in range(count):
        yield user(f"u{turn}", f"Ask {turn}.")
        for number in range(results):
            yield from filler(turn * results + number, 1_000)


@pytest.mark.parametrize(("protected", "kept"), [(0, ()), (1, (3,)), (2, (2, 3))])
def test_results_of_protected_turns_stay_until_blocking(protected, kept):
    """However much they hold: tokens would protect the newest 17,692 alone."""
    settings = PipelineSettings(pruning=only(protect_turns=protected, protect_tokens=0))
    gone = pruned(list(turns(4, 10)), settings)
    of_turns = {int(item[1:].split(".")[0]) // 10 for item in gone}
    assert of_turns.isdisjoint(kept)
    assert 0 in of_turns


def test_at_blocking_protected_turns_give_way():
    settings = PipelineSettings(pruning=only(protect_turns=2))
    full_window = list(turns(2, 26))
    assert next_request(full_window, 65_536, settings).load >= next_request([]).budget.blocking
    assert pruned(full_window, settings)


def test_results_of_protected_turns_stay_while_there_is_room():
    settings = PipelineSettings(pruning=PruningSettings(protect_turns=1))
    before = next_request([user("u0", "Ask."), *filler(0, 9_000), *filler(1, 20)], 65_536)
    assert planned(before, prune.in_room) is not None
    protected = next_request(before.fold.entries, 65_536, settings)
    assert planned(protected, prune.in_room) is None

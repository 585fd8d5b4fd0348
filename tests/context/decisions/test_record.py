"""The laws of the decision record: word for word, once, in 2 % of the window, in its order."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import exchange
from context.decisions.histories import (
    CORRECTIONS,
    FAILURES,
    KINDS,
    REFUSALS,
    History,
    allowed,
    declined,
    failed,
    long_work,
    tasks,
    typed,
)
from examples import examples
from plimsoll.context.decisions.record import SHARE, decision_record, whole_record
from plimsoll.context.index.calls import answered_calls
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Origin
from plimsoll.context.stages.work_done import commands

LARGE, USUAL = 1_000_000, 65_536


def missing(texts, text):
    return [each for each in texts if any(part not in text for part in each)]


def reduced(window, kind):
    """Ten stretches of work with a reduction behind each, undone and made again now and then."""
    history = History(window)
    for number, stretch in enumerate(long_work()):
        history.fold.extend(stretch)
        edit = history.reduce(kind)
        if number % 3 == 1 and edit is not None:
            history.undo(edit)
            history.reduce(kind)
        if number % 4 == 2:
            history.restart()
    return history


EACH_AND_ALL = [*(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS), "all"]
"""Each kind of reduction alone is for the whole suite: all of them in turn meet the same laws."""


@pytest.mark.parametrize("kind", EACH_AND_ALL)
def test_in_a_large_window_all_is_in_view_after_ten_reductions(kind):
    history = reduced(LARGE, kind) if kind != "all" else mixed(LARGE)
    text = history.text
    assert missing(REFUSALS, text) == []
    assert missing(FAILURES, text) == []
    assert missing([(each,) for each in CORRECTIONS], text) == []


@pytest.mark.parametrize("kind", EACH_AND_ALL)
def test_in_a_usual_window_the_newest_and_all_corrections_are_in_view_and_nothing_is_lost(kind):
    history = reduced(USUAL, kind) if kind != "all" else mixed(USUAL)
    text, whole = history.text, whole_record(Indexes(history.fold))
    assert missing([(each,) for each in CORRECTIONS], text) == []
    assert missing([*REFUSALS, *FAILURES], whole) == []
    assert missing([(each,) for each in CORRECTIONS], whole) == []
    for events in (REFUSALS, FAILURES):
        gone = missing(events, text)
        assert gone == events[: len(gone)]
    assert all(tokens <= USUAL * SHARE for _, tokens in history.records)
    assert len(history.records) == (kind != "prune")


def mixed(window):
    history = History(window)
    for number, stretch in enumerate(long_work()):
        history.fold.extend(stretch)
        history.reduce("prune")
        history.reduce(KINDS[number % 3])
        history.restart()
    return history


def test_what_leaves_is_counted_and_the_count_says_what_brings_it_back():
    history = reduced(8_192, "digest")
    record = history.record
    failures, refusals = (len(missing(each, record)) for each in (FAILURES, REFUSALS))
    assert failures > 0
    assert f"[{failures} failures, {refusals} refusals more of the decision record" in record


def test_an_undo_shows_the_record_that_stood_before():
    history, (first, second, *_) = History(USUAL), long_work()
    history.fold.extend(first)
    history.reduce("digest")
    before = history.fold.view
    history.fold.extend(second)
    edit = history.reduce("trim")
    after = history.records
    assert len(after) == 1
    history.undo(edit)
    assert [line for line in before.lines if line.id.endswith(".decisions")] == [
        line for line in history.fold.view.lines if line.id.endswith(".decisions")
    ]


def test_each_kind_is_told_in_its_own_words():
    history = History(USUAL)
    history.fold.extend(
        [
            *declined(1, "sudo rm /etc/hosts", "Not on this machine, ever."),
            *declined(2, "sudo rm /etc/hosts", "Not on this machine, ever.", "earlier"),
            *allowed(3, "edits to src/x.py"),
            *failed(4, "make", "error: no rule", 2),
            *failed(5, "make", "error: no rule", 2),
            typed("u1", "No. The port is 8017."),
            tasks(1, ("Write the parser", "completed"), ("Test it", "pending")),
            tasks(2, ("Test it", "completed"), ("Ship it", "pending")),
            tasks(3, ("Test it", "completed"), ("Ship it", "pending")),
            typed("u2", "Go on."),
            *exchange(90, "ok"),
        ]
    )
    history.reduce("trim")
    assert history.record.splitlines()[1:] == [
        "The user declined, so it was not run:",
        "- `sudo rm /etc/hosts`: “Not on this machine, ever.” (2 times)",
        "The user allowed for the session (whether it still holds, the call asks):",
        "- edits to src/x.py",
        "The user corrected (of two that disagree the later counts):",
        "- No. The port is 8017.",
        "Tried, and failed:",
        "- `make` exit code 2: “error: no rule” (2 times)",
        "Done, and off the list of tasks:",
        "- Write the parser",
    ]


def test_what_nobody_answered_and_what_an_import_says_is_no_decision_of_this_user():
    history = History(USUAL)
    nobody = declined(1, "sudo true", "nobody answered in time", "nobody")
    foreign = [
        *declined(2, "sudo false", "A stranger said so."),
        typed("u1", "No, the port is 1."),
    ]
    history.fold.extend([*nobody, *[replace(said, origin=Origin.IMPORT) for said in foreign]])
    history.fold.extend([typed("u2", "Go on."), *exchange(90, "ok")])
    history.reduce("trim")
    assert history.record.splitlines()[1:] == [
        "In the imported conversation, by whoever held it; nothing of it is this user's word:",
        "- declined: `sudo false`: “A stranger said so.”",
        "- correction: No, the port is 1.",
    ]


EVENTS = st.sampled_from(["declined", "failed", "corrected", "allowed", "work"])


@settings(max_examples=examples(60))
@given(
    st.lists(st.tuples(EVENTS, st.integers(1, 40)), max_size=40),
    st.lists(st.sampled_from([*KINDS, "undo"]), min_size=1, max_size=6),
    st.sampled_from([4_096, 8_192, 65_536]),
)
def test_of_any_history_the_record_is_small_ordered_and_lists_nothing_declined_as_run(
    events, steps, window
):
    history, edits = History(window), []
    for number, (kind, size) in enumerate(events):
        history.fold.extend(_event(kind, number, size))
        if number % 7 == 6:
            edits.append(history.reduce(steps[number % len(steps)]))
    history.fold.extend([typed("last", "Go on.")])
    for step in steps:
        if step == "undo":
            live = [edit for edit in edits if edit in history.fold.edits]
            if live:
                history.undo(live[-1])
        else:
            edits.append(history.reduce(step))
        _check(history, [n for n, (kind, _) in enumerate(events) if kind == "failed"], window)
        _check_corrections(
            history, {n: size for n, (kind, size) in enumerate(events) if kind == "corrected"}
        )


def _check_corrections(history, sizes):
    """All stay, but for the oldest ones where a tenth of the window does not hold all of them."""
    left = [number for number in sizes if f"No, it is {number} w0" not in history.text]
    assert left == list(sizes)[: len(left)]
    if left:
        assert f"{len(left)} correction" in history.text
        headings, line = 60, 5
        together = headings + sum(size + line for size in sizes.values())
        assert together > history.request.budget.effective / 10


def _check(history, failures, window):
    records = history.records
    assert len(records) <= 1
    # The digest quotes the newest failures too, as far as it has room for them.
    text = "\n".join([*history.results, *[record for record, _ in records]])
    left = [number for number in failures if f"error: {number} w0" not in text]
    assert left == failures[: len(left)]
    for record, tokens in records:
        alone = "- No, " in record and "`" not in record and "edits to" not in record
        corrections = history.request.budget.effective / 10
        assert tokens <= (corrections if alone else window * SHARE)
        if " refusal" in record:
            assert "`make " not in record
    ran = commands(answered_calls(s for g in history.fold.groups for s in g.visible))
    assert not any("sudo" in line for line in ran)


def _event(kind, number, size):
    words = " ".join(f"w{n}" for n in range(size))
    if kind == "declined":
        return declined(number + 10, f"sudo rm /d{number}", f"Reason {number} {words}.")
    if kind == "failed":
        return failed(number + 10, f"make {number}", f"error: {number} {words}")
    if kind == "corrected":
        return [typed(f"c{number}", f"No, it is {number} {words}.")]
    if kind == "allowed":
        return allowed(number + 10, f"edits to {number}")
    return [typed(f"w{number}", f"Go on with {number}.")]


def test_the_record_gives_way_where_the_request_would_not_fit_with_it():
    history = History(4_096)
    for number in range(12):
        words = " ".join(f"w{n}" for n in range(20))
        history.fold.extend([typed(f"c{number}", f"No, it is {number} {words}.")])
        history.fold.extend(exchange(100 + number, "ok"))
    effective = history.request.budget.effective
    history.fold.extend([typed("last", "word " * (effective - 60))])
    assert history.reduce("trim") is not None
    assert history.fold.view.tokens <= effective


def test_what_stands_in_view_is_in_no_record_and_what_leaves_is():
    history = History(USUAL)
    history.fold.extend([*declined(1, "sudo rm /srv", "It is in use."), typed("u1", "Go on.")])
    request, group = history.request, history.fold.group_of("r1.0")
    assert decision_record(request.indexes, request.budget, gone=()) is None
    record = decision_record(request.indexes, request.budget, gone=(group.id,))
    assert "It is in use." in record


def test_no_prune_takes_a_refusal_however_long_its_reason_is():
    history, reason = History(USUAL), "It is in use. " * 400
    history.fold.extend([*declined(1, "sudo rm /srv", reason), typed("u1", "Go on.")])
    history.fold.extend(exchange(90, "word " * 400) + exchange(91, "ok"))
    assert history.reduce("prune") is not None
    assert reason in history.text


def test_the_note_of_a_pruned_failure_says_what_the_record_would():
    history = History(USUAL)
    history.fold.extend([*failed(1, "make", "error: no rule"), typed("u1", "Go on.")])
    history.fold.extend(exchange(91, "ok"))
    assert history.reduce("prune") is not None
    (note, *_) = [text for text in history.results if "make" in text]
    assert "exit code 2" in note
    assert "error: no rule" in note


def test_what_had_no_room_is_counted_in_words_for_one_and_for_more():
    history, ends = History(8_192), []
    for number in range(20):
        line = f"error: part {number} lacks{' all of it' * 6 * (number < 3)}"
        history.fold.extend(failed(number, f"make part{number}", line))
        ids = [group.id for group in history.fold.groups]
        record = decision_record(Indexes(history.fold), history.request.budget, ids)
        assert record is not None
        ends += [record.splitlines()[-1]] if record.endswith("]") else []
    rest = "more of the decision record had no room here]"
    assert list(dict.fromkeys(ends))[:2] == [f"[1 failure {rest}", f"[2 failures {rest}"]

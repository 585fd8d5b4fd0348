"""Which decisions and attempts of a log are recorded, and with which words."""

from dataclasses import replace

import pytest

from builders import exchange, system, user
from context.decisions.histories import allowed, declined, failed, tasks, typed
from context.stages.logs import call, shell
from plimsoll.context.index.recorded_events import (
    RecordedEvent,
    RecordedEvents,
    RecordKind,
)
from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.log.entries import Entry, Origin, Said


def events(*entries: Entry) -> list[RecordedEvent]:
    said = [entry for entry in entries if isinstance(entry, Said)]
    return RecordedEvents().of(said, entries)


def told(*entries: Entry) -> list[tuple[RecordKind, str]]:
    return [(event.kind, event.what) for event in events(*entries)]


def test_a_failure_has_its_command_its_line_and_where_it_stands():
    assert events(*failed(1, "make", "error: no rule", 2)) == [
        RecordedEvent(
            kind=RecordKind.FAILED,
            what="make",
            why="error: no rule",
            code=2,
            message="r1",
            item="a1.1",
        )
    ]


def test_what_the_same_command_did_since_is_told():
    again, other = shell(3, "make", "built\n[exit code: 0]"), shell(4, "ls", "a\n[exit code: 0]")
    before = shell(0, "make", "built\n[exit code: 0]")
    (first,) = events(*before, *failed(1, "make", "error: no rule"), *other)
    assert not first.overcome
    first, second = events(
        *failed(1, "make", "error: no rule"),
        *failed(2, "make test", "error: red"),
        *again,
        *other,
    )
    assert (first.what, first.overcome) == ("make", True)
    assert (second.what, second.overcome) == ("make test", False)
    (refused,) = events(*declined(1, "make", "Not now."), *again)
    assert (refused.kind, refused.overcome) == (RecordKind.DECLINED, False)


def test_what_happened_again_is_one_event_where_it_happened_last():
    found = events(
        *failed(1, "make", "error: no rule"),
        *failed(2, "ls", "error: no such folder"),
        *failed(3, "make", "error: no rule"),
        *failed(4, "make", "error: no rule", 1),
    )
    assert [(each.what, each.code, each.times, each.message) for each in found] == [
        ("ls", 2, 1, "r2"),
        ("make", 2, 2, "r3"),
        ("make", 1, 1, "r4"),
    ]


@pytest.mark.parametrize(
    ("entries", "recorded"),
    [
        (exchange(1, "no such file", "file_read", '{"path": "a.py"}'), []),
        (call(1, "file_edit", {"path": "a.py"}, "no such line", failed=True), ["file_edit a.py"]),
        (call(1, "file_read", {"path": "a.py"}, "no such file", failed=True), []),
        (shell(1, "make", "built\n[exit code: 0]"), []),
        (shell(1, "make", "red\n[exit code: 1]"), ["make"]),
        (shell(1, "make", "", failed=True), ["make"]),
        (shell(1, "make", "", failed=True, ended=CallEnd.DECLINED), []),
        (declined(1, "make", "nobody answered", "nobody"), []),
        (declined(1, "make", "Not now."), ["make"]),
        (allowed(1, "edits to a.py"), ["edits to a.py"]),
    ],
    ids=[
        *("a read", "an edit in vain", "a read in vain", "a success", "an exit code", "an error"),
        *("never run", "nobody declined", "declined", "allowed"),
    ],
)
def test_attempts_to_change_something_and_decisions_are_recorded(entries, recorded):
    assert [event.what for event in events(*entries)] == recorded


@pytest.mark.parametrize(
    ("refused", "shown"),
    [
        ("-a\n+b", "-a ⏎ +b"),
        ("x" * 300, "x" * 300),
        ("x" * 309, f"{'x' * 300}… (9 more characters)"),
    ],
)
def test_hunks_that_were_refused_are_told_on_one_line(refused, shown):
    entries = call(1, "file_edit", {"path": "a.py"}, "edited", refused=refused)
    assert told(*entries) == [(RecordKind.DECLINED, f"file_edit a.py, of it: {shown}")]


@pytest.mark.parametrize(
    ("origin", "found"),
    [(Origin.PERSON, [False]), (Origin.IMPORT, [True]), (Origin.EDITOR, []), (None, [])],
)
def test_a_correction_is_a_persons_and_that_of_an_import_is_foreign(origin, found):
    said = replace(user("u1", "No, the port is 8017."), origin=origin)
    assert [(event.what, event.foreign) for event in events(said)] == [
        ("No, the port is 8017.", foreign) for foreign in found
    ]


def test_a_task_that_was_done_is_told_once_it_has_left_the_list():
    first = tasks(1, ("Write it", "completed"), ("Test it", "pending"))
    assert told(first) == []
    assert told(first, tasks(2, ("Test it", "pending"))) == [(RecordKind.DONE, "Write it")]
    assert told(tasks(1, ("Test it", "pending")), tasks(2)) == []


def test_events_are_told_in_the_order_of_the_log():
    assert told(
        system(),
        *failed(1, "make", "error: no rule"),
        typed("u1", "No, use ninja."),
        *declined(2, "ninja", "Not now."),
        tasks(1, ("Plan", "completed")),
        tasks(2),
    ) == [
        (RecordKind.DONE, "Plan"),
        (RecordKind.FAILED, "make"),
        (RecordKind.CORRECTED, "No, use ninja."),
        (RecordKind.DECLINED, "ninja"),
    ]


def test_what_was_read_before_is_not_read_again():
    """A log grows by a few messages and is asked after each request."""
    known, entries = (
        RecordedEvents(),
        [*failed(1, "make", "error: no rule"), typed("u1", "No, go.")],
    )
    before = known.of(entries, entries)
    assert known.of(entries, entries) == before
    more = [*entries, *failed(2, "ls", "error: none")]
    assert known.of(more, more) == events(*more)

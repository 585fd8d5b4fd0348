"""What stands in the view of a log, as whole values."""

import pytest

from builders import (
    AT,
    LEDGER,
    assistant,
    conversation,
    edited,
    exchange,
    pin,
    result,
    system,
    user,
)
from plimsoll.context.log.entries import (
    Cover,
    Framed,
    ItemState,
    Refer,
    Replace,
    Restore,
    Rewound,
    Slot,
    Stage,
    Undone,
)
from plimsoll.context.log.messages import Role
from plimsoll.context.view.fold import Fold, view_of
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.request_messages import INTERRUPTED, render
from plimsoll.context.view.view import standing_parts
from plimsoll.text.lines import version_of


def test_a_cover_moves_to_a_rewound_group_that_speaks_again():
    cover = edited("e1", Cover(("a1", "u2"), "told"))
    called = assistant("a1", "", ("c1", "grep", "{}"))
    entries = [user("u1", "so"), called, Rewound("w1", AT, "u1"), user("u2", "so"), cover]
    fold = Fold(LEDGER, entries)
    assert [line.id for line in fold.view.lines] == ["u1", "e1"]
    fold.append(result("r1", "a1", "c1", "found"))
    assert fold.view == view_of(fold.entries, LEDGER)


def test_a_cover_stands_at_its_first_group_and_a_later_one_takes_over():
    entries = [system(), user("u1", "do it"), *exchange(1, "one"), *exchange(2, "two")]
    first = edited("e1", Cover(("a1",), "first"))
    second = edited("e2", Cover(("a1", "a2"), "second"), stage=Stage.COMPACT)
    assert [line.id for line in view_of([*entries, first], LEDGER).lines] == [
        "u1",
        "e1",
        "a2",
        "r2",
    ]
    assert [line.id for line in view_of([*entries, first, second], LEDGER).lines] == ["u1", "e2"]
    back = [*entries, first, second, Undone("x", AT, "e2")]
    assert [line.id for line in view_of(back, LEDGER).lines] == ["u1", "e1", "a2", "r2"]


def test_a_pointer_holds_only_while_its_base_stands_verbatim():
    entries = [user("u1", "read"), *exchange(1, "the text"), *exchange(2, "the text")]
    refer = edited("e1", Refer("r2.0", version_of("the text"), "as a1"), stage=Stage.REFER)
    prune = edited("e2", Replace("r1.0", "[pruned]", ItemState.PRUNED), stage=Stage.PRUNE)
    assert shown(view_of([*entries, refer], LEDGER), "r2.0") == ("as a1", ItemState.REFERRED)
    pruned = view_of([*entries, refer, prune], LEDGER)
    assert shown(pruned, "r2.0") == ("the text", ItemState.VERBATIM)
    back = view_of([*entries, refer, prune, Undone("x", AT, "e2")], LEDGER)
    assert shown(back, "r2.0") == ("as a1", ItemState.REFERRED)


def test_a_shortened_result_is_rendered_once_and_stays_while_another_is_shortened():
    called = assistant("a1", "", ("c1", "grep", "{}"), ("c2", "grep", "{}"))
    results = [result("r1", "a1", "c1", "one"), result("r2", "a1", "c2", "two")]
    fold = Fold(LEDGER, [user("u1", "go"), called, *results])
    fold.append(edited("e1", Replace("r1.0", "-", ItemState.PRUNED), stage=Stage.PRUNE))
    (once,) = [line for line in fold.view.lines if line.id == "r1"]
    fold.append(edited("e2", Replace("r2.0", "-", ItemState.PRUNED), stage=Stage.PRUNE))
    (again,) = [line for line in fold.view.lines if line.id == "r1"]
    assert once.shown[0].state is ItemState.PRUNED
    assert again is once


def test_a_call_without_result_is_answered_and_a_lone_result_left_out():
    entries = [
        user("u1", "go"),
        assistant("a1", "", ("c1", "grep", "{}"), ("c2", "glob", "{}")),
        result("r1", "a1", "c2", "found"),
        result("r2", "a1", "c9", "nobody asked"),
    ]
    messages = render(view_of(entries, LEDGER))
    assert [(m.role, m.call_id) for m in messages[2:]] == [(Role.TOOL, "c1"), (Role.TOOL, "c2")]
    assert not violations(messages, (), 0, 1)


def test_answers_stand_in_the_order_of_the_calls_those_of_interrupted_calls_too():
    calls = [(f"c{n}", "grep", "{}") for n in range(4)]
    late = [result("r2", "a1", "c2", "two"), result("r0", "a1", "c0", "nought")]
    entries = [user("u1", "go"), assistant("a1", "", *calls), *late, user("u2", "on")]
    messages = render(view_of([*entries, *exchange(9, "x")], LEDGER))
    assert [m.call_id for m in messages if m.role is Role.TOOL] == ["c0", "c1", "c2", "c3", "c9"]
    assert [m.text for m in messages[2:6]] == ["nought", INTERRUPTED, "two", INTERRUPTED]
    assert not violations(messages, (), 0, 1)


def test_a_pin_enters_at_the_tail_and_moves_to_the_head_with_the_next_big_step():
    entries = [*conversation(3), pin(1, "always so"), *exchange(9, "more")]
    tail = view_of(entries, LEDGER)
    assert [line.id for line in tail.lines][-3:] == ["pin.p1", "a9", "r9"]
    step = edited("e1", Cover(("a0", "a1"), "short"))
    head = view_of([*entries, step], LEDGER)
    assert [shown.item for shown in head.head] == ["frame.system", "pin.p1"]
    assert "pin.p1" not in [line.id for line in head.lines]
    assert view_of([*entries, step, Undone("x", AT, "e1")], LEDGER) == tail


def test_an_older_frame_stays_until_the_next_big_step():
    def tasks(name, text):
        return Framed(id=name, at=AT, slot="tasks", kind=Slot.TASKS, text=text, place="tail")

    entries = [user("u1", "go"), tasks("f1", "one"), *exchange(1, "x"), tasks("f2", "two")]
    view = view_of(entries, LEDGER)
    assert [line.id for line in view.lines] == ["u1", "f1", "a1", "r1", "f2"]
    step = edited("e1", Replace("r1.0", "-", ItemState.PRUNED), stage=Stage.PRUNE)
    after = view_of([*entries, step], LEDGER)
    assert [shown.part.text for shown in after.head] == ["two"]
    gone = view_of(
        [*entries, Framed(id="f3", at=AT, slot="tasks", kind=Slot.TASKS, text=None)], LEDGER
    )
    assert "frame.tasks" not in [shown.item for shown in gone.items()]


def test_a_rewind_hides_what_came_after_and_its_undo_brings_it_back():
    entries = [*conversation(3), pin(1, "stay")]
    edit = edited("e1", Cover(("a0",), "short"))
    rewound = [*entries, edit, Rewound("w1", AT, "a0")]
    view = view_of(rewound, LEDGER)
    assert [line.id for line in view.lines] == ["u1", "a0", "r0", "pin.p1"]
    assert view_of([*rewound, Undone("x", AT, "w1")], LEDGER) == view_of([*entries, edit], LEDGER)


def test_a_restored_item_is_whole_and_shielded():
    entries = conversation(2)
    prune = edited("e1", Replace("r0.0", "[pruned]", ItemState.PRUNED), stage=Stage.PRUNE)
    back = edited("e2", Restore((), ("r0.0",)), stage=Stage.RESTORE)
    fold = Fold(LEDGER, [*entries, prune, back])
    assert shown(fold.view, "r0.0")[1] is ItemState.VERBATIM
    assert fold.shielded == {"r0.0"}


def shown(view, item):
    found = next(each for each in view.items() if each.item == item)
    return found.part.text, found.state


def test_an_edit_that_covers_twice_tells_its_text_once_however_the_log_grew():
    entries = [user(f"u{n}", "alpha") for n in range(3)]
    covers = (Cover(("u0",), "first"), Cover(("u2",), "second"))
    edit = edited("e1", *covers)
    fold = Fold(LEDGER, entries)
    assert len(fold.view.lines) == 3
    fold.append(edit)
    assert [line.id for line in fold.view.lines] == ["e1", "u1"]
    fold.append(user("u9", "beta"))
    assert fold.view == view_of([*entries, edit, user("u9", "beta")], LEDGER)
    fold.append(edited("e2", Restore(("u0",), ()), stage=Stage.RESTORE))
    assert [line.id for line in fold.view.lines] == ["u0", "u1", "e1", "u9"]
    assert fold.view == view_of(fold.entries, LEDGER)


@pytest.mark.parametrize("names", [("u1", "a0", "a1"), ("u1",), ("a0", "a1")])
def test_a_summary_may_stand_last_and_be_all_there_is(names):
    entries = [*conversation(2), pin(1, "always so")]
    edit = edited("e1", Cover(names, "what was done"), stage=Stage.COMPACT)
    fold = Fold(LEDGER, [*entries, edit])
    messages = render(fold.view)
    assert not violations(messages, fold.pins.values(), fold.view.tokens, 4_000)
    assert [m.text for m in messages].count("what was done") == 1
    fold.append(user("u9", "go on"))
    assert render(fold.view)[-1].text == "go on"
    assert fold.view == view_of(fold.entries, LEDGER)


def test_the_parts_that_stand_are_those_that_were_said_but_for_what_edits_put_in_their_place():
    said = [user("u1", "Why?"), *exchange(1, "three hits")]
    prune = edited("e1", Replace("r1.0", "[pruned]", ItemState.PRUNED), stage=Stage.PRUNE)

    texts = [part.text for part in standing_parts([*said, prune])]
    assert texts == ["Why?", "step 1", "{}", "[pruned]"]

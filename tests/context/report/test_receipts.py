"""A receipt names what left and stands nowhere in view now."""

import json
from dataclasses import replace

import pytest

from builders import AT, LEDGER, assistant, conversation, edited, result
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Entry, Framed, Slot, TaskItem, TaskStatus
from plimsoll.context.report.receipts import part_of, receipt_of
from plimsoll.context.view.fold import Fold


def planned(number: int, **tasks: TaskStatus) -> list[Entry]:
    """A call that makes these the list of tasks, with what it brings; '_' stands for a blank."""
    items = tuple(TaskItem(title.replace("_", " "), status) for title, status in tasks.items())
    given = {"tasks": [{"title": task.title, "status": task.status} for task in items]}
    return [
        assistant(f"a{number}", "", (f"c{number}", "tasks", json.dumps(given))),
        Framed(
            id=f"f{number}",
            at=AT,
            slot="tasks",
            kind=Slot.TASKS,
            text="\n".join(["# Tasks", *(task.title for task in items)]),
            place="tail",
            tasks=items,
        ),
        result(f"r{number}", f"a{number}", f"c{number}", f"{len(items)} tasks", "tasks"),
    ]


def lost(*entries: Entry, covers: tuple[str, ...], text: str = "short") -> tuple[str, ...]:
    edit = edited("e1", Cover(covers, text))
    fold = Fold(LEDGER, [*conversation(2), *entries, edit])
    return receipt_of(edit, Indexes(fold)).lost.tasks


FIRST = planned(70, mend_the_lock="inProgress", write_the_docs="pending", find_it="completed")


def test_an_open_task_that_the_list_dropped_leaves_with_what_named_it():
    later = planned(80, mend_the_lock="inProgress")
    assert lost(*FIRST, *later, covers=("a70",)) == ("write the docs",)


def test_a_task_below_another_leaves_as_well():
    below = TaskItem("sand the keel", "pending")
    (said, frame, answer) = planned(70, mend_the_hull="inProgress")
    nested = replace(frame, tasks=(replace(frame.tasks[0], children=(below,)),))
    later = planned(80, mend_the_hull="inProgress")
    assert lost(said, nested, answer, *later, covers=("a70",)) == ("sand the keel",)


def test_a_task_that_still_stands_has_not_left():
    later = planned(80, mend_the_lock="inProgress")
    assert lost(*FIRST, covers=("a70",)) == ()
    assert lost(*FIRST, *later, covers=("a0",)) == ()
    assert lost(*FIRST, *later, covers=("a70",), text="Then write the docs.") == ()


def test_what_the_list_last_said_of_a_task_counts():
    done = planned(80, write_the_docs="completed", mend_the_lock="pending")
    none = planned(90, other="pending")
    assert lost(*FIRST, *done, *none, covers=("a70", "a80")) == ("mend the lock",)


@pytest.mark.parametrize("item", ["r1.1", "r9.0", "r1.x", "r1", "frame.system", "pin.p1"])
def test_what_is_no_part_of_a_message_has_none(item: str):
    fold = Fold(LEDGER, conversation(3))
    (part, said) = part_of("r1.0", fold)

    assert (said.id, part) == ("r1", said.parts[0])
    assert part_of(item, fold) is None

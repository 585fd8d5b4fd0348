"""The agent's list of tasks."""

from collections.abc import Sequence

import pytest

from plimsoll.context.log.entries import TaskItem
from plimsoll.errors import ToolFailed
from plimsoll.tools.conversation.tasks import Tasks
from plimsoll.tools.ports.context import CallContext
from tools.conftest import answering


class Session:
    """A conversation that keeps its tasks."""

    def __init__(self) -> None:
        self.tasks: Sequence[TaskItem] | None = None

    async def set_tasks(self, tasks: Sequence[TaskItem]) -> None:
        self.tasks = tasks


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def use(context: CallContext, session: Session):
    ask = answering(Tasks(), context, session)
    return lambda *tasks: ask(tasks=list(tasks))


def task(title: object = "weigh anchor", status: object = "pending") -> dict[str, object]:
    return {"title": title, "status": status}


async def test_the_list_is_kept_and_the_open_ones_are_counted(use, session):
    told = await use(task(), task("sail", "inProgress"), task("moor", "completed"))
    assert told == "3 tasks, 2 of them open."
    assert session.tasks == (
        TaskItem("weigh anchor", "pending"),
        TaskItem("sail", "inProgress"),
        TaskItem("moor", "completed"),
    )


def nested(levels: int) -> dict[str, object]:
    """A task with one below it, and so on."""
    below = {"children": [nested(levels - 1)]} if levels > 1 else {}
    return {**task(f"level {levels}"), **below}


async def test_a_tree_is_kept_and_each_of_its_tasks_counts(use, session):
    assert await use(nested(3), task("moor", "completed")) == "4 tasks, 3 of them open."
    lowest = TaskItem("level 1", "pending")
    assert session.tasks == (
        TaskItem("level 3", "pending", (TaskItem("level 2", "pending", (lowest,)),)),
        TaskItem("moor", "completed"),
    )


async def test_an_empty_list_takes_it_away(use, session):
    assert await use() == "0 tasks, 0 of them open."
    assert session.tasks == ()


@pytest.mark.parametrize(
    "wrong",
    [
        task(status="done"),
        task(title=""),
        task(title="x" * 201),
        task(title=3),
        {"title": "x"},
        nested(4),
        {**task(), "children": [task(status="done")]},
        {"status": "pending"},
        "x",
    ],
)
async def test_what_is_no_task_is_refused_and_nothing_changes(use, session, wrong):
    with pytest.raises(ToolFailed):
        await use(task(), wrong)
    assert session.tasks is None


def test_it_works_only_within_a_session(context):
    with pytest.raises(ToolFailed, match="only within a session"):
        Tasks().prepare({"tasks": []}, context)

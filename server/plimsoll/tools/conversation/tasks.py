"""``tasks``: keeps the agent's list of tasks."""

from collections.abc import Mapping, Sequence
from typing import cast

from plimsoll.context.log.entries import TaskItem, TaskStatus, with_subtasks
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments

STATUSES: tuple[TaskStatus, ...] = ("pending", "inProgress", "completed", "cancelled")


DEPTH = 3
"""Levels of the tree."""


def _task_schema(depth: int) -> dict[str, object]:
    properties: dict[str, object] = {
        "title": {"type": "string", "minLength": 1, "maxLength": 200},
        "status": {"type": "string", "enum": list(STATUSES)},
    }
    if depth > 1:
        properties["children"] = {"type": "array", "items": _task_schema(depth - 1)}
    return {"type": "object", "properties": properties, "required": ["title", "status"]}


def _parameters(task: dict[str, object]) -> dict[str, object]:
    tasks = {"type": "array", "items": task}
    return {"type": "object", "properties": {"tasks": tasks}, "required": ["tasks"]}


_CHECKED = ToolSchema("tasks", "", _parameters(_task_schema(DEPTH)))
"""The whole tree; a model is told of one level more, which is less to read."""


class Tasks:
    """Replaces the task list, which stands in every request."""

    schema: ToolSchema = ToolSchema(
        "tasks",
        "Keep the list of tasks for work of several steps. Send the whole list each time; large "
        f"tasks have children, up to {DEPTH} levels.",
        _parameters(_task_schema(2)),
    )
    traits: ToolTraits = ToolTraits()
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[tuple[TaskItem, ...]]:
        """Check the new task list."""
        given = check_arguments(_CHECKED, arguments)
        conversation_of(context)
        plan = tuple(map(_task, cast("Sequence[Mapping[str, object]]", given["tasks"])))
        return Intent(title=f"List {plural(len(plan), 'task')}", ask=False, plan=plan)

    async def run(self, intent: Intent[tuple[TaskItem, ...]], context: CallContext) -> Outcome:
        """Replace the session's task list with the new one."""
        await conversation_of(context).set_tasks(intent.plan)
        every = [*with_subtasks(intent.plan)]
        left = sum(task.status in ("pending", "inProgress") for task in every)
        return Outcome(text=f"{plural(len(every), 'task')}, {left} of them open.")


def _task(given: Mapping[str, object]) -> TaskItem:
    children = cast("Sequence[Mapping[str, object]]", given.get("children") or ())
    status = cast("TaskStatus", given["status"])
    return TaskItem(str(given["title"]), status, tuple(map(_task, children)))

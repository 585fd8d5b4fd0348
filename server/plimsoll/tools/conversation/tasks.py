"""``tasks``: keeps the agent's list of tasks."""

from collections.abc import Mapping, Sequence
from typing import cast

from plimsoll.context.log.entries import TaskItem, TaskStatus
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.arguments import checked
from plimsoll.tools.base import Arguments, CallContext, Intent, Outcome, conversation_of

STATUSES: tuple[TaskStatus, ...] = ("pending", "inProgress", "completed", "cancelled")


class Tasks:
    """Replaces the task list, which stands in every request."""

    schema: ToolSchema = ToolSchema(
        "tasks",
        "Keep the list of tasks for work of several steps. Send the whole list each time.",
        {
            "type": "object",
            "properties": {
                "tasks": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "title": {"type": "string", "minLength": 1, "maxLength": 200},
                            "status": {"type": "string", "enum": list(STATUSES)},
                        },
                        "required": ["title", "status"],
                    },
                }
            },
            "required": ["tasks"],
        },
    )
    traits: ToolTraits = ToolTraits()
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[tuple[TaskItem, ...]]:
        """Check the list."""
        given = checked(self.schema, arguments)
        conversation_of(context)
        raw = cast("Sequence[Mapping[str, str]]", given["tasks"])
        plan = tuple(TaskItem(each["title"], cast("TaskStatus", each["status"])) for each in raw)
        return Intent(title=f"List {len(plan)} tasks", ask=False, plan=plan)

    async def run(self, intent: Intent[tuple[TaskItem, ...]], context: CallContext) -> Outcome:
        """Keep the list."""
        plan = intent.plan
        await conversation_of(context).set_tasks(plan)
        left = sum(task.status in ("pending", "inProgress") for task in plan)
        return Outcome(text=f"{len(plan)} tasks, {left} of them open.")

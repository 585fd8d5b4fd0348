"""``file_write``: writes a whole file."""

from collections.abc import Awaitable

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.editor.problems import with_new_problems
from plimsoll.tools.files.editing import Content
from plimsoll.tools.files.paths import resolve
from plimsoll.tools.files.writing import ChangePlan, carried_out, plan_change
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


class FileWrite:
    """Writes a whole text file."""

    schema: ToolSchema = ToolSchema(
        "file_write",
        "Create a text file, or replace all of one.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "content": {"type": "string", "description": "The whole new text."},
            },
            "required": ["path", "content"],
        },
    )
    traits: ToolTraits = ToolTraits(
        kind="edit", verb="Write", subject="path", edits=True, weight=20
    )
    reading: bool = False

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[ChangePlan]:
        """Show the exact change to the file; a person is always asked."""
        given = check_arguments(self.schema, arguments)
        target = resolve(str(given["path"]), context)
        return plan_change(target, Content(str(given["content"])), context)

    def run(self, intent: Intent[ChangePlan], context: CallContext) -> Awaitable[Outcome]:
        """Write the text that the person was shown."""
        path = intent.plan.target.path
        return with_new_problems(lambda: carried_out(intent, context), [path], context)

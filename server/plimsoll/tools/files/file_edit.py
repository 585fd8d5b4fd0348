"""``file_edit``: replaces a text in a file by another."""

from collections.abc import Awaitable

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.editor.problems import with_new_problems
from plimsoll.tools.files.editing import Replacement
from plimsoll.tools.files.paths import resolve
from plimsoll.tools.files.writing import ChangePlan, carried_out, plan_change
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


class FileEdit:
    """Replaces a text in a file."""

    schema: ToolSchema = ToolSchema(
        "file_edit",
        "Replace old_string by new_string in a text file. old_string must be exact and occur once.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "old_string": {"type": "string", "description": "Without line numbers."},
                "new_string": {"type": "string"},
                "replace_all": {"type": "boolean", "description": "Replace every occurrence."},
            },
            "required": ["path", "old_string", "new_string"],
        },
    )
    traits: ToolTraits = ToolTraits(kind="edit", verb="Edit", subject="path", edits=True)
    reading: bool = False

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[ChangePlan]:
        """Find the text to replace and show the exact change; a person is always asked."""
        given = check_arguments(self.schema, arguments)
        change = Replacement(
            str(given["old_string"]), str(given["new_string"]), given.get("replace_all") is True
        )
        target = resolve(str(given["path"]), context)
        if not change.old:
            raise ToolFailed("old_string is empty. To write a whole file, use file_write.")
        if change.old == change.new:
            raise ToolFailed("old_string and new_string are the same; nothing would change.")
        return plan_change(target, change, context)

    def run(self, intent: Intent[ChangePlan], context: CallContext) -> Awaitable[Outcome]:
        """Make the change that the person was shown."""
        path = intent.plan.target.path
        return with_new_problems(lambda: carried_out(intent, context), [path], context)

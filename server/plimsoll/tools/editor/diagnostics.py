"""``diagnostics``: the problems that the editor reports."""

from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.editor.problems import problem_rows
from plimsoll.tools.editor.results import by, file_inside, refuse_untrusted
from plimsoll.tools.files.paths import Target
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location, Outcome
from plimsoll.tools.ports.tool import Arguments

ABSENT = "No editor here reports problems of the code. Run the project's own checks by shell."


@dataclass(frozen=True, slots=True)
class DiagnosticsPlan:
    """The file whose problems are asked for; None means the whole workspace."""

    target: Target | None


class Diagnostics:
    """Lists the editor's problems."""

    schema: ToolSchema = ToolSchema(
        "diagnostics",
        "List the problems that the editor reports of a file, or of the workspace.",
        {"type": "object", "properties": {"path": {"type": "string"}}},
    )
    traits: ToolTraits = ToolTraits(kind="search", verb="List problems of", subject="path")
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[DiagnosticsPlan]:
        """Check the folder's trust and the path."""
        given = check_arguments(self.schema, arguments)
        refuse_untrusted("diagnostics", "Read the code instead.", context)
        path = given.get("path")
        target = None if path is None else file_inside(str(path), context)
        return Intent(
            title=f"List problems of {target.shown if target else 'the workspace'}",
            ask=False,
            locations=(Location(target.path),) if target else (),
            plan=DiagnosticsPlan(target),
        )

    async def run(self, intent: Intent[DiagnosticsPlan], context: CallContext) -> Outcome:
        """Return the editor's problems, of which there is no other source."""
        target = intent.plan.target
        paths = [target.path] if target else []
        # One file is looked at anew: it may not have been open yet.
        found = await context.knowledge.diagnostics(context.root, paths, changed=bool(paths))
        if found is None:
            raise ToolFailed(ABSENT)
        if target is not None and target.path not in found:
            raise ToolFailed(f"The editor has not looked at {target.shown}. {ABSENT}")
        told = [each for some in found.values() for each in some if each.severity != "hint"]
        rows = list(problem_rows(told, context.root)) or ["[no problems]"]
        return Outcome(text="\n".join([*rows, by("the editor")]))

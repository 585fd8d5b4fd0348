"""``skill``: reads a skill, or another file of it.

What it reads is a text like any other: it allows nothing, whatever it says of tools.
"""

from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


@dataclass(frozen=True, slots=True)
class SkillPlan:
    """The skill to read, and the file of it if not its ``SKILL.md``."""

    name: str
    file: str | None


class SkillTool:
    """Reads a skill; the session decides which skills exist in it."""

    schema: ToolSchema = ToolSchema(
        "skill",
        "Read one of the listed skills before work that it fits. file: another file of it.",
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "file": {"type": "string", "minLength": 1},
            },
            "required": ["name"],
        },
    )
    traits: ToolTraits = ToolTraits(verb="Read skill", subject="name")
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[SkillPlan]:
        """Check the names of the skill and of its file."""
        given = check_arguments(self.schema, arguments)
        conversation_of(context)
        file = given.get("file")
        plan = SkillPlan(str(given["name"]), None if file is None else str(file))
        what = plan.name if plan.file is None else f"{plan.name}: {plan.file}"
        return Intent(title=f"Read skill {whole_line(what)}", ask=False, plan=plan)

    async def run(self, intent: Intent[SkillPlan], context: CallContext) -> Outcome:
        """Return the text of the skill, or of a file of it, as it is on disk now."""
        plan = intent.plan
        return Outcome(text=await conversation_of(context).read_skill(plan.name, plan.file))

"""``subagent``: lets another agent work in a session of its own, and brings its report."""

from collections.abc import Mapping
from typing import cast

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.conversation_values import AgentTask
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


class Subagent:
    """Calls an agent whose reading stays out of this context."""

    schema: ToolSchema = ToolSchema(
        "subagent",
        "Let another agent do a task in a context of its own; you get its report. It knows the "
        "user's rules and this prompt, not the conversation. Up to four in one answer run side by "
        "side.",
        {
            "type": "object",
            "properties": {
                "description": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 80,
                    "description": "The task in a few words.",
                },
                "prompt": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 20_000,
                    "description": "The whole task, and what to report.",
                },
                "kind": {
                    "type": "string",
                    "enum": ["explore", "work"],
                    "description": "Default explore, which reads only; work also edits.",
                },
                "isolated": {
                    "type": "boolean",
                    "description": "For work side by side: it edits in a git worktree of its own; "
                    "at the end its changes are merged, or left as a branch.",
                },
            },
            "required": ["description", "prompt"],
        },
    )
    traits: ToolTraits = ToolTraits(verb="Agent:", subject="description", delegates=True)
    reading: bool = True
    """What the other agent does stands behind gates of its own, in its own session."""

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[AgentTask]:
        """Check the task, and whether this session may call another agent."""
        given = check_arguments(AGENTS_SCHEMA, arguments)
        agent = given.get("agent")
        asked = AgentTask(
            description=str(given["description"]),
            prompt=str(given["prompt"]),
            kind="work" if given.get("kind") == "work" else "explore",
            agent=None if agent is None else str(agent),
            isolated=given.get("isolated") is True,
            kind_is_open=given.get("kind") is None,
        )
        task = conversation_of(context).check_agent(asked)
        who = task.kind if task.agent is None else f"{task.agent} ({task.kind})"
        apart = " (in a worktree of its own)" if task.isolated else ""
        title = f"{who}{apart}: {whole_line(task.description)}"
        return Intent(title=title, ask=False, plan=task)

    async def run(self, intent: Intent[AgentTask], context: CallContext) -> Outcome:
        """Let the other agent work to its end, and return its report."""
        conversation = conversation_of(context)
        conversation.check_agent(intent.plan)
        return await conversation.call_agent(intent.plan)


AGENTS_SCHEMA = ToolSchema(
    Subagent.schema.name,
    Subagent.schema.description,
    {
        **Subagent.schema.parameters,
        "properties": {
            **cast("Mapping[str, object]", Subagent.schema.parameters["properties"]),
            "agent": {
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "description": "One of the listed agents. Its tools decide on kind, if none is "
                "given.",
            },
        },
    },
)
"""What is offered where there are custom agents, and taken anywhere."""

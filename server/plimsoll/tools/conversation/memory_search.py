"""``memory_search``: finds notes from earlier conversations."""

from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments

DEFAULT_LIMIT = 8
MOST = 20


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The search to make."""

    query: str
    limit: int


class MemorySearch:
    """Searches the notes of earlier conversations."""

    schema: ToolSchema = ToolSchema(
        "memory_search",
        "Search the notes from earlier conversations in this folder, by words, names or paths.",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": 2_000},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST,
                    "description": f"Default {DEFAULT_LIMIT}.",
                },
            },
            "required": ["query"],
        },
    )
    traits: ToolTraits = ToolTraits(kind="memory", verb="Search memory for", subject="query")
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[SearchPlan]:
        """Check the query and show it."""
        conversation_of(context)
        given = check_arguments(self.schema, arguments)
        limit = given.get("limit", DEFAULT_LIMIT)
        assert isinstance(limit, int)
        plan = SearchPlan(str(given["query"]), limit)
        title = f"Search memory for {whole_line(plan.query)}"
        return Intent(title=title, ask=False, plan=plan)

    async def run(self, intent: Intent[SearchPlan], context: CallContext) -> Outcome:
        """Find and quote the notes."""
        plan = intent.plan
        return Outcome(text=await conversation_of(context).find_notes(plan.query, plan.limit))

"""``memory_search``: what is known from earlier conversations."""

from dataclasses import dataclass
from typing import Protocol

from plimsoll.context.messages import ToolSchema
from plimsoll.tools.arguments import checked
from plimsoll.tools.base import Arguments, Intent, Outcome, Place, ToolKind
from plimsoll.tools.display import visible_line

DEFAULT_LIMIT = 8
MOST = 20


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """A search that was shown."""

    query: str
    limit: int


class MemoryFinder(Protocol):
    """Finds notes of one project."""

    async def find(self, query: str, limit: int) -> str:
        """The notes as a text in which each is quoted."""
        ...


class MemorySearch:
    """Finds notes."""

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
    kind: ToolKind = "memory"
    reading: bool = True

    def __init__(self, memories: MemoryFinder) -> None:
        self._memories = memories

    def prepare(self, arguments: Arguments, place: Place) -> Intent:
        """Show the query."""
        del place  # The notes are the project's.
        given = checked(self.schema, arguments)
        limit = given.get("limit", DEFAULT_LIMIT)
        assert isinstance(limit, int)
        plan = SearchPlan(str(given["query"]), limit)
        title = f"Search memory for {visible_line(plan.query, limit=120)}"
        return Intent(title, ask=False, plan=plan)

    async def run(self, intent: Intent, place: Place) -> Outcome:
        """Find and quote the notes."""
        del place
        plan = intent.plan
        assert isinstance(plan, SearchPlan)
        return Outcome(await self._memories.find(plan.query, plan.limit))

"""``history``: what was said before, also what has left the context."""

from dataclasses import dataclass

from plimsoll.context.messages import ToolSchema
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import checked
from plimsoll.tools.base import Arguments, Conversation, Found, Intent, Outcome, Place, ToolKind
from plimsoll.tools.display import visible_line

MOST_FOUND = 10


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """A search, or an item to bring back."""

    query: str | None
    item: str | None


class History:
    """Searches the whole log and brings an item back."""

    schema: ToolSchema = ToolSchema(
        "history",
        "Search everything said and read in this session, also what has left the context, or "
        "bring one item back by its id.",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1},
                "item_id": {"type": "string", "minLength": 1},
            },
        },
    )
    kind: ToolKind = "search"
    reading: bool = True

    def prepare(self, arguments: Arguments, place: Place) -> Intent:
        """Check that there is one question."""
        given = checked(self.schema, arguments)
        query, item = given.get("query"), given.get("item_id")
        if (query is None) == (item is None):
            raise ToolFailed("history takes either query or item_id.")
        conversation(place)
        plan = HistoryPlan(
            None if query is None else str(query), None if item is None else str(item)
        )
        return Intent(f"Look up {visible_line(str(query or item))}", ask=False, plan=plan)

    async def run(self, intent: Intent, place: Place) -> Outcome:
        """Search, or give the whole text of an item."""
        plan = intent.plan
        assert isinstance(plan, HistoryPlan)
        held = conversation(place)
        if plan.item is not None:
            text = held.text_of(plan.item)
            if text is None:
                raise ToolFailed(f"There is no item {plan.item!r}. Search with query to find one.")
            return Outcome(text)
        found = held.search(plan.query or "", MOST_FOUND)
        if not found:
            return Outcome("Nothing in this session matches. Try a name, a path or a number.")
        return Outcome("\n".join(_line(each) for each in found))


def conversation(place: Place) -> Conversation:
    """The session of a call; raises ToolFailed where there is none."""
    if place.conversation is None:
        raise ToolFailed("This tool works only within a session.")
    return place.conversation


def _line(found: Found) -> str:
    where = "in view" if found.in_view else "left the context"
    return (
        f"{found.item} | turn {found.turn} | {found.title} | {found.tokens} tokens, {where}\n"
        f"    {found.excerpt}"
    )

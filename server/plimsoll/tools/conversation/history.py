"""``history``: searches all that was said before, also what has left the context."""

from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.conversation_values import Found
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments

MOST_FOUND = 10
MOST_CHARACTERS = 20_000
"""The most of an item that one answer gives: a longer one would be truncated again."""


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """The search to make, or the item to bring back."""

    query: str | None
    item: str | None
    offset: int = 0
    """The character of the item at which to begin."""


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
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Characters of the item to leave out at its beginning.",
                },
            },
        },
    )
    traits: ToolTraits = ToolTraits(kind="search", verb="Look up", subject="query", recalls=True)
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[HistoryPlan]:
        """Check that there is either a query or an item."""
        given = check_arguments(self.schema, arguments)
        query, item = given.get("query"), given.get("item_id")
        if (query is None) == (item is None):
            raise ToolFailed("history takes either query or item_id.")
        conversation_of(context)
        if item is None and "offset" in given:
            raise ToolFailed("offset belongs to item_id.")
        plan = HistoryPlan(
            None if query is None else str(query),
            None if item is None else str(item),
            int(str(given.get("offset", 0))),
        )
        title = f"Look up {whole_line(str(query or item))}"
        return Intent(title=title, ask=False, plan=plan)

    async def run(self, intent: Intent[HistoryPlan], context: CallContext) -> Outcome:
        """Search, or return the text of an item, page by page."""
        plan = intent.plan
        session = conversation_of(context)
        if plan.item is not None:
            text = session.text_of(plan.item)
            if text is None:
                raise ToolFailed(f"There is no item {plan.item!r}. Search with query to find one.")
            return Outcome(text=_page(text, plan.offset))
        found = session.search(plan.query or "", MOST_FOUND)
        if not found:
            return Outcome(text="Nothing in this session matches. Try a name, a path or a number.")
        return Outcome(text="\n".join(_line(each) for each in found))


def _page(text: str, offset: int) -> str:
    """Return a page of an item, and say how to get the next one."""
    piece = text[offset : offset + MOST_CHARACTERS]
    after = offset + len(piece)
    if after >= len(text):
        return piece or f"[the item has {len(text):,} characters]"
    return f"{piece}\n[{len(text) - after:,} characters more: go on with offset {after}]"


def _line(found: Found) -> str:
    where = "in view" if found.in_view else "left the context"
    return (
        f"{found.item} | turn {found.turn} | {found.title} | {found.tokens} tokens, {where}\n"
        f"    {found.excerpt}"
    )

"""``context``: shows the model its own load, and evicts items that it no longer needs."""

from collections.abc import Sequence
from typing import cast

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


class ContextTool:
    """Shows the load of the context, and evicts items, which history can bring back."""

    schema: ToolSchema = ToolSchema(
        "context",
        "Show how full the context is and its largest items; remove items that are no longer "
        "needed. history brings them back.",
        {
            "type": "object",
            "properties": {"evict": {"type": "array", "items": {"type": "string"}}},
        },
    )
    traits: ToolTraits = ToolTraits()
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[tuple[str, ...]]:
        """Check that the ids of the items to evict have the right form."""
        given = check_arguments(self.schema, arguments)
        conversation_of(context)
        items = tuple(cast("Sequence[str]", given.get("evict", ())))
        counted = "1 item" if len(items) == 1 else f"{len(items)} items"
        title = f"Remove {counted} from the context" if items else "Look at the context"
        return Intent(title=title, ask=False, plan=items)

    async def run(self, intent: Intent[tuple[str, ...]], context: CallContext) -> Outcome:
        """Evict the items that the call names, and answer with the load of the context."""
        items = intent.plan
        session = conversation_of(context)
        freed = await session.evict(items) if items else ""
        return Outcome(text=f"{freed}\n{session.load()}".strip())

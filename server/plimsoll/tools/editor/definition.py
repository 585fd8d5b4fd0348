"""``definition``: where a symbol is defined."""

from collections.abc import Sequence

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.editor.knowledge import Place
from plimsoll.tools.editor.placed_names import (
    NamePlan,
    ask_at,
    name_schema,
    planned_name,
    show_places,
)
from plimsoll.tools.editor.results import bare_name, by
from plimsoll.tools.editor.symbols import find_symbols, named_within
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


class Definition:
    """Finds where a symbol is defined."""

    schema: ToolSchema = name_schema("definition", "Find where a symbol is defined.")
    traits: ToolTraits = ToolTraits(kind="search", verb="Find definition of", subject="symbol")
    reading: bool = True

    def __init__(self, index: CodeIndex) -> None:
        self._index = index

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[NamePlan]:
        """Check the folder's trust and the path."""
        return planned_name(self.schema, arguments, context, "Find definition of")

    async def run(self, intent: Intent[NamePlan], context: CallContext) -> Outcome:
        """Ask the editor for the definition, else search the files for it."""
        plan = intent.plan
        places = await _find_definition(plan, context)
        if places:
            return await show_places(places, [by("the editor")], context)
        known = await find_symbols(bare_name(plan.symbol), context, self._index, exact=True)
        found = named_within(known.symbols, plan.symbol)
        if not found:
            raise ToolFailed(
                f"No definition of {visible_line(plan.symbol)} was found {by(known.known_by)}."
            )
        places = [Place(each.path, each.line) for each in found]
        return await show_places(places, [*known.notes, by(known.known_by)], context)


async def _find_definition(plan: NamePlan, context: CallContext) -> Sequence[Place] | None:
    if plan.place is None:
        return None
    path, know = plan.place.target.path, context.knowledge
    return await ask_at(plan.place, lambda position: know.definition(path, position), context)

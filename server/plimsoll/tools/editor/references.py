"""``references``: where a symbol is used."""

from collections.abc import Sequence

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.editor.knowledge import Place
from plimsoll.tools.editor.placed_names import (
    NamePlan,
    ask_at,
    name_schema,
    planned_name,
    show_places,
)
from plimsoll.tools.editor.results import NamePlace, bare_name, by, file_inside
from plimsoll.tools.editor.symbols import named_within
from plimsoll.tools.files.paths import shown_name
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments


class FindReferences:
    """Finds where a symbol is used."""

    schema: ToolSchema = name_schema("references", "Find where a symbol is used.")
    traits: ToolTraits = ToolTraits(kind="search", verb="Find uses of", subject="symbol")
    reading: bool = True

    def __init__(self, index: CodeIndex) -> None:
        self._index = index

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[NamePlan]:
        """Check the folder's trust and the path."""
        return planned_name(self.schema, arguments, context, "Find uses of")

    async def run(self, intent: Intent[NamePlan], context: CallContext) -> Outcome:
        """Ask the editor, else look for the word."""
        places = await _used(intent.plan, context)
        if places:
            return await show_places(places, [by("the editor")], context)
        name = bare_name(intent.plan.symbol)
        found = await self._index.mentions(name, context)
        seen = [Place(match.path, match.line) for match in found.matches]
        notes = [] if found.whole else ["[not all files were searched]"]
        nothing = [] if seen else ["[no uses]"]
        return await show_places(seen, [*nothing, *notes, by("text search")], context)


async def _used(plan: NamePlan, context: CallContext) -> Sequence[Place] | None:
    place = plan.place or await _definition(plan.symbol, context)
    if place is None:
        return None
    path, know = place.target.path, context.knowledge
    return await ask_at(place, lambda position: know.references(path, position), context)


async def _definition(symbol: str, context: CallContext) -> NamePlace | None:
    """Return where the editor says that a symbol is defined, if that is one place."""
    found = await context.knowledge.symbols(context.root, bare_name(symbol)) or ()
    places = {(each.path, each.line) for each in named_within(found, symbol)}
    if len(places) != 1:
        return None
    path, line = places.pop()
    target = file_inside(shown_name(path, context.root), context)
    return NamePlace(symbol, target, line)

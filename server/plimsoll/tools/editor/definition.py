"""``definition``: where a symbol is defined."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import checked
from plimsoll.tools.display import visible_line, whole_line
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.editor.knowledge import Place
from plimsoll.tools.editor.results import (
    NamePlace,
    asked_line,
    bare_name,
    by,
    file_inside,
    first_answer,
    place_rows,
    positions_of,
    refuse_untrusted,
)
from plimsoll.tools.editor.symbols import named, named_within
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location, Outcome
from plimsoll.tools.ports.tool import Arguments

PLACED_NAME = {
    "symbol": {"type": "string", "minLength": 1},
    "path": {"type": "string", "description": "A file that uses it."},
    "line": {"type": "integer", "minimum": 1},
}
"""The arguments that name a symbol, and where it stands."""


@dataclass(frozen=True, slots=True)
class NamePlan:
    """A symbol, and a place where its name stands, if one was given."""

    symbol: str
    place: NamePlace | None


def planned_name(
    schema: ToolSchema, arguments: Arguments, context: CallContext, title: str
) -> Intent[NamePlan]:
    """Check the folder's trust and the arguments that name a symbol.

    Raises:
        ToolFailed: They do not hold.
    """
    given = checked(schema, arguments)
    refuse_untrusted(schema.name, "Use grep.", context)
    path, line = given.get("path"), asked_line(given.get("line"))
    target = None if path is None else file_inside(str(path), context)
    if target is None and line is not None:
        raise ToolFailed("line needs the path of its file.")
    symbol = str(given["symbol"]).strip()
    lines = None if line is None else (line, line)
    return Intent(
        title=f"{title} {whole_line(symbol)}",
        ask=False,
        locations=(Location(target.path, lines),) if target else (),
        plan=NamePlan(symbol, NamePlace(symbol, target, line) if target else None),
    )


class Definition:
    """Finds where a symbol is defined."""

    schema: ToolSchema = ToolSchema(
        "definition",
        "Find where a symbol is defined.",
        {"type": "object", "properties": PLACED_NAME, "required": ["symbol"]},
    )
    traits: ToolTraits = ToolTraits(kind="search", verb="Find definition of", subject="symbol")
    reading: bool = True

    def __init__(self, index: CodeIndex) -> None:
        self._index = index

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[NamePlan]:
        """Check the folder's trust and the path."""
        return planned_name(self.schema, arguments, context, "Find definition of")

    async def run(self, intent: Intent[NamePlan], context: CallContext) -> Outcome:
        """Ask the editor, else look for it."""
        plan = intent.plan
        places = await _defined(plan, context)
        if places:
            rows = await asyncio.to_thread(lambda: list(place_rows(places, context)))
            return Outcome(text="\n".join([*rows, by("the editor")]))
        known = await named(bare_name(plan.symbol), context, self._index, exact=True)
        found = named_within(known.symbols, plan.symbol)
        if not found:
            raise ToolFailed(
                f"No definition of {visible_line(plan.symbol)} was found {by(known.known_by)}."
            )
        places = [Place(each.path, each.line) for each in found]
        rows = await asyncio.to_thread(lambda: list(place_rows(places, context)))
        return Outcome(text="\n".join([*rows, *known.notes, by(known.known_by)]))


async def _defined(plan: NamePlan, context: CallContext) -> Sequence[Place] | None:
    if plan.place is None:
        return None
    path, know = plan.place.target.path, context.knowledge
    positions = await asyncio.to_thread(positions_of, plan.place, context)
    return await first_answer(lambda position: know.definition(path, position), positions)

"""What the tools about one symbol share: their arguments, question and result."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from plimsoll.context.log.messages import ToolSchema
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.editor.knowledge import Place, Position
from plimsoll.tools.editor.results import (
    NamePlace,
    asked_line,
    file_inside,
    first_answer,
    place_rows,
    positions_of,
    refuse_untrusted,
)
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location, Outcome
from plimsoll.tools.ports.tool import Arguments


@dataclass(frozen=True, slots=True)
class NamePlan:
    """A symbol, and a place where its name stands, if one was given."""

    symbol: str
    place: NamePlace | None


def name_schema(tool: str, description: str) -> ToolSchema:
    """Return the schema of a tool that is given a symbol, and where it stands."""
    properties = {
        "symbol": {"type": "string", "minLength": 1},
        "path": {"type": "string", "description": "A file that uses it."},
        "line": {"type": "integer", "minimum": 1},
    }
    return ToolSchema(
        tool, description, {"type": "object", "properties": properties, "required": ["symbol"]}
    )


def planned_name(
    schema: ToolSchema, arguments: Arguments, context: CallContext, title: str
) -> Intent[NamePlan]:
    """Check the folder's trust and the arguments that name a symbol.

    Raises:
        ToolFailed: The folder is not trusted, or the arguments are wrong.
    """
    given = check_arguments(schema, arguments)
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


async def ask_at(
    place: NamePlace,
    ask: Callable[[Position], Awaitable[Sequence[Place] | None]],
    context: CallContext,
) -> Sequence[Place] | None:
    """Ask the editor at the positions where a name stands, until one is answered."""
    positions = await asyncio.to_thread(positions_of, place, context)
    return await first_answer(ask, positions)


async def show_places(
    places: Iterable[Place], notes: Iterable[str], context: CallContext
) -> Outcome:
    """Return a row for each place, then the notes."""
    rows = await asyncio.to_thread(lambda: list(place_rows(places, context)))
    return Outcome(text="\n".join([*rows, *notes]))

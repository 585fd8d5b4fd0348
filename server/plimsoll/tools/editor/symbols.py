"""``symbols``: the outline of a file, or symbols of the workspace by name."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.editor.code_index import CodeIndex, KnownSymbols
from plimsoll.tools.editor.knowledge import Symbol
from plimsoll.tools.editor.results import (
    bare_name,
    by,
    file_inside,
    inside_root,
    refuse_untrusted,
    symbol_row,
)
from plimsoll.tools.files.paths import Target, shown_name
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location, Outcome
from plimsoll.tools.ports.tool import Arguments

MOST = 200
_BODIES = frozenset({"function", "method", "constructor", "member"})
"""Kinds of symbols whose inner ones no outline needs, but other functions and classes."""
_LOCAL = frozenset({"variable", "constant", "property", "field", "parameter", "local", ""})


@dataclass(frozen=True, slots=True)
class SymbolsPlan:
    """The file whose outline is wanted, or the query that names of symbols must match."""

    target: Target | None
    query: str


class Symbols:
    """Lists symbols."""

    schema: ToolSchema = ToolSchema(
        "symbols",
        "List the symbols of a file (path), or of the workspace by a part of their name (query).",
        {
            "type": "object",
            "properties": {"path": {"type": "string"}, "query": {"type": "string"}},
        },
    )
    traits: ToolTraits = ToolTraits(
        kind="search", verb="List symbols of", subject="path", repeatable=True
    )
    reading: bool = True

    def __init__(self, index: CodeIndex) -> None:
        self._index = index

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[SymbolsPlan]:
        """Check the folder's trust and the path; files outside of the workspace are refused."""
        given = check_arguments(self.schema, arguments)
        refuse_untrusted("symbols", "Use grep.", context)
        path, query = given.get("path"), str(given.get("query", "")).strip()
        if path is None and not query:
            raise ToolFailed("symbols needs a path or a query.")
        target = None if path is None else file_inside(str(path), context)
        about = f"symbols of {target.shown}" if target else f"symbols like {whole_line(query)}"
        return Intent(
            title=f"List {about}",
            ask=False,
            locations=(Location(target.path),) if target else (),
            plan=SymbolsPlan(target, query),
        )

    async def run(self, intent: Intent[SymbolsPlan], context: CallContext) -> Outcome:
        """Ask the editor for the symbols, else search the files for them."""
        plan = intent.plan
        if plan.target is None:
            return await self._workspace(plan.query, context)
        known = await outline(plan.target, context, self._index)
        name = shown_name(plan.target.path, context.root)
        wanted = plan.query.casefold()
        found = [each for each in _drop_locals(known.symbols) if wanted in _full(each).casefold()]
        return _outcome(found, [symbol_row(each, name) for each in found[:MOST]], known)

    async def _workspace(self, query: str, context: CallContext) -> Outcome:
        known = await find_symbols(query, context, self._index, exact=False)
        found = sorted(known.symbols, key=lambda each: _rank(each, query))
        rows = [symbol_row(each, shown_name(each.path, context.root)) for each in found[:MOST]]
        return _outcome(found, rows, known)


async def outline(target: Target, context: CallContext, index: CodeIndex) -> KnownSymbols:
    """Return the symbols of a file from the first source that knows any.

    Raises:
        ToolFailed: It cannot be read.
    """
    found = await context.knowledge.outline(target.path)
    if found:
        return KnownSymbols(found, "the editor")
    return await index.outline(target, context)


async def find_symbols(
    name: str, context: CallContext, index: CodeIndex, *, exact: bool
) -> KnownSymbols:
    """Return the workspace's symbols by a name or a part of it, from the first source with any."""
    asked = await context.knowledge.symbols(context.root, name)
    found = await asyncio.to_thread(
        lambda: _named_inside(asked or (), name, context.root, exact=exact)
    )
    if found:
        return KnownSymbols(found, "the editor")
    return await index.find_by_name(name, context, exact=exact)


def _named_inside(symbols: Iterable[Symbol], name: str, root: Path, *, exact: bool) -> list[Symbol]:
    return [
        each
        for each in symbols
        if (bare(each.name) == name if exact else name.casefold() in each.name.casefold())
        and inside_root(each.path, root) is not None
    ]


def bare(name: str) -> str:
    """Return a name without the parameters that some editors put behind it: ``add(int)``."""
    return name.partition("(")[0].strip()


def named_within(symbols: Sequence[Symbol], symbol: str) -> list[Symbol]:
    """Return the symbols with a name; for ``Outer.inner``, if there are any, those in ``Outer``."""
    name = bare_name(symbol)
    same = [each for each in symbols if bare(each.name) in {name, symbol}]
    outer = bare_name(symbol.strip().removesuffix("()").removesuffix(name).rstrip(".:#"))
    inner = [each for each in same if outer and outer in each.container]
    return inner or same


def _drop_locals(symbols: Sequence[Symbol]) -> Iterator[Symbol]:
    """Yield the symbols of an outline without the variables inside of functions."""
    kinds: dict[tuple[str, ...], str] = {
        (*each.container, each.name): each.kind for each in symbols
    }
    for each in symbols:
        inside = kinds.get(each.container, "")
        if inside not in _BODIES or each.kind not in _LOCAL:
            yield each


def _full(symbol: Symbol) -> str:
    """Return a symbol's name behind its containers' names, so that ``Ledger.`` finds members."""
    return ".".join((*symbol.container, symbol.name))


def _rank(symbol: Symbol, query: str) -> tuple[bool, bool, str, int]:
    same = symbol.name.casefold() != query.casefold()
    begins = not symbol.name.casefold().startswith(query.casefold())
    return same, begins, str(symbol.path), symbol.line


def _outcome(found: Sequence[Symbol], rows: Sequence[str], known: KnownSymbols) -> Outcome:
    notes = list(known.notes)
    if not found:
        notes.append("[no symbols]")
    if len(found) > MOST:
        notes.append(f"[{len(found) - MOST} more not shown; give a query]")
    return Outcome(text="\n".join([*rows, *notes, by(known.known_by)]))

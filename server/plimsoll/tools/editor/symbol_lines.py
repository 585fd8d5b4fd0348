"""The lines of one symbol of a file, by the first who knows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.tools.display import visible_line
from plimsoll.tools.editor.code_index import CodeIndex, KnownBy, text_of
from plimsoll.tools.editor.knowledge import Symbol
from plimsoll.tools.editor.line_looks import last_line
from plimsoll.tools.editor.results import by, symbol_row
from plimsoll.tools.editor.symbols import bare, named_within, outline
from plimsoll.tools.files.paths import Target
from plimsoll.tools.ports.context import CallContext

_MOST_NAMED = 10
_OVERLOADS_APART = 4
"""Lines at most from the end of an overload to the next: they are read as one symbol."""


@dataclass(frozen=True, slots=True)
class SymbolLines:
    """The lines of a symbol, from 1, both included, and a note on the source that found it."""

    first: int
    last: int
    note: str


async def lines_of_symbol(
    symbol: str, target: Target, context: CallContext, index: CodeIndex
) -> SymbolLines:
    """Find the lines of a symbol in a file by its name, or by a dotted name: ``Ledger.count``.

    Raises:
        ToolFailed: There is none, or there are several.
    """
    known = await outline(target, context, index)
    found = named_within(known.symbols, symbol)
    if not found:
        raise ToolFailed(_absent(symbol, target, known.symbols, known.known_by))
    places = sorted(
        {(each.first, _last(each, target.path, context)): each for each in found}.items()
    )
    first, last = places[0][0][0], max(last for (_, last), _ in places)
    apart = any(later[0][0] - one[0][1] > _OVERLOADS_APART for one, later in pairwise(places))
    if apart or len({each.container for _, each in places}) > 1:
        rows = "; ".join(symbol_row(each, "line").strip() for _, each in places)
        raise ToolFailed(
            f"{visible_line(symbol)} stands {len(places)} times in {target.shown}: {rows}. Give "
            "the names around it too, as Outer.inner, or offset and limit."
        )
    return SymbolLines(first, last, by(known.known_by))


def _last(symbol: Symbol, path: Path, context: CallContext) -> int:
    return symbol.last if symbol.last is not None else _end(path, symbol.first, context)


def _end(path: Path, first: int, context: CallContext) -> int:
    rows = list(lines_of(text_of(path, context) or ""))
    return last_line(rows, first) if first <= len(rows) else first


def _absent(symbol: str, target: Target, symbols: Sequence[Symbol], known_by: KnownBy) -> str:
    names = list(dict.fromkeys(bare(each.name) for each in symbols))[:_MOST_NAMED]
    told = f" It has {visible_line(', '.join(names), 300)}." if names else ""
    return f"No symbol {visible_line(symbol)} in {target.shown} ({by(known_by)[1:-1]}).{told}"

"""What the tools about code share: their permission, and how places are shown in results.

Laws: nothing is asked of an editor or a ctags in a folder that nobody trusts; what an editor names
outside of the workspace is named and not read; every result says who knows it.
"""

import os
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of, units_of
from plimsoll.tools.display import visible_line
from plimsoll.tools.editor.code_index import KnownBy, text_of, word
from plimsoll.tools.editor.knowledge import Place, Position, Symbol
from plimsoll.tools.files.paths import Target, missing, resolve, shown_name
from plimsoll.tools.ports.context import CallContext

MOST_PLACES = 100
LONGEST_LINE = 160
"""Characters of a line of code beside its place."""
LONGEST_NAME = 200
MOST_TRIED = 4
"""Places of a name at which an editor is asked about it."""
FoundT = TypeVar("FoundT")


def refuse_untrusted(name: str, instead: str, context: CallContext) -> None:
    """Refuse a call where the person does not trust the folder.

    Raises:
        ToolFailed: The folder is not trusted.
    """
    if not context.trusted():
        raise ToolFailed(
            f"{name} does not run, since the user has not trusted this folder. {instead}"
        )


def file_inside(asked: str, context: CallContext) -> Target:
    """Resolve the path of a file of the workspace.

    Raises:
        ToolFailed: It lies outside, or is no file.
    """
    target = resolve(asked, context)
    if not target.inside:
        raise ToolFailed(f"{target.shown}: the editor is asked of files in the workspace alone.")
    if not target.path.is_file() and context.documents.open_text(target.path) is None:
        raise missing(target)
    return target


def asked_line(value: object) -> int | None:
    """Return the line number that a call gives as an argument, or None."""
    return value if isinstance(value, int) else None


def bare_name(symbol: str) -> str:
    """Return the last name of ``Outer.inner`` or ``outer::inner``."""
    return re.split(r"\.|::|#", symbol.strip().removesuffix("()"))[-1] or symbol


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A name in a file, and the line, from 1, if that was given."""

    symbol: str
    target: Target
    line: int | None = None


def positions_of(place: NamePlace, context: CallContext) -> list[Position]:
    """Return the first positions of a name in a file, or on one line of it; blocks.

    Raises:
        ToolFailed: The name is not there.
    """
    name, target = bare_name(place.symbol), place.target
    rows = list(lines_of(text_of(target.path, context) or ""))
    numbers = range(1, len(rows) + 1) if place.line is None else (place.line,)
    wanted = re.compile(word(name))
    matches = ((n, wanted.search(rows[n - 1])) for n in numbers if n <= len(rows))
    positions = (
        Position(number - 1, units_of(rows[number - 1][: found.start()], "utf-16"))
        for number, found in matches
        if found is not None
    )
    found = list(islice(positions, MOST_TRIED))
    if not found:
        where = f" on line {place.line}" if place.line is not None else ""
        raise ToolFailed(f"{visible_line(name)} does not stand{where} in {target.shown}.")
    return found


async def first_answer(
    ask: Callable[[Position], Awaitable[FoundT | None]], positions: Iterable[Position]
) -> FoundT | None:
    """Ask the editor about one position after the other, and return the first answer."""
    for position in positions:
        found = await ask(position)
        if found:
            return found
    return None


def inside_root(path: Path, root: Path) -> Path | None:
    """Return the real path of a file that the editor named, or None outside of the workspace."""
    real = Path(os.path.realpath(path))
    return real if real.is_relative_to(root) else None


def place_rows(places: Iterable[Place], context: CallContext) -> Iterator[str]:
    """Yield each place as ``path:line: text``, without text for files outside; blocks."""
    texts: dict[Path, Sequence[str]] = {}
    unique = list(dict.fromkeys(places))
    for place in unique[:MOST_PLACES]:
        path = inside_root(place.path, context.root)
        if path is None:
            yield f"{shown_name(place.path, context.root)}:{place.line} (outside the workspace)"
            continue
        if path not in texts:
            texts[path] = list(lines_of(text_of(path, context) or ""))
        rows = texts[path]
        text = rows[place.line - 1].strip() if 0 < place.line <= len(rows) else ""
        yield f"{shown_name(path, context.root)}:{place.line}: {visible_line(text, LONGEST_LINE)}"
    if len(unique) > MOST_PLACES:
        yield f"[{len(unique) - MOST_PLACES} more not shown]"


def symbol_row(symbol: Symbol, name: str) -> str:
    """Write a symbol after the name of its file: ``src/a.py:3-9 class Ledger``."""
    end = f"-{symbol.last}" if symbol.last is not None and symbol.last > symbol.first else ""
    full = visible_line(".".join((*symbol.container, symbol.name)), LONGEST_NAME)
    return f"{name}:{symbol.first}{end} {visible_line(symbol.kind, 40)} {full}".replace("  ", " ")


def by(known_by: KnownBy) -> str:
    """Write the last line of a result on code, which names the source of the result."""
    return f"[by {known_by}]"

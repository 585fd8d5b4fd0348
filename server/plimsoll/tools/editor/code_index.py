"""Symbols of a folder without an editor: by Universal Ctags where it is installed, else by text."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.tools.editor.ctags import CtagsFailed, parse_symbols, usable_ctags
from plimsoll.tools.editor.knowledge import Symbol
from plimsoll.tools.editor.line_looks import defined_in, last_line, outline_of, pattern_of
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.files.paths import Target, resolve
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.documents import known_buffers
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.line_search import found_lines
from plimsoll.tools.search.python_search import Findings, searchable
from plimsoll.tools.search.searching import Searches
from plimsoll.tools.search.walk import walk_notes

KnownBy = Literal["the editor", "ctags", "text search"]
"""Who knows something of the code, as results say it: ``by ctags``."""
LARGEST = 2_000_000
"""Bytes of a file whose symbols are looked for."""
MOST_KEPT = 500_000
"""Symbols that are kept for later questions, of all folders together."""

_Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class KnownSymbols:
    """Symbols, and the source that they come from."""

    symbols: Sequence[Symbol]
    known_by: KnownBy
    notes: tuple[str, ...] = ()
    """What was left out, for the end of a result."""


class CodeIndex:
    """Finds symbols; the symbols that ctags found in a file are kept until the file changes."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._kept: dict[Path, tuple[_Stamp, tuple[Symbol, ...]]] = {}

    async def outline(self, target: Target, context: CallContext) -> KnownSymbols:
        """Return the symbols of a file, each before those inside of it.

        Raises:
            ToolFailed: It cannot be read, or is no text.
        """
        return await self._searches.run(target, context, partial(self._outline, target, context))

    async def find_by_name(self, query: str, context: CallContext, *, exact: bool) -> KnownSymbols:
        """Return symbols of the folder by their name, or by a part of it in any case."""
        target = resolve(".", context)
        search = partial(self._find_by_name, query, target, context, exact=exact)
        return await self._searches.run(target, context, search)

    async def mentions(self, name: str, context: CallContext) -> Findings:
        """Return the lines in the folder's files that contain a name as a whole word."""
        target = resolve(".", context)

        def search(halt: Halt) -> Findings:
            tree = self._searches.tree_of(target, context, halt)
            return found_lines(word(name), context, tree, halt, said=name)

        return await self._searches.run(target, context, search)

    def _outline(self, target: Target, context: CallContext, halt: Halt) -> KnownSymbols:
        text = text_of(target.path, context)
        if text is None:
            raise ToolFailed(f"{target.shown} is not a text of at most 2 MB.")
        program = usable_ctags(context)
        if program is not None:
            found = self._index_by_ctags(program, [target.path], context, halt)
            if found is not None and found[0]:
                return KnownSymbols(found[0], "ctags")
        return KnownSymbols(list(outline_of(target.path, list(lines_of(text)))), "text search")

    def _find_by_name(
        self, query: str, target: Target, context: CallContext, halt: Halt, *, exact: bool
    ) -> KnownSymbols:
        tree = self._searches.tree_of(target, context, halt)
        notes = tuple(walk_notes(tree.walk, context.root, halt))
        program = usable_ctags(context)
        files = [] if program is None else [*tree.walk.files]
        tags = None if program is None else self._index_by_ctags(program, files, context, halt)
        if tags is not None:
            symbols = [each for each in tags[0] if _matches(each.name, query, exact=exact)]
            if symbols:
                stopped = () if tags[1] else (f"[stopped {halt.why}: not all files were read]",)
                return KnownSymbols(symbols, "ctags", (*notes, *stopped))
        name = re.escape(query) if exact else rf"[\w$]*{re.escape(query)}[\w$]*"
        lines = found_lines(
            pattern_of(name), context, tree, halt, ignore_case=not exact, said=query
        )
        seen = _looks(lines, context)
        symbols = [each for each in seen if _matches(each.name, query, exact=exact)]
        return KnownSymbols(symbols, "text search", notes)

    def _index_by_ctags(
        self, program: str, files: Sequence[Path], context: CallContext, halt: Halt
    ) -> tuple[list[Symbol], bool] | None:
        """Return the symbols of files by ctags, and whether all were read; None if ctags failed."""
        found: dict[Path, tuple[Symbol, ...]] = {}
        stamps: dict[Path, _Stamp] = {}
        buffers = known_buffers(context.documents)
        for path in files:
            stamp = _stamp(path)
            kept = self._kept.get(path)
            if buffers(path) is not None or stamp is None:
                continue
            if kept is not None and kept[0] == stamp:
                found[path] = kept[1]
            else:
                stamps[path] = stamp
        wanted = [path for path in files if path not in found]
        texts = _texts(wanted, context)
        try:
            found |= dict(parse_symbols(program, texts, context, halt)) if wanted else {}
        except CtagsFailed:
            return None
        self._keep({p: (stamps[p], found[p]) for p in stamps if p in found})
        return [symbol for path in files for symbol in found.get(path, ())], not halt

    def _keep(self, fresh: dict[Path, tuple[_Stamp, tuple[Symbol, ...]]]) -> None:
        kept = {**self._kept, **fresh}
        too_many = sum(len(symbols) for _, symbols in kept.values()) > MOST_KEPT
        # Another search may read it meanwhile: it is replaced, never changed.
        self._kept = {} if too_many else kept


def word(name: str) -> str:
    """Return a regular expression, for either search engine, for a name as a whole word."""
    before = r"\b" if re.match(r"\w", name) else ""
    after = r"\b" if re.search(r"\w$", name) else ""
    return f"{before}{re.escape(name)}{after}"


def _matches(name: str, query: str, *, exact: bool) -> bool:
    return name == query if exact else query.casefold() in name.casefold()


def _looks(lines: Findings, context: CallContext) -> Iterator[Symbol]:
    """Yield a symbol for each found line that looks like a definition, with where it ends."""
    texts: dict[Path, list[str]] = {}
    for match in lines.matches:
        name = defined_in(match.text)
        if name is None:
            continue
        if match.path not in texts:
            texts[match.path] = list(lines_of(text_of(match.path, context) or ""))
        rows = texts[match.path]
        last = last_line(rows, match.line) if match.line <= len(rows) else None
        yield Symbol(
            name=name,
            kind="",
            path=match.path,
            line=match.line,
            first=match.line,
            last=last,
        )


def _texts(files: Sequence[Path], context: CallContext) -> Iterator[tuple[Path, bytes]]:
    buffers = known_buffers(context.documents)
    for path in files:
        text = buffers(path)
        text = _text_on_disk(path) if text is None else text
        if text is not None:
            # A program of its own might count other lines.
            yield path, "".join(f"{line}\n" for line in lines_of(text)).encode("utf-8", "replace")


def text_of(path: Path, context: CallContext) -> str | None:
    """Return a file's text, the editor's where it is open; None for a binary or large file."""
    buffer = context.documents.open_text(path)
    return _text_on_disk(path) if buffer is None else buffer


def _text_on_disk(path: Path) -> str | None:
    try:
        with open_regular_file(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ToolFailed):
        return None
    return None if len(data) > LARGEST else searchable(data)


def _stamp(path: Path) -> _Stamp | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

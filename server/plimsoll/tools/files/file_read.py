"""``file_read``: reads lines of a file, from the editor's buffer if it is open there."""

import asyncio
import codecs
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import BinaryIO

from plimsoll.context.log.counts import Counts
from plimsoll.context.log.images import image_type
from plimsoll.context.log.messages import Source, ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.lines import (
    file_lines,
    lines_of,
    lines_said,
    version_of,
    version_of_bytes,
    version_of_lines,
)
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.documents.document import DocumentText, document_text
from plimsoll.tools.documents.image import image_outcome
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.editor.results import refuse_untrusted
from plimsoll.tools.editor.symbol_lines import lines_of_symbol
from plimsoll.tools.files import content
from plimsoll.tools.files.opening import failure, open_regular_file
from plimsoll.tools.files.paths import Target, missing, resolve, resolve_again
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location, Outcome
from plimsoll.tools.ports.tool import Arguments

# Above this a file is read in part only: its text would be held several times over.
LARGEST_WHOLE = 20_000_000
# What one reading of a part brings at most, in lines when no limit is given and in bytes.
PART_LINES = 2000
PART_BYTES = 1_000_000
# Characters that one reading within a line brings: they fit what an output may have.
PIECE = 20_000
_BLOCK = 1_000_000
# A number before each line takes a sixth of a source file's tokens; the lines between two numbers
# are soon counted, and edits go by text.
NUMBER_EVERY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPlan:
    """The file and the lines to read, or where in one line to begin."""

    target: Target
    offset: int | None = None
    limit: int | None = None
    start_character: int | None = None
    symbol: str | None = None
    """The symbol whose lines are read; who knows it is asked as the call runs."""
    note: str | None = None
    """What is said of the symbol that was found."""


class FileRead:
    """Reads a text file."""

    schema: ToolSchema = ToolSchema(
        "file_read",
        "Read a text file; notebooks and PDF come as text, images as such. Before the first and "
        "every tenth line stand its number and a tab. Give offset and limit for a large file.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Relative to the workspace."},
                "offset": {"type": "integer", "minimum": 1, "description": "First line, from 1."},
                "limit": {"type": "integer", "minimum": 1, "description": "Number of lines."},
                "start_character": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "For one long line: where in it to begin, from 1.",
                },
                "symbol": {"type": "string", "description": "Read this symbol alone."},
            },
            "required": ["path"],
        },
    )
    traits: ToolTraits = ToolTraits(
        kind="read", verb="Read", subject="path", reads=True, repeatable=True, weight=30
    )
    reading: bool = True

    def __init__(self, index: CodeIndex) -> None:
        self._index = index

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[ReadPlan]:
        """Resolve the path; a person is asked outside of the workspace and the spill folder."""
        given = check_arguments(self.schema, arguments)
        target = resolve(str(given["path"]), context)
        numbers = (given.get(name) for name in ("offset", "limit", "start_character"))
        offset, limit, start = map(_integer, numbers)
        plan = ReadPlan(
            target=target,
            offset=offset,
            limit=limit,
            start_character=start,
            symbol=_symbol(given, context),
        )
        return Intent(
            title=f"Read {target.shown}{_span_text(plan)}",
            ask=not target.readable,
            approval=f"read:{target.name}",
            covers=f"reads of {target.shown}",
            locations=(Location(target.path, _span(plan)),),
            plan=plan,
        )

    async def run(self, intent: Intent[ReadPlan], context: CallContext) -> Outcome:
        """Return the wanted lines of the file."""
        plan = intent.plan
        resolve_again(plan.target, context)
        if plan.symbol is not None:
            found = await lines_of_symbol(plan.symbol, plan.target, context, self._index)
            limit = found.last - found.first + 1
            plan = replace(plan, offset=found.first, limit=limit, note=found.note)
        buffer = await asyncio.to_thread(context.documents.open_text, plan.target.path)
        if buffer is not None:
            return _outcome(plan, content.DecodedText(buffer))
        return await asyncio.to_thread(_read, plan, context)


def _read(plan: ReadPlan, context: CallContext) -> Outcome:
    target = plan.target
    try:
        with (
            open_regular_file(target.path) as descriptor,
            os.fdopen(os.dup(descriptor), "rb") as file,
        ):
            size = os.fstat(descriptor).st_size
            if size > LARGEST_WHOLE:
                return _read_part(plan, file, size)
            data = file.read(LARGEST_WHOLE + 1)
    except FileNotFoundError as error:
        raise missing(target) from error
    except OSError as error:
        raise failure(target.name, error) from error
    kind = image_type(data)
    if kind is not None:
        return image_outcome(target, data, kind, context.sees_images)
    document = document_text(target.path.name, data, context.confining)
    if document is not None:
        return _document_outcome(plan, document)
    text = content.decode(data)
    if text is None:
        raise ToolFailed(_binary(target, data, len(data)))
    return _outcome(plan, text)


def _document_outcome(plan: ReadPlan, document: DocumentText) -> Outcome:
    """Return lines of a notebook or PDF; without a version, as no buffer holds the same text."""
    outcome = _outcome(plan, content.DecodedText(document.text))
    lines = outcome.source.lines if outcome.source else None
    return replace(outcome, source=Source(plan.target.path.as_uri(), lines))


def _outcome(plan: ReadPlan, text: content.DecodedText) -> Outcome:
    lines = list(lines_of(text.text))
    first, last = _bounds(plan, len(lines))
    if first > max(len(lines), 1):
        raise ToolFailed(
            f"{plan.target.name} has {plural(len(lines), 'line')}; offset {first} is past its end."
        )
    if plan.start_character is not None and lines:
        return _piece(plan, [lines[first - 1]])
    shown = lines[first - 1 : last]
    partial = len(shown) < len(lines)
    notes = [f"[{lines_said(first, last)} of {len(lines)}]"] if partial else []
    if plan.note is not None:
        notes.append(plan.note)
    if text.said is not None:
        notes.append(text.said)
    return Outcome(
        text="\n".join([*_number_lines(shown, first), *notes]) or "[the file is empty]",
        source=Source(
            plan.target.path.as_uri(),
            (first, last) if partial else None,
            version_of(text.text),
            version_of_lines(shown) if partial else None,
        ),
        counts=Counts(lines=len(shown)),
    )


def _read_part(plan: ReadPlan, file: BinaryIO, size: int) -> Outcome:
    if plan.offset is None and plan.limit is None and plan.start_character is None:
        raise ToolFailed(
            f"{plan.target.name} has {content.size_text(size)}, more than "
            f"{content.size_text(LARGEST_WHOLE)}. Give offset and limit, or use grep."
        )
    start = content.beginning(file.read(_BLOCK))
    like = None if content.is_binary(start) else content.decode(start)
    if like is None:
        raise ToolFailed(_binary(plan.target, start, size))
    file.seek(0)
    first = plan.offset or 1
    if plan.start_character is not None:
        return _piece(plan, _blocks_of_line(file, plan, like.codec))
    data = b"".join(_part_lines(file, first, plan.limit or PART_LINES))
    if not data:
        raise ToolFailed(f"{plan.target.name} has fewer than {first} lines.")
    lines = list(lines_of(data.decode(like.codec, "replace").removeprefix("\ufeff")))
    last = first + len(lines) - 1
    note = f"[{lines_said(first, last)} of a file of {content.size_text(size)}]"
    notes = [note] if like.said is None else [note, like.said]
    return Outcome(
        text="\n".join([*_number_lines(lines, first), *notes]),
        source=Source(
            plan.target.path.as_uri(),
            (first, last),
            version_of_bytes(data),
            version_of_lines(lines),
        ),
        counts=Counts(lines=len(lines)),
    )


def _part_lines(file: BinaryIO, first: int, limit: int) -> Iterator[bytes]:
    """Yield the wanted lines; raise ToolFailed if they are too long, rather than cut them."""
    taken = 0
    rows = file_lines(file, LARGEST_WHOLE)
    for number, row in enumerate(islice(rows, first - 1, first - 1 + limit), first):
        taken += len(row)
        if taken > PART_BYTES and number == first:
            raise ToolFailed(
                f"Line {number} has more than {content.size_text(PART_BYTES)}. "
                f"Use grep, or offset {number} and start_character 1."
            )
        if taken > PART_BYTES:
            return
        yield row


def _piece(plan: ReadPlan, line: Iterable[str]) -> Outcome:
    """Return the next piece of one very long line, with a note on how to read on."""
    number, start, end = plan.offset or 1, plan.start_character or 1, 0
    kept: list[str] = []
    for block in line:
        kept.append(block[max(0, start - 1 - end) : max(0, start - 1 + PIECE - end)])
        end += len(block)
    text = "".join(kept)
    if not text:
        raise ToolFailed(
            f"Line {number} of {plan.target.name} has {end} characters; start_character {start} "
            f"is past its end."
        )
    last = start + len(text) - 1
    more = f"; go on with start_character {last + 1}" if last < end else ""
    note = f"[characters {start}-{last} of {end} in line {number}{more}]"
    # Without a version: the next piece has the same line, and yet does not hold this one.
    source = Source(plan.target.path.as_uri(), (number, number))
    return Outcome(text=f"{text}\n{note}", source=source)


def _blocks_of_line(file: BinaryIO, plan: ReadPlan, codec: str) -> Iterator[str]:
    """Yield one line of a file in blocks, as it may be too large for memory."""
    number, decoder = 1, codecs.getincrementaldecoder(codec)("replace")
    for row in file_lines(file, _BLOCK):
        ended = row.endswith((b"\n", b"\r"))
        if number == (plan.offset or 1):
            yield decoder.decode(row.rstrip(b"\r\n"), final=ended)
            if ended:
                return
        number += ended
    if number < (plan.offset or 1):
        raise ToolFailed(f"{plan.target.name} has fewer than {plan.offset} lines.")


def _bounds(plan: ReadPlan, total: int) -> tuple[int, int]:
    first = plan.offset or 1
    return first, total if plan.limit is None else min(total, first + plan.limit - 1)


def _number_lines(lines: list[str], first: int) -> Iterator[str]:
    for number, line in enumerate(lines, first):
        marked = number == first or number % NUMBER_EVERY == 0
        yield f"{number}\t{line}" if marked else line


def _binary(target: Target, data: bytes, size: int) -> str:
    kind = content.type_guess(data)
    return f"{target.name} is binary: {kind}, {content.size_text(size)}. It has no lines to read."


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _symbol(given: Mapping[str, object], context: CallContext) -> str | None:
    symbol = given.get("symbol")
    if not symbol:
        return None
    refuse_untrusted("symbol", "Give offset and limit.", context)
    if given.keys() - {"path", "symbol"}:
        raise ToolFailed("symbol reads the lines of that symbol: leave out offset and limit.")
    return str(symbol).strip()


def _span(plan: ReadPlan) -> tuple[int, int] | None:
    if plan == ReadPlan(target=plan.target, symbol=plan.symbol):
        return None
    first = plan.offset or 1
    if plan.start_character is not None:
        return first, first
    return first, first + (plan.limit or PART_LINES) - 1


def _span_text(plan: ReadPlan) -> str:
    if plan.symbol is not None:
        return f", {whole_line(plan.symbol)}"
    span = _span(plan)
    if span is None:
        return ""
    if plan.start_character is not None:
        return f" line {span[0]} from character {plan.start_character}"
    return f" from line {span[0]}" if plan.limit is None else f" {lines_said(*span)}"

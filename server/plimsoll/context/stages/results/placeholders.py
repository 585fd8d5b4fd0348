"""Notes in place of results: one line that says what was there and how to get it back."""

from collections.abc import Iterable, Iterator, Sequence

from plimsoll.context.index.results import ToolResult
from plimsoll.context.index.telling import reported_lines
from plimsoll.context.log.entries import ItemState, Replace
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.results.visible_results import VisibleResult
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.frames import TOOL_PREFIX
from plimsoll.text.lines import lines_said

LONGEST_TARGET = 80
"""Characters of a command or path in a note: the whole call is right before it."""


def about(result: ToolResult) -> str:
    """Describe a result in a few words: tool and target."""
    return f"{result.name or 'tool'} {_short(result.target)}".strip()


def _short(target: str) -> str:
    return target if len(target) <= LONGEST_TARGET else f"{target[:LONGEST_TARGET]}…"


def size(result: ToolResult) -> str:
    """Format the length of a result."""
    lines = result.part.text.count("\n") + 1
    return f"{lines:,} lines" if lines > 1 else f"{len(result.part.text):,} characters"


def pruned_note(
    result: ToolResult, *, kept_in: str | None = None, recall: str | None = None
) -> str:
    """Write the note for a pruned result, with the ways to get it back.

    ``kept_in``: the file with the whole of a result that was truncated; ``recall``: the call that
    returns the removed text.
    """
    verdict = reported_lines(result.part.text) if result.traits.runs else ()
    quoted = "; ".join((_code(result), *(f'"{line}"' for line in verdict))).strip("; ")
    gone = f"Old {result.name or 'tool'} output cleared{_target(result)}: {size(result)}"
    ways = "; ".join(_ways_back(result, kept_in, recall))
    return f"[{gone}{', ' if quoted else ''}{quoted}.{' ' if ways else ''}{ways}]"


def _target(result: ToolResult) -> str:
    lines = f", {lines_said(*result.lines)}" if result.lines else ""
    return f" for {_short(result.target)}{lines}" if result.target else ""


def _ways_back(result: ToolResult, kept_in: str | None, recall: str | None) -> Iterator[str]:
    if kept_in:
        yield f"the whole is in {kept_in}"
    elif result.traits.reads and result.path:
        yield f"as the file is now: {result.name}"
    if recall:
        yield f"as it was: {recall}"


def _code(result: ToolResult) -> str:
    return "" if result.exit_code is None else f"exit code {result.exit_code}"


def superseded_note(result: ToolResult, by: ToolResult, turn: int) -> str:
    """Write the note for a result whose content is in a later one."""
    later = "read again" if by.traits.reads else "the same"
    return f"[superseded: {about(result)}, {size(result)}; {later} in turn {turn}, item {by.item}]"


def same_content_pointer(result: ToolResult, base: ToolResult, turn: int) -> str:
    """Write the pointer that replaces a result with the same content as an earlier one."""
    same = (result.name, result.arguments) == (base.name, base.arguments)
    what = f"unchanged since turn {turn}" if same else f"the same text stands in turn {turn}"
    code = f", {_code(result)}" if _code(result) else ""
    return f"[{what}: {about(base)}, item {base.item}{code}]"


def lines_pointer(base: ToolResult, lines: tuple[int, int], turn: int) -> str:
    """Write the pointer to some lines of a file in view."""
    return f"[unchanged since turn {turn}: {lines_said(*lines)} of {about(base)}, item {base.item}]"


def changed_lines_pointer(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """Write the pointer to an earlier content, with the lines that differ."""
    head = (
        f"[changed since turn {turn}: {about(base)}, item {base.item}; all other lines are equal]"
    )
    return "\n".join([head, *lines])


def folded_text(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """Write the text with its known lines folded, and say where those are."""
    return "\n".join([f"[partly known from turn {turn}: {about(base)}, item {base.item}]", *lines])


NOTE_TOKENS = 50
"""The approximate tokens of a note."""
LEAST_RATIO = 2
"""A result is replaced only if it is at least this many times as long as its note."""


def notes_for(
    next_request: NextRequest, chosen: Sequence[VisibleResult]
) -> Iterator[tuple[str, str]]:
    """Yield each result to replace with its note, leaving out those hardly longer than it.

    A pointer whose base leaves is always replaced: in full it would undo the saving.
    """
    fold = next_request.fold
    for each in chosen:
        item = each.result.item
        kept_in = kept_whole_in(fold, item)
        text = pruned_note(each.result, kept_in=kept_in, recall=recall_of(item, fold))
        pointer = each.shown.state is ItemState.REFERRED
        if pointer or LEAST_RATIO * fold.ledger.bare(text) <= each.tokens:
            yield item, text


def kept_whole_in(fold: Fold, item: str) -> str | None:
    """Return the file with the whole of a result that was truncated."""
    forms = (form for _, form in fold.forms.get(item, ()))
    return next((f.kept_in for f in forms if isinstance(f, Replace) and f.kept_in), None)


def recall_of(item: str, fold: Fold) -> str | None:
    """Return the call that shows an item again, up to its offset argument; None if no tool can."""
    for name, traits in fold.tools.items():
        schema = fold.frames.get(f"{TOOL_PREFIX}{name}") if traits.recalls else None
        if schema is not None and schema.text is not None:
            return f"{name} with item_id {item}"
    return None

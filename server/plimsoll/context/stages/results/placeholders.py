"""What stands in the place of a result: one line that says what was there and the way back."""

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
"""Characters of a command or path in a note: the whole call stands right before it."""


def about(result: ToolResult) -> str:
    """Describe a result in a few words: tool and target."""
    return f"{result.name or 'tool'} {_short(result.target)}".strip()


def _short(target: str) -> str:
    return target if len(target) <= LONGEST_TARGET else f"{target[:LONGEST_TARGET]}…"


def size(result: ToolResult) -> str:
    """Say how long a result is."""
    lines = result.part.text.count("\n") + 1
    return f"{lines:,} lines" if lines > 1 else f"{len(result.part.text):,} characters"


def pruned(result: ToolResult, *, kept_in: str | None = None, recall: str | None = None) -> str:
    """Write the one line that stands for a result that is gone, with the ways back to it.

    ``kept_in``: the file that holds the whole of a result that was cut as it arrived; ``recall``:
    the call that brings back what is gone.
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


def superseded(result: ToolResult, by: ToolResult, turn: int) -> str:
    """Write the note of a result whose content stands in a later one."""
    later = "read again" if by.traits.reads else "the same"
    return f"[superseded: {about(result)}, {size(result)}; {later} in turn {turn}, item {by.item}]"


def unchanged(result: ToolResult, base: ToolResult, turn: int) -> str:
    """Write the pointer to the same content."""
    same = (result.name, result.arguments) == (base.name, base.arguments)
    what = f"unchanged since turn {turn}" if same else f"the same text stands in turn {turn}"
    code = f", {_code(result)}" if _code(result) else ""
    return f"[{what}: {about(base)}, item {base.item}{code}]"


def within(base: ToolResult, lines: tuple[int, int], turn: int) -> str:
    """Write the pointer to some lines of a file that stands in view."""
    return f"[unchanged since turn {turn}: {lines_said(*lines)} of {about(base)}, item {base.item}]"


def changed(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """Write the pointer to an earlier content, with the lines in which the new one differs."""
    head = (
        f"[changed since turn {turn}: {about(base)}, item {base.item}; all other lines are equal]"
    )
    return "\n".join([head, *lines])


def partly(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """Write the note of a text whose known lines are folded, and say where those stand."""
    return "\n".join([f"[partly known from turn {turn}: {about(base)}, item {base.item}]", *lines])


NOTE_TOKENS = 50
"""The tokens of a note, about."""
LEAST_RATIO = 2
"""A result is this many times as long as its note, or it stays: less is not worth what it says."""


def notes_for(
    next_request: NextRequest, chosen: Sequence[VisibleResult]
) -> Iterator[tuple[str, str]]:
    """Yield each result that leaves with its note; one that is hardly longer stays.

    A pointer whose base leaves goes in any case: in full it would undo the saving.
    """
    fold = next_request.fold
    for each in chosen:
        item = each.result.item
        kept_in = kept_whole_in(fold, item)
        text = pruned(each.result, kept_in=kept_in, recall=recall_of(item, fold))
        pointer = each.shown.state is ItemState.REFERRED
        if pointer or LEAST_RATIO * fold.ledger.bare(text) <= each.tokens:
            yield item, text


def kept_whole_in(fold: Fold, item: str) -> str | None:
    """Return the file that holds the whole of a result that was cut."""
    forms = (form for _, form in fold.forms.get(item, ()))
    return next((f.kept_in for f in forms if isinstance(f, Replace) and f.kept_in), None)


def recall_of(item: str, fold: Fold) -> str | None:
    """Return the call that brings an item back, but for where to begin; none: no tool can."""
    for name, traits in fold.tools.items():
        schema = fold.frames.get(f"{TOOL_PREFIX}{name}") if traits.recalls else None
        if schema is not None and schema.text is not None:
            return f"{name} with item_id {item}"
    return None

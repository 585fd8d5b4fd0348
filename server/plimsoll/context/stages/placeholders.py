"""What stands in the place of a result: typed notes that say what was there and how to find it."""

from collections.abc import Iterable

from plimsoll.context.index.results import ToolResult

LONGEST_TARGET = 48
"""Characters of a command or path in a note: the whole call stands right before it."""


def about(result: ToolResult) -> str:
    """A result in a few words: tool and target."""
    target = result.target
    if len(target) > LONGEST_TARGET:
        target = f"{target[:LONGEST_TARGET]}…"
    return f"{result.name or 'tool'} {target}".strip()


def size(result: ToolResult) -> str:
    """How long a result is."""
    lines = result.part.text.count("\n") + 1
    return f"{lines:,} lines" if lines > 1 else f"{len(result.part.text):,} characters"


def pruned(result: ToolResult, names: Iterable[str] = ()) -> str:
    """The note of a pruned result, with the names that stand nowhere else."""
    note = f"[pruned: {about(result)}, {size(result)}{_code(result)}]"
    kept = " ".join(names)
    return f"{note}\n[names in it: {kept}]" if kept else note


def _code(result: ToolResult) -> str:
    return "" if result.exit_code is None else f", exit code {result.exit_code}"


def superseded(result: ToolResult, by: ToolResult, turn: int) -> str:
    """The note of a result whose content stands in a later one."""
    later = "read again" if by.traits.reads else "the same"
    return f"[superseded: {about(result)}, {size(result)}; {later} in turn {turn}, item {by.item}]"


def unchanged(result: ToolResult, base: ToolResult, turn: int) -> str:
    """The pointer to the same content."""
    same = (result.name, result.arguments) == (base.name, base.arguments)
    what = f"unchanged since turn {turn}" if same else f"the same text stands in turn {turn}"
    return f"[{what}: {about(base)}, item {base.item}{_code(result)}]"


def within(base: ToolResult, lines: tuple[int, int], turn: int) -> str:
    """The pointer to some lines of a file that stands in view."""
    first, last = lines
    return f"[unchanged since turn {turn}: lines {first}-{last} of {about(base)}, item {base.item}]"


def changed(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """The pointer to an earlier content, with the lines in which the new one differs."""
    head = (
        f"[changed since turn {turn}: {about(base)}, item {base.item}; all other lines are equal]"
    )
    return "\n".join([head, *lines])


def partly(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """A text whose known lines are folded, and where those stand."""
    return "\n".join([f"[partly known from turn {turn}: {about(base)}, item {base.item}]", *lines])

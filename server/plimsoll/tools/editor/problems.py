"""What the editor reports of files: in rows, and what is new after a change."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from plimsoll.tools.display import visible_line
from plimsoll.tools.editor.knowledge import Diagnostic, Severity
from plimsoll.tools.editor.results import inside_root
from plimsoll.tools.files.paths import shown_name
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Outcome

MOST = 60
MOST_NEW = 10
LONGEST_MESSAGE = 300
_RANK: Mapping[Severity, int] = {"error": 0, "warning": 1, "information": 2, "hint": 3}
_TOLD_UNASKED = frozenset({"error", "warning"})
"""What a change of a file brings up by itself."""

Problems = Mapping[Path, Sequence[Diagnostic]]


def problem_rows(problems: Iterable[Diagnostic], root: Path, most: int = MOST) -> Iterator[str]:
    """Yield a problem each as ``path:line error: message [source]``, errors first."""
    inside = [each for each in problems if inside_root(each.path, root) is not None]
    ordered = sorted(inside, key=lambda each: (_RANK[each.severity], str(each.path), each.line))
    for each in ordered[:most]:
        source = f" [{visible_line(each.source, 60)}]" if each.source else ""
        message = visible_line(" ".join(each.message.split()), LONGEST_MESSAGE)
        yield f"{shown_name(each.path, root)}:{each.line} {each.severity}: {message}{source}"
    if len(ordered) > most:
        yield f"[{len(ordered) - most} more not shown]"


async def with_new_problems(
    change: Callable[[], Awaitable[Outcome]], paths: Sequence[Path], context: CallContext
) -> Outcome:
    """Make a change of files, and add the problems that are new after it to the result.

    Raises:
        ToolFailed: The change cannot be made.
    """
    before = await context.knowledge.diagnostics(context.root, paths) if context.trusted() else None
    outcome = await change()
    if before is None or not outcome.changes:
        return outcome
    return replace(outcome, afterwards=partial(_describe_new_problems, before, paths, context))


async def _describe_new_problems(
    before: Problems, paths: Sequence[Path], context: CallContext
) -> str:
    after = await context.knowledge.diagnostics(context.root, paths, changed=True)
    return "\n".join(_new_rows(before, after or {}, paths, context.root))


def _new_rows(
    before: Problems, after: Problems, paths: Sequence[Path], root: Path
) -> Iterator[str]:
    compared = [path for path in paths if path in before and path in after]
    fresh = [problem for path in compared for problem in new_problems(before[path], after[path])]
    unknown = [each for path in paths if path not in before for each in after.get(path, ())]
    for heading, problems in (("New problems", fresh), ("Problems there now", unknown)):
        told = [each for each in problems if each.severity in _TOLD_UNASKED]
        if told:
            yield f"{heading}, by the editor:"
            yield from problem_rows(told, root, MOST_NEW)


def new_problems(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the problems that are new since an earlier report, ignoring moved lines."""
    known = Counter(map(_identity, before))
    for each in after:
        if known[_identity(each)]:
            known[_identity(each)] -= 1
        else:
            yield each


def _identity(problem: Diagnostic) -> tuple[str, str, str]:
    return problem.severity, problem.message, problem.source

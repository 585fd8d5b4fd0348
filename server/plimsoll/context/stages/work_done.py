"""Lists of the work done in a conversation: files read and edited, commands run, each once."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from plimsoll.context.decisions.record import decision_record
from plimsoll.context.index.calls import AnsweredCall
from plimsoll.context.log.call_end import NEVER_RUN, CallEnd
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import DECISIONS, Part
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.results.placeholders import recall_of
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group

_CUT_OFF = {
    CallEnd.STOPPED: "stopped by the user before its end",
    CallEnd.INTERRUPTED: "interrupted, its end is not known",
}
GONE = (
    "what was read of these files has left the context, and only what is said of it here is known: "
    "read a file again before you quote or change it"
)
LONGEST_COMMAND = 300
"""Characters of a command that are shown."""


def out_of_view(fold: Fold, leaving: Iterable[Group]) -> list[Said]:
    """Return the messages that are out of view once these groups have left.

    Those that were trimmed or evicted before are included, so that a later list lacks nothing.
    """
    gone = {group.id for group in leaving}
    groups = (group for group in fold.groups if group.id in gone or group.cover is not None)
    return [message for group in groups for message in group.visible]


def decisions_beside(
    next_request: NextRequest, leaving: Iterable[Group], standing: Sequence[str]
) -> str | None:
    """Write the decision record to go with the text that replaces these groups.

    ``standing``: the instructions that the same text carries on.
    """
    fold = next_request.fold
    gone = {group.id for group in leaving}
    recall = recall_of(DECISIONS, fold)
    return decision_record(
        next_request.indexes, next_request.budget, gone, standing=standing, recall=recall
    )


def edits(calls: Iterable[AnsweredCall]) -> list[str]:
    """List the changed files with their number of changes, in the order of first change."""
    done: dict[str, int] = {}
    for call in calls:
        for path in changed_files(call):
            done[path] = done.get(path, 0) + 1
    return [f"edited {path} ({n} times)" if n > 1 else f"edited {path}" for path, n in done.items()]


def commands(calls: Iterable[AnsweredCall]) -> list[str]:
    """List the commands that ran, the newest last: how often, and how they ended last.

    Calls that were declined, or stopped before they began, are left out.
    """
    ran: dict[str, tuple[int, str]] = {}
    for call in calls:
        if call.traits.runs and call.result and call.result.ended not in NEVER_RUN:
            times, _ = ran.pop(call.target, (0, ""))
            ran[call.target] = times + 1, _how_it_ended(call.result)
    return [
        f"`{command[:LONGEST_COMMAND]}` {ended}{f' ({times} times)' if times > 1 else ''}"
        for command, (times, ended) in ran.items()
    ]


def _how_it_ended(result: Part) -> str:
    cut_off = _CUT_OFF.get(result.ended)
    if cut_off is not None:
        return cut_off
    return f"exit code {'unknown' if result.exit_code is None else result.exit_code}"


def files(calls: Iterable[AnsweredCall]) -> list[str]:
    """List the files that were read or changed, the newest last."""
    found = _files(calls).items()
    return [f"{path} ({'edited' if changed else 'read'})" for path, changed in found]


def _files(calls: Iterable[AnsweredCall]) -> dict[str, bool]:
    """Map each file that was read or changed to whether it was changed, the newest last."""
    seen: dict[str, bool] = {}
    for call in calls:
        changed = changed_files(call)
        read = (call.path,) if call.path and call.traits.reads and not call.failed else ()
        for path in dict.fromkeys((*read, *changed)):
            seen[path] = seen.pop(path, False) or path in changed
    return seen


def gone_note(calls: Iterable[AnsweredCall]) -> tuple[str, ...]:
    """Return the note that the texts of read files are gone; empty if no file was read."""
    read = any(call.traits.reads and call.result and not call.failed for call in calls)
    return (GONE,) if read else ()


def changed_files(call: AnsweredCall) -> tuple[str, ...]:
    """Return the files that a call changed, even if it failed afterwards."""
    if not call.traits.edits or call.result is None:
        return ()
    alone = (call.path,) if call.path and not call.result.failed else ()
    return call.result.changed or alone


def newest(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return the newest lines, after one that counts the others."""
    left = len(lines) - most
    return [f"[{left} earlier; history finds them]", *lines[-most:]] if left > 0 else lines


def work_lines(calls: Sequence[AnsweredCall], room: int) -> Iterator[str]:
    """Yield the lists as a line each, for the state block, in about ``room`` characters each."""
    paths = [f"{path} (edited)" if changed else path for path, changed in _files(calls).items()]
    for name, lines in (("files", paths), ("commands", commands(calls))):
        sizes = accumulate(len(line) + 2 for line in reversed(lines))
        most = max(1, sum(size <= room for size in sizes))
        if lines:
            yield f"- {name}: {', '.join(newest(lines, most))}"

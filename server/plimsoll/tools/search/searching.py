"""What searches of names and of lines have in common: their scope, their gate, their time limit."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from plimsoll.errors import ToolFailed
from plimsoll.tools.base import CallContext, Intent, Location, Outcome
from plimsoll.tools.display import visible_line
from plimsoll.tools.files.opening import failure
from plimsoll.tools.files.paths import Target, resolve_again
from plimsoll.tools.search.walk import Halt, Walk, walk

SECONDS = 20.0
"""The time limit of one search."""
PlanT = TypeVar("PlanT")


def search_intent(
    plan: PlanT, target: Target, context: CallContext, *, verb: str, pattern: str, key: str
) -> Intent[PlanT]:
    """Make the intent of a search; outside of workspace and spill it is asked about.

    ``key``: the kind of search that "allow for this session" covers.
    """
    where = "" if target.path == context.root else f" in {target.shown}"
    return Intent(
        title=f"{verb} {visible_line(pattern)}{where}",
        ask=not target.readable,
        approval=f"{key}:{target.name}",
        locations=(Location(target.path),),
        plan=plan,
    )


async def run_search(
    target: Target, context: CallContext, search: Callable[[Halt], Outcome]
) -> Outcome:
    """Search on a worker thread; ended by the time limit or a cancel.

    Raises:
        ToolFailed: The target is not what was shown any more, or the search fails.
    """
    resolve_again(target, context)
    halt = Halt(SECONDS)
    try:
        return await asyncio.to_thread(search, halt)
    finally:
        halt.cancel()


def files_of(target: Target, context: CallContext, halt: Halt) -> Walk:
    """Return the file itself, or the files of the folder.

    Raises:
        ToolFailed: It is missing, or neither file nor folder.
    """
    try:
        status = target.path.lstat()
    except OSError as error:
        raise failure(target.name, error) from error
    if target.path.is_dir():
        return walk(context.root, target.path, halt)
    if not target.path.is_file() or not status.st_mode:
        raise ToolFailed(f"{target.name} is a pipe, socket or device. Name a file or a folder.")
    return Walk((target.path,), whole=True)

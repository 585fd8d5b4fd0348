"""What searches for names and for lines share: their scope, permission and time limit."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import whole_line
from plimsoll.tools.files.opening import failure
from plimsoll.tools.files.paths import Target, resolve_again
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ignore import IgnoreReader
from plimsoll.tools.search.line_search import FileTree
from plimsoll.tools.search.repository import GitKnowledge, KeptAnswers
from plimsoll.tools.search.ripgrep import Ripgrep, UnsuitableError, usable_program
from plimsoll.tools.search.walk import Walk, Walker, WalkPlace, left_out, look, walk_from

SECONDS = 20.0
"""The time limit of a search."""
_AT_ONCE = 4
PlanT = TypeVar("PlanT")
FoundT = TypeVar("FoundT")


def search_intent(
    plan: PlanT, target: Target, context: CallContext, *, verb: str, pattern: str, key: str
) -> Intent[PlanT]:
    """Make the intent of a search; outside of workspace and spill a person is asked.

    ``key``: the kind of search that "allow for this session" covers.
    """
    where = "" if target.path == context.root else f" in {target.shown}"
    return Intent(
        title=f"{verb} {whole_line(pattern)}{where}",
        ask=not target.readable,
        approval=f"{key}:{target.name}",
        covers=f"searches in {target.shown}",
        locations=(Location(target.path),),
        plan=plan,
    )


class Searches:
    """Runs the searches of a server on threads of their own, so that no other work waits for them.

    Ignore files and git's answers are kept here for the next search. Whoever makes it closes it.
    """

    def __init__(self) -> None:
        self._ignore_files = IgnoreReader()
        self._answers = KeptAnswers()
        self._threads = ThreadPoolExecutor(_AT_ONCE, "plimsoll-search")
        self._running: set[Halt] = set()

    async def run(
        self, target: Target, context: CallContext, search: Callable[[Halt], FoundT]
    ) -> FoundT:
        """Search on a worker thread until it is done, at a limit, or cancelled.

        Raises:
            ToolFailed: The path leads to another target than was shown, or the search fails.
        """
        halt = Halt(SECONDS)

        def resolve_and_search() -> FoundT:
            halt.begin()
            resolve_again(target, context)
            return search(halt)

        self._running.add(halt)
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, resolve_and_search
            )
        finally:
            halt.cancel()
            self._running.discard(halt)

    def tree_of(
        self,
        target: Target,
        context: CallContext,
        halt: Halt,
        *,
        below: Sequence[str] = (),
        names: Sequence[str] | None = None,
    ) -> FileTree:
        """Find the files to search at a path, a folder or file; by ripgrep where possible.

        ``below``: the folder below it that is walked alone. ``names``: globs of which each wanted
        name matches one; others may be found too.

        Raises:
            ToolFailed: The path is missing, or neither file nor folder.
        """
        try:
            status = target.path.lstat()
        except OSError as error:
            raise failure(target.name, error) from error
        if not target.path.is_dir():
            if not target.path.is_file() or not status.st_mode:
                raise ToolFailed(
                    f"{target.name} is a pipe, socket or device. Name a file or a folder."
                )
            return FileTree(Walk(start=target.path.parent, names=(target.path.name,)))
        git = GitKnowledge(context.environment, self._answers)
        reader = self._ignore_files
        walker = Walker(root=context.root, start=target.path, reader=reader, git=git, halt=halt)
        place = walker.descend(walker.begin(), below)
        listed = _list_by_ripgrep(walker, place, context, names)
        return FileTree(walk_from(walker, place)) if listed is None else listed

    def left_out(self, target: Target, context: CallContext) -> str:
        """Say in words which parts of a folder a search skips; empty if it skips none."""
        if not target.path.is_dir():
            return ""
        looked = look(context.root, target.path, self._ignore_files, context.environment)
        return left_out(looked, context.root)

    def close(self) -> None:
        """End all searches; they stop by themselves within a fraction of a second."""
        for halt in list(self._running):
            halt.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _list_by_ripgrep(
    walker: Walker, place: WalkPlace | None, context: CallContext, names: Sequence[str] | None
) -> FileTree | None:
    """List the files of a place by ripgrep; None where ripgrep cannot do that."""
    program = usable_program(context)
    if program is None:
        return None
    ripgrep = Ripgrep(program=program, environment=context.environment, halt=walker.halt)
    try:
        listing = ripgrep.list_files(walker, place, names)
    except (UnsuitableError, OSError):
        # Also when its rules could not be kept: our own walk needs no disk.
        return None
    return FileTree(listing.walk, partial(ripgrep.candidates, listing))

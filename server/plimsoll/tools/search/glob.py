"""``glob``: finds files by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from plimsoll.context.log.counts import Counts
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import visible_line
from plimsoll.tools.files.paths import Target, resolve, shown_name
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments
from plimsoll.tools.search.globs import (
    check_glob,
    fixed_folders,
    glob_matcher,
    may_be_names,
    names_for,
)
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ripgrep_rules import name_globs
from plimsoll.tools.search.searching import Searches, search_intent
from plimsoll.tools.search.walk import walk_notes

MOST_FILES = 1_000


@dataclass(frozen=True, slots=True)
class GlobPlan:
    """The pattern of names, and the folder to search."""

    target: Target
    pattern: str


class Glob:
    """Finds files by name."""

    schema: ToolSchema = ToolSchema(
        "glob",
        "Find files by name, as **/*.py, sorted by path. Gitignored files are left out.",
        {
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "minLength": 1},
                "path": {"type": "string", "description": "Folder to start in; default: all."},
            },
            "required": ["pattern"],
        },
    )
    traits: ToolTraits = ToolTraits(kind="search", verb="Find", subject="pattern", weight=10)
    reading: bool = True

    def __init__(self, searches: Searches) -> None:
        self._searches = searches

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[GlobPlan]:
        """Check the pattern and resolve the folder; a person is asked outside of the workspace."""
        given = check_arguments(self.schema, arguments)
        plan = GlobPlan(resolve(str(given.get("path", ".")), context), str(given["pattern"]))
        _refuse_upward(plan.pattern)
        check_glob(plan.pattern)
        return search_intent(
            plan, plan.target, context, verb="Find", pattern=plan.pattern, key="list"
        )

    async def run(self, intent: Intent[GlobPlan], context: CallContext) -> Outcome:
        """Search, and list the files that match."""
        plan = intent.plan
        listed = partial(_list, plan, context, self._searches)
        return await self._searches.run(plan.target, context, listed)


def _list(plan: GlobPlan, context: CallContext, searches: Searches, halt: Halt) -> Outcome:
    named = None if may_be_names(plan.pattern) else name_globs(plan.pattern)
    below = fixed_folders(plan.pattern)
    found = searches.tree_of(plan.target, context, halt, below=below, names=named).walk
    matches = glob_matcher(plan.pattern, names=names_for(plan.pattern, found.names))
    names = [name for name in found.names if not halt.cancelled and matches(name)]
    rows = [shown_name(found.start / name, context.root) for name in names[:MOST_FILES]]
    if not names:
        everywhere = searches.tree_of(plan.target, context, halt, names=named).walk
        left_out = searches.left_out(plan.target, context)
        rows.append(_nothing(plan, everywhere.names, left_out))
    if found.unreadable:
        told = visible_line(found.unreadable[0])
        folders = plural(len(found.unreadable), "folder")
        rows.append(f"[{folders} could not be listed, the first: {told}]")
    if len(names) > MOST_FILES:
        more = plural(len(names) - MOST_FILES, "more file")
        rows.append(f"[{more} not shown; narrow the pattern]")
    return Outcome(
        text="\n".join([*rows, *walk_notes(found, context.root, halt)]),
        counts=Counts(files=len(names), more=bool(halt)),
    )


def _nothing(plan: GlobPlan, names: Sequence[str], left_out: str) -> str:
    anywhere = f"**/{plan.pattern}"
    deeper = sum(map(glob_matcher(anywhere, names=names_for(anywhere, names)), names))
    told = f"no files match {visible_line(plan.pattern)}"
    if deeper:
        told += f"; {deeper} match **/{visible_line(plan.pattern)}"
    return f"[{told}; {left_out}]" if left_out else f"[{told}]"


def _refuse_upward(pattern: str) -> None:
    if pattern.startswith(("/", "~")) or ".." in pattern.split("/"):
        raise ToolFailed(
            f"The glob {visible_line(pattern)} leaves its folder. Give the folder as path, and a "
            "pattern below it."
        )

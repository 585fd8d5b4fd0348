"""``grep``: finds lines that match an expression, the same with ripgrep and without."""

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from plimsoll.context.log.counts import Counts
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
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
from plimsoll.tools.search.line_search import expression_of, found_lines
from plimsoll.tools.search.python_search import LARGEST_FILE, MOST_MATCHES, Findings
from plimsoll.tools.search.ripgrep_rules import name_globs
from plimsoll.tools.search.searching import Searches, search_intent
from plimsoll.tools.search.walk import walk_notes


@dataclass(frozen=True, slots=True)
class GrepPlan:
    """The expression to look for, and the place to search."""

    target: Target
    pattern: str
    ignore_case: bool
    glob: str | None


class Grep:
    """Searches files for lines that match an expression."""

    schema: ToolSchema = ToolSchema(
        "grep",
        "Search file contents by regular expression, line by line. Gives path:line:text. "
        "Gitignored and binary files are left out.",
        {
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "minLength": 1},
                "path": {"type": "string", "description": "File or folder; default: all."},
                "glob": {"type": "string", "description": "Only such files, as *.py or src/**."},
                "ignore_case": {"type": "boolean"},
            },
            "required": ["pattern"],
        },
    )
    traits: ToolTraits = ToolTraits(
        kind="search", verb="Search for", subject="pattern", repeatable=True, weight=50
    )
    reading: bool = True

    def __init__(self, searches: Searches) -> None:
        self._searches = searches

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[GrepPlan]:
        """Check the patterns and resolve the path; a person is asked outside of the workspace."""
        given = check_arguments(self.schema, arguments)
        pattern, glob = str(given["pattern"]), given.get("glob")
        plan = GrepPlan(
            resolve(str(given.get("path", ".")), context),
            pattern,
            given.get("ignore_case") is True,
            None if glob is None else str(glob),
        )
        expression_of(plan.pattern, ignore_case=plan.ignore_case)
        if plan.glob is not None:
            check_glob(plan.glob)
        return search_intent(
            plan, plan.target, context, verb="Search for", pattern=plan.pattern, key="search"
        )

    async def run(self, intent: Intent[GrepPlan], context: CallContext) -> Outcome:
        """Search until the time limit or a cancel, and return the matches found by then."""
        plan = intent.plan
        search = partial(_search, plan, context, self._searches)
        return await self._searches.run(plan.target, context, search)


def _search(plan: GrepPlan, context: CallContext, searches: Searches, halt: Halt) -> Outcome:
    # A pattern without a slash is one of names, in any folder.
    path = plan.glob if plan.glob and "/" in plan.glob else ""
    named = name_globs(plan.glob) if plan.glob and not may_be_names(plan.glob) else None
    below = fixed_folders(path)
    tree = searches.tree_of(plan.target, context, halt, below=below, names=named)
    found = tree.walk
    wanted = _filter(plan, names_for(plan.glob or "", found.names))
    is_file = not plan.target.path.is_dir()
    findings = found_lines(
        plan.pattern,
        context,
        tree,
        halt,
        wanted=wanted,
        ignore_case=plan.ignore_case,
        largest=math.inf if is_file else LARGEST_FILE,
    )
    findings.unreadable.extend(found.unreadable)
    rows = [*_rows(findings, context)]
    if findings.count:
        counts = _counts(findings)
    else:
        searched = sum(map(wanted, found.names)) - findings.binary - len(findings.too_large)
        # Of a search that was stopped nobody knows how many files it had looked at.
        counts = Counts(searched=searched) if findings.whole else Counts(more=True)
        left_out = searches.left_out(plan.target, context)
        rows.append(_nothing(counts, findings.binary, left_out))
    rows += [*_notes(findings, halt), *walk_notes(found, context.root, halt)]
    return Outcome(text="\n".join(rows), counts=counts)


def _counts(findings: Findings) -> Counts:
    return Counts(
        matches=len(findings.matches),
        files=len({match.path for match in findings.matches}),
        more=findings.count > MOST_MATCHES or not findings.whole,
    )


def _nothing(counts: Counts, binary: int, left_out: str) -> str:
    """Write that no line was found, and which files were searched."""
    searched = counts.searched
    told = "no matches so far" if searched is None else f"no matches in {plural(searched, 'file')}"
    if binary:
        told += f", {binary:,} binary left out"
    return f"[{told}; {left_out}]" if left_out else f"[{told}]"


def _filter(plan: GrepPlan, names: Collection[str]) -> Callable[[str], bool]:
    if plan.glob is None:
        return lambda _path: True
    return glob_matcher(plan.glob, anywhere=True, names=names)


def _rows(findings: Findings, context: CallContext) -> Iterator[str]:
    for match in findings.matches:
        yield f"{shown_name(match.path, context.root)}:{match.line}:{match.text}"


def _notes(findings: Findings, halt: Halt) -> Iterator[str]:
    if not findings.whole:
        yield f"[stopped {halt.why}: not all files were searched; name a path or glob]"
    if findings.too_large:
        names = ", ".join(visible_line(path.name) for path in findings.too_large[:3])
        files = plural(len(findings.too_large), "file")
        yield f"[{files} over 5 MB left out: {names}; name one as path]"
    if findings.cut_lines:
        lines = plural(findings.cut_lines, "very long line")
        yield f"[of {lines} the beginning alone was searched]"
    if findings.unreadable:
        told = visible_line(findings.unreadable[0])
        files = plural(len(findings.unreadable), "file")
        yield f"[{files} could not be read, the first: {told}]"
    if findings.count > MOST_MATCHES:
        yield f"[{MOST_MATCHES:,} matches shown, there are more; narrow the pattern, path or glob]"

"""``rename``: gives a symbol another name wherever it is used, as the editor knows it.

Laws: every change is shown before it is made; nothing is changed where a file has moved on since;
what lies outside of the workspace is never changed by it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.lines import version_of
from plimsoll.text.paths import name_in
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import visible_line, whole_line
from plimsoll.tools.editor.code_index import text_of
from plimsoll.tools.editor.knowledge import RenameEdits
from plimsoll.tools.editor.positions import with_edits
from plimsoll.tools.editor.problems import with_new_problems
from plimsoll.tools.editor.results import (
    NamePlace,
    asked_line,
    bare_name,
    file_inside,
    inside_root,
    positions_of,
    refuse_untrusted,
)
from plimsoll.tools.files.editing import Content
from plimsoll.tools.files.paths import resolve, shown_name
from plimsoll.tools.files.writing import (
    ALL_EDITS,
    ChangePlan,
    carried_out,
    plan_change,
    refuse_changed,
)
from plimsoll.tools.permissions.edits import common_scopes
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome, TextChange
from plimsoll.tools.ports.tool import Arguments

MOST_FILES = 200
ABSENT = (
    "No editor here can rename {symbol}, so nothing was changed. Find its uses by references and "
    "change them by file_edit."
)


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """The changes of a rename, one for each file, and a description of them in words."""

    changes: tuple[Intent[ChangePlan], ...]
    done: str


class Rename:
    """Renames a symbol."""

    schema: ToolSchema = ToolSchema(
        "rename",
        "Rename a symbol wherever it is used.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "A file that uses it."},
                "symbol": {"type": "string", "minLength": 1},
                "new_name": {"type": "string", "minLength": 1, "maxLength": 200},
                "line": {"type": "integer", "minimum": 1},
            },
            "required": ["path", "symbol", "new_name"],
        },
    )
    traits: ToolTraits = ToolTraits(kind="edit", verb="Rename in", subject="path", edits=True)
    reading: bool = False

    async def prepare(self, arguments: Arguments, context: CallContext) -> Intent[RenamePlan]:
        """Ask the editor for all changes and show them exactly; a person is always asked."""
        given = check_arguments(self.schema, arguments)
        refuse_untrusted("rename", "Nothing was changed.", context)
        target = file_inside(str(given["path"]), context)
        symbol, new_name = bare_name(str(given["symbol"])), str(given["new_name"]).strip()
        if not new_name or not new_name.isprintable():
            raise ToolFailed("new_name is no name.")
        place = NamePlace(symbol, target, asked_line(given.get("line")))
        edits = await _edits(place, new_name, context)
        if edits is None:
            raise ToolFailed(ABSENT.format(symbol=visible_line(symbol)))
        changes = await asyncio.to_thread(_changes, edits, context)
        return _intent(changes, f"{whole_line(symbol)} to {whole_line(new_name)}")

    async def run(self, intent: Intent[RenamePlan], context: CallContext) -> Outcome:
        """Apply all the changes that were shown, or none if a file has changed since."""
        paths = [each.path for each in intent.locations]

        async def change() -> Outcome:
            changing = asyncio.ensure_future(_carried_out(intent.plan, context))
            # A cancel is answered when nothing can take effect any more.
            if await wait_through_cancel(changing):
                raise asyncio.CancelledError from changing.exception()
            return changing.result()

        return await with_new_problems(change, paths, context)


async def _edits(place: NamePlace, new_name: str, context: CallContext) -> RenameEdits | None:
    for position in await asyncio.to_thread(positions_of, place, context):
        edits = await context.knowledge.rename(place.target.path, position, new_name)
        if edits is not None and (edits.files or edits.other_changes):
            return edits
    return None


def _changes(edits: RenameEdits, context: CallContext) -> list[Intent[ChangePlan]]:
    """Plan the change of each file by the gates of edits; blocks."""
    if edits.other_changes:
        raise ToolFailed(
            "The rename would also make, move or delete "
            f"{plural(edits.other_changes, 'file')}, which this tool does not do. Nothing was "
            "changed."
        )
    if len(edits.files) > MOST_FILES:
        raise ToolFailed(
            f"The rename would change {len(edits.files)} files, more than {MOST_FILES}: too many "
            "to be looked at. Nothing was changed."
        )
    found: list[Intent[ChangePlan]] = []
    for named, pieces in edits.files.items():
        path = inside_root(named, context.root)
        if path is None:
            raise ToolFailed(
                f"The rename would change {shown_name(named, context.root)}, which lies outside "
                "the workspace. Nothing was changed."
            )
        target = resolve(name_in(context.root, path), context)
        text = text_of(target.path, context)
        after = None if text is None else with_edits(text, pieces, edits.encoding)
        if text is None or after is None:
            raise ToolFailed(
                f"What the editor would change in {target.shown} does not fit its text. Nothing "
                "was changed; try again."
            )
        if after == text:
            continue
        change = plan_change(target, Content(after), context)
        if change.plan.version != version_of(text):
            raise ToolFailed(f"{target.shown} is changing. Nothing was changed; try again.")
        found.append(change)
    return found


def _intent(changes: Sequence[Intent[ChangePlan]], what: str) -> Intent[RenamePlan]:
    if not changes:
        raise ToolFailed("The editor would change nothing.")
    diff = "\n".join(each.diff or "" for each in changes)
    files = plural(len(changes), "file")
    each_time = next((each.why_each_time for each in changes if each.why_each_time), None)
    return Intent(
        title=f"Rename {what} in {files}",
        ask=True,
        # No answer but one for all edits covers another rename than this.
        approval=f"rename:{version_of(diff)}",
        covers="this rename, if it is asked for again",
        wider=ALL_EDITS if all(each.wider for each in changes) else None,
        why_each_time=each_time,
        lasting=common_scopes([each.lasting for each in changes]),
        diff=diff,
        locations=tuple(place for each in changes for place in each.locations),
        plan=RenamePlan(tuple(changes), f"Renamed {what} in {files}"),
    )


async def _carried_out(plan: RenamePlan, context: CallContext) -> Outcome:
    for each in plan.changes:
        await asyncio.to_thread(refuse_changed, each.plan, context)
    done: list[TextChange] = []
    rows: list[str] = []
    for each in plan.changes:
        try:
            outcome = await carried_out(replace(each, title=plan.done), context)
        except ToolFailed as error:
            if not done:
                raise
            left = ", ".join(other.plan.target.name for other in plan.changes[len(done) :])
            text = f"{error.message}\nChanged before: {', '.join(rows)}\nNot changed: {left}"
            return Outcome(text=text, failed=True, changes=tuple(done))
        done += outcome.changes
        rows.append(outcome.text.removeprefix("Changed ").removesuffix("."))
    return Outcome(text="\n".join([f"{plan.done}:", *rows]), changes=tuple(done))

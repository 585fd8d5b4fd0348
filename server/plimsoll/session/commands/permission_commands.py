"""`/permissions`: lists what was allowed for good in the folder, and takes one back."""

from collections.abc import Sequence

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.storage.chosen.base import Permission

NO_PERMISSIONS = (
    "Nothing is always allowed in this folder. A question of the agent offers it: a command by its "
    "words, edits below a folder, a tool of an MCP server."
)
ONLY_CONFINED = "Commands run so in the full sandbox alone; protected files are always asked about."
NO_EFFECT = "`permission.confined_commands` is on: commands listed here change nothing."


async def permissions(rest: str, project: Project, _session: Session) -> Reply:
    """List the permissions, or remove one by its number."""
    store = project.environment.store.permissions
    if not rest:
        found = await store.permissions()
        confined = project.environment.rules().confined_unasked
        return Reply(permissions_markdown(found, confined_unasked=confined), tuple(found))
    verb, _, number = rest.partition(" ")
    if verb != "remove" or not number.strip().isdecimal():
        raise InvalidInput(
            f"/permissions takes nothing, or remove and a number, not {rest[:40]!r}.",
            remedy="/permissions lists them with their numbers; then write /permissions remove 3.",
        )
    gone = await store.remove(int(number))
    return Reply(f"Asked about again: {gone.what}.")


def permissions_markdown(found: Sequence[Permission], *, confined_unasked: bool) -> str:
    """Write the numbered permissions with what they cover, and where they have no effect."""
    if not found:
        return NO_PERMISSIONS
    rows = [f"- {each.number}: {each.what} ({each.covers}), since {each.at[:10]}" for each in found]
    note = permissions_note(found, confined_unasked=confined_unasked)
    return "\n".join(
        (
            "Always allowed in this folder:",
            "",
            *rows,
            "",
            note,
            "`/permissions remove N` takes one back.",
        )
    )


def permissions_note(found: Sequence[Permission], *, confined_unasked: bool) -> str:
    """Say where permissions count, and where they have no effect."""
    commands = any(each.kind in ("command", "firstWords") for each in found)
    return NO_EFFECT if commands and confined_unasked else ONLY_CONFINED

"""`/aside`: lists what commands made of protected names and nobody kept, with where it is."""

import asyncio

from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.project import Project
from plimsoll.session.session import Session

MOST_LISTED = 20


async def aside(_rest: str, project: Project, _session: Session) -> Reply:
    """Answer with the files that lie aside now, also from earlier sessions."""
    confining = project.environment.call_context.confining
    found = await asyncio.to_thread(confining.lying_aside) if confining else ()
    if not found:
        return Reply("Nothing is set aside: what commands made is in its place.")
    rows = [f"- `{was}` is in `{now}`" for was, now in found[:MOST_LISTED]]
    if len(found) > MOST_LISTED:
        rows.append(f"- and {len(found) - MOST_LISTED} more beside them")
    head = "Set aside, and not in effect. To use one after all, move it back:"
    return Reply("\n".join((head, "", *rows)))

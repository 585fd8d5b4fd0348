"""`/sandbox`: says what commands are kept from, and takes a lesser sandbox for what is meant."""

import asyncio

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.project import Project
from plimsoll.session.session import Session

_ACCEPT = "accept"


async def sandbox(rest: str, project: Project, _session: Session) -> Reply:
    """Answer with the sandbox of commands as it is now."""
    if rest not in ("", _ACCEPT):
        raise InvalidInput(
            f"/sandbox takes accept, not {rest[:40]!r}.", remedy="Write /sandbox accept."
        )
    confining = project.environment.call_context.confining
    if confining is None:
        return Reply("Commands run without a sandbox here: they can do all that you can.")
    if rest == _ACCEPT:
        if await asyncio.to_thread(confining.less) is None:
            return Reply("Commands run in the strongest sandbox that has worked on this machine.")
        await asyncio.to_thread(confining.accept_less)
    access = await asyncio.to_thread(confining.plan_access, network=False)
    given = await asyncio.to_thread(confining.confinement, access)
    less = await asyncio.to_thread(confining.less)
    words = [f"Commands are {given.summary}."]
    if less is not None:
        words.append(f"{less} Until then each command is asked about.")
    elif rest == _ACCEPT:
        words.append("From now on that is what counts on this machine.")
    return Reply("\n\n".join(words))

"""What the checks of a team's server share: who opens it, samples, and all news as one."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol
from uuid import uuid4

from plimsoll.memory.types import Memory, MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.conformance.base import AT, memory
from plimsoll.storage.shared.base import TeamServer
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Operation, Outcome, Queued

TEAM, MINE = MemoryScope.TEAM, MemoryScope.MINE


class OpenTeam(Protocol):
    """Opens a project, empty before a check, as a machine of one person sees it.

    ``owner`` is an admin of it, ``ada`` and ``bob`` may write, ``cy`` only reads. Texts leave by
    `hide_secret`. Whoever runs a check closes what was opened.
    """

    async def __call__(self, person: str, machine: str = "laptop") -> TeamServer:
        """Open it."""
        ...


TeamCheck = Callable[[OpenTeam], Awaitable[None]]
"""Fails with an AssertionError, or with an error of the server, where that breaks the law."""


def note(name: str = "k1", content: str = "", **fields: Any) -> Memory:
    """Build a memory for the team, whose text no other has unless it is given."""
    text = content or f"The crane {name} lifts forty tons of cargo."
    return memory(name, text, **{"scope": TEAM, **fields})


def pin(name: str = "p1", text: str = "Use tabs.", scope: MemoryScope = TEAM) -> WorkspacePin:
    """Build a pin for the team."""
    return WorkspacePin(id=name, at=AT, text=text, number=1, sharing=PinSharing(scope))


def with_key(operation: Operation) -> Queued:
    """Give an operation a key of its own."""
    return Queued(str(uuid4()), operation)


async def push(team: TeamServer, operation: Operation) -> Outcome:
    """Push an operation under a key of its own."""
    return await team.push(with_key(operation))


async def role_of(team: TeamServer) -> str:
    """Read which role this is."""
    return (await team.membership()).role


async def everything(team: TeamServer, since: int = 0, limit: int = 500) -> News:
    """Read all news as one, page by page."""
    read: list[News] = [await team.news(since, limit)]
    while read[-1].more:
        read.append(await team.news(read[-1].position, limit))
    return News(
        position=read[-1].position,
        memories=[each for news in read for each in news.memories],
        forgotten=[each for news in read for each in news.forgotten],
        pins=[each for news in read for each in news.pins],
        removed_pins=[each for news in read for each in news.removed_pins],
        sessions=[each for news in read for each in news.sessions],
        deleted_sessions=[each for news in read for each in news.deleted_sessions],
    )


async def texts(team: TeamServer) -> dict[str, str]:
    """Read the content of each memory that the server has, by id."""
    return {each.memory.id: each.memory.content for each in (await everything(team)).memories}

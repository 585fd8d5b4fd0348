"""Memories, pins and operations as machines send them."""

from uuid import uuid4

from memory.samples import memory
from plimsoll.memory.types import Memory, MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.postgres.team.server import PostgresTeam
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Operation, Outcome, Queued
from storage.samples import AT

TEAM, MINE = MemoryScope.TEAM, MemoryScope.MINE


def note(name: str = "k1", content: str = "", **fields: object) -> Memory:
    """A memory for the team, whose text no other has unless it is given."""
    text = content or f"The crane {name} lifts forty tons of cargo."
    return memory(name, text, **{"scope": TEAM, **fields})


def pin(name: str = "p1", text: str = "Use tabs.", scope: MemoryScope = TEAM) -> WorkspacePin:
    return WorkspacePin(id=name, at=AT, text=text, number=1, sharing=PinSharing(scope))


def queued(operation: Operation) -> Queued:
    return Queued(str(uuid4()), operation)


async def push(team: PostgresTeam, operation: Operation) -> Outcome:
    return await team.push(queued(operation))


async def everything(team: PostgresTeam, since: int = 0, limit: int = 500) -> News:
    """All news as one, asked for page by page."""
    told: list[News] = [await team.news(since, limit)]
    while told[-1].more:
        told.append(await team.news(told[-1].position, limit))
    return News(
        position=told[-1].position,
        memories=[each for news in told for each in news.memories],
        forgotten=[each for news in told for each in news.forgotten],
        pins=[each for news in told for each in news.pins],
        removed_pins=[each for news in told for each in news.removed_pins],
        sessions=[each for news in told for each in news.sessions],
        deleted_sessions=[each for news in told for each in news.deleted_sessions],
    )


async def texts(team: PostgresTeam) -> dict[str, str]:
    """The content of each memory that the server has, by id."""
    return {each.memory.id: each.memory.content for each in (await everything(team)).memories}

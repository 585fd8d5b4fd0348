"""The sessions of a folder, here and on the person's other machines."""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import islice

from plimsoll.session.ports.content import is_used
from plimsoll.session.project import Project
from plimsoll.storage.base import SessionRecord


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session of a list."""

    record: SessionRecord
    machine: str | None = None
    """The name of the other machine that alone has it; None: it is here."""


async def list_sessions(project: Project, limit: int | None = None) -> Iterator[ListedSession]:
    """List the sessions, the one used last first; asks no server.

    ``limit``: how many of those here are read.
    """
    here = map(ListedSession, await project.list(limit))
    away = [ListedSession(each.record, each.machine) for each in await project.elsewhere()]
    return merge(here, away, key=lambda each: each.record.updated_at, reverse=True)


async def list_used(project: Project, limit: int) -> list[ListedSession]:
    """List the sessions in which something was said, the one used last first."""
    # Beside them stand those that were only opened.
    found = await list_sessions(project, 2 * limit)
    return list(islice((each for each in found if is_used(each.record)), limit))

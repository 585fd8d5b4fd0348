"""A shared project at a PostgreSQL, as one role and machine see it."""

from plimsoll.storage.base import Redactor
from plimsoll.storage.postgres.members import membership_of
from plimsoll.storage.postgres.migrations import refuse_newer
from plimsoll.storage.postgres.projects import ProjectDatabase, SharedProject
from plimsoll.storage.postgres.team.news import read_news
from plimsoll.storage.postgres.team.operations import perform
from plimsoll.storage.postgres.team.sessions import PostgresTravelling
from plimsoll.storage.shared.base import Membership
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Outcome, Queued


class PostgresTeam:
    """A ``TeamServer`` in a PostgreSQL; it connects when it is asked for something."""

    def __init__(
        self, database: ProjectDatabase, url: str, redact: Redactor, sessions: PostgresTravelling
    ) -> None:
        self._database = database
        self._url = url
        self._redact = redact
        self._sessions = sessions

    @property
    def sessions(self) -> PostgresTravelling:
        """The person's own sessions that travel."""
        return self._sessions

    async def membership(self) -> Membership:
        """Return the role and its rights."""
        return await self._database.read(membership_of)

    async def push(self, queued: Queued) -> Outcome:
        """Do an operation once by its key, and return its outcome."""
        return await self._database.write(
            lambda project: perform(project, queued, self._redact), repeatable=True
        )

    async def news(self, since: int, limit: int = 500) -> News:
        """Read the changes after a position."""

        async def unit(project: SharedProject) -> News:
            # Another member may have updated the tables meanwhile.
            await refuse_newer(project.connection, self._url)
            return await read_news(project, since, limit)

        return await self._database.read(unit)

    async def close(self) -> None:
        """Close the connections."""
        await self._database.close()

"""The door to a team's PostgreSQL: its driver is an extra, loaded off the event loop."""

from typing import Protocol

from plimsoll.storage.shared.base import TeamServer
from plimsoll.storage.shared.status import SuggestedProject

DRIVER = "psycopg_pool"


class TeamEngine(Protocol):
    """Makes, finds and opens projects; an ``address`` is complete, its password included.

    Raises:
        StoreNewer: The server's tables are those of a newer version.
        StoreUnavailable: The server cannot be used, or the driver is not installed.
    """

    async def create(self, address: str, name: str) -> SuggestedProject:
        """Make a project, with the tables if they are missing; raises InvalidInput if it exists."""
        ...

    async def find(self, address: str, named: str) -> SuggestedProject:
        """Find a project by its name or its UUID; raises NotFound."""
        ...

    async def open(self, address: str, project: str) -> TeamServer:
        """Open a project, given by its UUID; raises NotFound."""
        ...

"""The door to a team's PostgreSQL; its driver is an extra, loaded off the event loop."""

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from plimsoll.context.log.traits import Tools
from plimsoll.errors import StoreUnavailable
from plimsoll.storage.base import Redactor
from plimsoll.storage.shared.base import Rights, TeamServer
from plimsoll.storage.shared.status import SuggestedProject
from plimsoll.team.troubles import NO_DRIVER
from plimsoll.text.wording import how_to_install

DRIVER = "psycopg_pool"
_OPENING = "plimsoll.storage.postgres.opening"


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

    async def members(self, address: str, name: str) -> Mapping[str, Rights]:
        """Read the rights of each member of a project, by role; raises NotFound."""
        ...

    async def add_member(self, address: str, name: str, role: str, rights: Rights) -> None:
        """Make a role a member, or change its rights; raises InvalidInput or NotFound."""
        ...

    async def remove_member(self, address: str, name: str, role: str) -> None:
        """Take all rights in a project from a role; raises InvalidInput or NotFound."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresEngine:
    """The ``TeamEngine`` of a PostgreSQL."""

    redact: Redactor
    """Takes the secrets out of what leaves."""
    machine_id: str
    machine_name: str
    """For people."""
    tools: Tools
    """The traits of the tools that logs name."""

    async def create(self, address: str, name: str) -> SuggestedProject:
        """Make a project, with the tables if they are missing; raises InvalidInput if it exists."""
        await load_driver()
        from plimsoll.storage.postgres.opening import create_shared

        return SuggestedProject(project=await create_shared(address, name), name=name)

    async def find(self, address: str, named: str) -> SuggestedProject:
        """Find a project by its name or its UUID; raises NotFound."""
        await load_driver()
        from plimsoll.storage.postgres.opening import find_shared, name_shared

        if _is_uuid(named):
            return SuggestedProject(project=named, name=await name_shared(address, named))
        return SuggestedProject(project=await find_shared(address, named), name=named)

    async def open(self, address: str, project: str) -> TeamServer:
        """Open a project, given by its UUID; it connects when it is asked for something."""
        await load_driver()
        from plimsoll.storage.postgres.opening import open_team
        from plimsoll.storage.postgres.team.sessions import MachineName

        machine = MachineName(self.machine_name, self.machine_id)
        return open_team(address, project, self.redact, machine=machine, tools=self.tools)

    async def members(self, address: str, name: str) -> Mapping[str, Rights]:
        """Read the rights of each member of a project, by role; raises NotFound."""
        await load_driver()
        from plimsoll.storage.postgres.opening import list_members

        return await list_members(address, name)

    async def add_member(self, address: str, name: str, role: str, rights: Rights) -> None:
        """Make a role a member, or change its rights; raises InvalidInput or NotFound."""
        await load_driver()
        from plimsoll.storage.postgres.opening import add_member

        await add_member(address, name, role, rights)

    async def remove_member(self, address: str, name: str, role: str) -> None:
        """Take all rights in a project from a role; raises InvalidInput or NotFound."""
        await load_driver()
        from plimsoll.storage.postgres.opening import remove_member

        await remove_member(address, name, role)


async def load_driver() -> None:
    """Load the driver, on a thread: it takes a tenth of a second, and nobody waits for that.

    Raises:
        StoreUnavailable: It is not installed.
    """
    try:
        await asyncio.to_thread(importlib.import_module, DRIVER)
    except ImportError as error:
        raise StoreUnavailable(
            "What a team shares is reached by the library psycopg, which is not installed.",
            remedy=f"Install it: {how_to_install('team')}.",
            data={"reason": NO_DRIVER},
        ) from error
    await asyncio.to_thread(importlib.import_module, _OPENING)


def _is_uuid(named: str) -> bool:
    try:
        return str(UUID(named)) == named
    except ValueError:
        return False

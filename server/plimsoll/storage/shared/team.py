"""The team that a folder takes part in, as sessions and front doors reach it."""

from typing import Protocol

from plimsoll.errors import InvalidInput
from plimsoll.storage.shared.status import TeamStatus


class Team(Protocol):
    """The part that a folder takes in a team; one object for each open folder."""

    def status(self) -> TeamStatus:
        """Return the status of the team, without asking the server."""
        ...

    async def join(self, name: str | None = None, url: str | None = None) -> TeamStatus:
        """Take part in a project of a server from now on.

        ``name``: the project's; None: the one that the settings or the folder's file name.
        ``url``: the server's address; None: the one of the settings. A password in it goes into
        the system's keyring.

        Raises:
            InvalidInput: Nothing names the project or the server, the folder is in another project,
                or a password cannot be kept.
            NotFound: There is no such project.
            StoreError: The server does not answer, or refuses.
        """
        ...

    async def create(
        self, name: str, url: str | None = None, *, write_file: bool = False
    ) -> TeamStatus:
        """Make a project on a server, with its tables if they are missing, and join it.

        ``write_file``: also write the folder's ``.plimsoll/project``. Raises as ``join``.
        """
        ...

    async def leave(self) -> TeamStatus:
        """Leave the project: colleagues' texts are removed, the person's own become private."""
        ...

    async def accept(self, author: str) -> None:
        """Accept a colleague: what they share takes effect without waiting in the inbox.

        Raises:
            InvalidInput: The folder takes part in no project.
        """
        ...

    async def look(self) -> TeamStatus:
        """Exchange changes with the server now, and return the status of the team."""
        ...

    def wake(self) -> None:
        """Note that the folder is in use or changed; a due exchange runs in the background."""
        ...

    async def close(self) -> None:
        """End the background work; changes that were not sent wait in the store."""
        ...


class NoTeam:
    """The ``Team`` of a folder without a store on disk, which can join none."""

    def status(self) -> TeamStatus:
        """Tell that none is joined."""
        return TeamStatus()

    async def join(self, name: str | None = None, url: str | None = None) -> TeamStatus:
        """Raise InvalidInput."""
        del name, url
        raise _nothing_kept()

    async def create(
        self, name: str, url: str | None = None, *, write_file: bool = False
    ) -> TeamStatus:
        """Raise InvalidInput."""
        del name, url, write_file
        raise _nothing_kept()

    async def leave(self) -> TeamStatus:
        """Do nothing."""
        return TeamStatus()

    async def accept(self, author: str) -> None:
        """Raise InvalidInput."""
        del author
        raise not_joined()

    async def look(self) -> TeamStatus:
        """Tell that none is joined."""
        return TeamStatus()

    def wake(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


def not_joined() -> InvalidInput:
    """Build the error for an operation that needs a team, in a folder that has joined none."""
    return InvalidInput(
        "This folder takes part in no team.",
        remedy="Join one first: `plimsoll team join NAME URL`.",
    )


def _nothing_kept() -> InvalidInput:
    return InvalidInput(
        "Nothing of this folder is kept beyond this process, so it can take part in no team.",
        remedy="Start Plimsoll with a store on disk.",
    )

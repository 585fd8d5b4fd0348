"""A folder's sessions on the person's other machines, by code that is loaded where they travel."""

from collections.abc import Awaitable, Callable, Sequence

from plimsoll.storage.shared.travel import (
    CameFrom,
    Elsewhere,
    OpenSessions,
    StaysHere,
    Travelling,
)


class LazyTravelling:
    """The ``Travelling`` of a folder, until it has taken the one that does the work."""

    def __init__(self, is_on: Callable[[], bool], load: Callable[[], Awaitable[None]]) -> None:
        """``is_on``: tells whether the person wants sessions to travel.

        ``load``: loads what lets them, and lets it be taken, if the folder has joined a project.
        """
        self._is_on = is_on
        self._load = load
        self._sessions: list[OpenSessions] = []
        self._loaded: Travelling | None = None

    def take(self, loaded: Travelling) -> None:
        """Let another one do the work from now on."""
        self._loaded = loaded
        for each in self._sessions:
            loaded.attend(each)

    def attend(self, sessions: OpenSessions) -> None:
        """Take care of the sessions of this folder from now on."""
        self._sessions.append(sessions)
        if self._loaded is not None:
            self._loaded.attend(sessions)

    def held_by(self, session_id: str) -> str | None:
        """Return the name of the other machine that writes a session, as far as is known."""
        return None if self._loaded is None else self._loaded.held_by(session_id)

    async def elsewhere(self) -> Sequence[Elsewhere]:
        """List the sessions that are not here; asks no server."""
        return await (await self._now()).elsewhere()

    async def bring(self, session_id: str, *, force: bool = False) -> None:
        """Make the log here the newest; raises as ``Travelling.bring``."""
        await (await self._now()).bring(session_id, force=force)

    async def came_from(self, session_id: str) -> CameFrom | None:
        """Tell which other machine wrote a session last; None if this one did."""
        return await (await self._now()).came_from(session_id)

    async def delete(self, session_id: str) -> bool:
        """Delete a session whose log is not here from the other machines; tell whether it was."""
        return await (await self._now()).delete(session_id)

    async def _now(self) -> Travelling:
        if not self._is_on():
            return StaysHere()
        if self._loaded is None:
            await self._load()
        return self._loaded or StaysHere()

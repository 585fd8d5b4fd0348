"""The ``Travelling`` of a folder whose code is loaded only where sessions travel."""

from collections.abc import Awaitable, Callable, Sequence

from plimsoll.storage.shared.travel import (
    CameFrom,
    Elsewhere,
    OpenSessions,
    StaysHere,
    Travelling,
)


class LazyTravelling:
    """A ``Travelling`` that passes calls on to the real one, once that was given to ``take``."""

    def __init__(self, is_on: Callable[[], bool], load: Callable[[], Awaitable[None]]) -> None:
        """``is_on``: tells whether the person wants sessions to travel.

        ``load``: loads the real one and gives it to ``take``, if a project was joined.
        """
        self._is_on = is_on
        self._load = load
        self._sessions: list[OpenSessions] = []
        self._loaded: Travelling | None = None

    def take(self, loaded: Travelling) -> None:
        """Pass calls on to this one from now on."""
        self._loaded = loaded
        for each in self._sessions:
            loaded.attend(each)

    def attend(self, sessions: OpenSessions) -> None:
        """Keep these open sessions of the folder up to date from now on."""
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
        """Bring the newest log of a session here; raises as ``Travelling.bring``."""
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

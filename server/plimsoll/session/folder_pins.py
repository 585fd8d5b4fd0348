"""The pins of a folder: kept in its store, and standing in every session of it."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Pinned
from plimsoll.memory.types import MemoryScope
from plimsoll.session.layers.pins import add_pin
from plimsoll.session.live_sessions import LiveSessions
from plimsoll.session.ports.environment import Environment
from plimsoll.session.session import Session
from plimsoll.storage.chosen.base import WorkspacePin


class FolderPins:
    """Adds and removes the pins that every session of a folder keeps."""

    def __init__(self, environment: Environment, sessions: LiveSessions) -> None:
        self._environment = environment
        self._sessions = sessions

    async def all(self) -> Sequence[WorkspacePin]:
        """List the pins of the folder, by number."""
        return await self._environment.store.pins.pins()

    async def add(self, text: str, scope: MemoryScope = MemoryScope.PRIVATE) -> WorkspacePin:
        """Add a pin: a text in every request of every session of the folder.

        ``scope``: who else has it, where the folder takes part in a team.

        Raises:
            InvalidInput: There is no text to pin, or the pins would be too large.
        """
        live = [session.state for session in self._sessions.by_id.values()]
        pin = await add_pin(text, scope, self._environment, live)
        await self._spread()
        return pin

    async def remove(self, pin: str) -> None:
        """Remove a pin of the folder from all of its sessions; raises NotFound."""
        held = any(pin in session.state.log.fold.pins for session in self._sessions.by_id.values())
        kept = {each.id for each in await self.all()}
        if pin in kept or not held:
            await self._environment.store.pins.remove(pin)
        await self._spread()

    async def remove_from(self, session: Session, pin: Pinned) -> None:
        """Remove a pin of a session, whether its own or the folder's; raises NotFound."""
        if pin.scope == "workspace":
            await self.remove(pin.id)
        else:
            await session.unpin(pin.id)

    async def _spread(self) -> None:
        """Update the folder's pins in its open sessions, and wake the exchange with the team."""
        self._environment.team.wake()
        await self._sessions.spread()

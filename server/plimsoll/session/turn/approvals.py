"""Who has allowed what in a session; kept in memory alone, so that no file can grant it."""

from plimsoll.session.environment import Asker, Decision
from plimsoll.session.events import CallShown


class Approvals:
    """The answers that a person gave for the rest of a session."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._standing: dict[str, Decision] = {}
        self._waiting: list[str] = []

    @property
    def waiting(self) -> tuple[str, ...]:
        """The titles of the calls that a person has not answered yet."""
        return tuple(self._waiting)

    async def decide(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """The standing answer for what the call would do, or the person's answer now."""
        key = call.intent.approval if call.intent else ""
        standing = self._standing.get(key) if key else None
        if standing is not None:
            return standing
        title = call.intent.title if call.intent else call.name
        self._waiting.append(title)
        try:
            decision = await self._asker.ask(session_id, turn, call)
        finally:
            self._waiting.remove(title)
        if decision.for_session and key:
            self._standing[key] = decision
        return decision

"""Which other machines are known to write sessions now."""

from plimsoll.session.ports.clock import Clock
from plimsoll.team.travelling.machines import is_machine, shown_machine

BELIEVED_SECONDS = 60.0
"""After which nobody is believed to hold a session without being asked again: a lease lasts 30 s,
and a person is not kept from writing here while the server is away."""


class Holders:
    """Remembers who held the lease of each session when it was last asked for."""

    def __init__(self, own: str, clock: Clock) -> None:
        """``own``: the label of this machine."""
        self.own = own
        self._clock = clock
        self._held: dict[str, tuple[str, float]] = {}

    def note(self, session_id: str, holder: str) -> bool:
        """Note who holds a session; tell whether that is another machine."""
        if is_machine(holder, self.own):
            return False
        self._held[session_id] = holder, self._clock.seconds()
        return True

    def clear(self, session_id: str) -> None:
        """Note that no other machine holds a session."""
        self._held.pop(session_id, None)

    def name_of(self, session_id: str) -> str | None:
        """Return the name of the other machine that writes a session; None if none is known to."""
        holder, at = self._held.get(session_id, ("", 0.0))
        if not holder or self._clock.seconds() - at > BELIEVED_SECONDS:
            return None
        return shown_machine(holder, self.own)

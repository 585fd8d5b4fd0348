"""When a folder exchanges with its team's server next. Pure."""

from dataclasses import dataclass, replace

EVERY, EVERY_UNUSED = 30.0, 300.0
"""Seconds between two looks for news, while somebody works in the folder and while nobody does."""
EVERY_HOLDING = 10.0
"""The most while a session that travels is open: its lease lasts 30 s."""
IN_USE = 600.0
"""Seconds after which a folder that nobody has used counts as unused."""
_SOONEST, _SOONEST_SENDING = 5.0, 0.2
"""Seconds between two looks that somebody's work brings with it, and that changes do."""
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 300.0
"""Seconds after the first failure, doubled with each, and the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """When the folder was used and its server asked; times are seconds of a monotonic clock."""

    used_at: float
    asked_at: float | None = None
    """When the server was last asked; None if not yet."""
    is_wanted: bool = True
    """Whether somebody has done something since then."""
    failures: int = 0
    """How often in a row it could not be asked."""

    def note_use(self, now: float) -> "Pace":
        """Note that the folder is in use, so that an exchange is due soon."""
        return replace(self, used_at=now, is_wanted=True)

    def note_asking(self, now: float) -> "Pace":
        """Note that an exchange with the server begins."""
        return replace(self, asked_at=now, is_wanted=False)

    def note_answer(self) -> "Pace":
        """Note that the exchange succeeded: later ones wait no longer than usual."""
        return replace(self, failures=0)

    def note_failure(self) -> "Pace":
        """Note that the exchange failed: each further failure lengthens the wait."""
        return replace(self, failures=self.failures + 1)

    def seconds_left(self, now: float, *, sending: bool, holding: bool = False) -> float:
        """Return how long to wait before the server is asked; 0 or less: it is asked now.

        ``sending``: changes wait that can be sent. ``holding``: leases are to be kept.
        """
        if self.asked_at is None:
            return 0.0
        pause = self._pause(now, sending=sending)
        if holding and not self.failures:
            pause = min(pause, EVERY_HOLDING)
        return self.asked_at + pause - now

    def _pause(self, now: float, *, sending: bool) -> float:
        if self.failures:
            # Whoever has just done something may have put right what was wrong.
            most = EVERY if self.is_wanted else _LONGEST_PAUSE
            return min(most, _FIRST_PAUSE * 2.0 ** min(self.failures - 1, 10))
        if sending:
            return _SOONEST_SENDING
        if self.is_wanted:
            return _SOONEST
        return EVERY if now - self.used_at < IN_USE else EVERY_UNUSED

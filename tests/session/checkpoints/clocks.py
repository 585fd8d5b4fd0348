"""Clocks by which a file is older or younger than a prompt."""

from datetime import UTC, datetime
from pathlib import Path

from plimsoll.session.ports.clock import CountedClock


class FixedClock(CountedClock):
    """Says always the same time."""

    def __init__(self, at: str) -> None:
        super().__init__()
        self.at = at

    def now(self) -> str:
        return self.at


def late() -> FixedClock:
    """A clock by which all that was ever written is older than any prompt."""
    return FixedClock("2200-01-01T00:00:00.000Z")


def early() -> FixedClock:
    """A clock by which all that is written is younger than any prompt."""
    return FixedClock("2000-01-01T00:00:00.000Z")


class FileClock(FixedClock):
    """Says the time of a file system, as of its last ``tick``."""

    def __init__(self, probe: Path) -> None:
        super().__init__("2000-01-01T00:00:00.000Z")
        self.probe = probe
        self.tick()

    def tick(self) -> None:
        """Go on until what is written now gets a later time than all that was written before."""
        self.probe.write_text("")
        before = self.probe.stat().st_mtime_ns // 1_000
        while (now := self.probe.stat().st_mtime_ns // 1_000) <= before:
            self.probe.write_text("")
        self.at = datetime.fromtimestamp(now / 1e6, UTC).isoformat(timespec="microseconds")

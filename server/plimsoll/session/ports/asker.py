"""The port to the person who is asked, and what they decide."""

from dataclasses import dataclass
from typing import Literal, Protocol

from plimsoll.context.log.call_end import RejectedBy
from plimsoll.session.ports.events import CallShown


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An answer to the question whether a call may run."""

    allowed: bool
    for_session: bool = False
    wider: bool = False
    """For the session, it covers all that the call's wider approval names."""
    always: int | None = None
    """It covers for good what the call offers at this place; none: nothing."""
    reason: str | None = None
    edited: str | None = None
    """What was proposed, as the person changed it before they took it."""
    kept: tuple[str, ...] | None = None
    """Of files that a command made, those that the person keeps, by their names; none: all."""
    kept_hunks: tuple[int, ...] | None = None
    """Of the hunks of a change, those that the person keeps; none: all."""
    by: RejectedBy | Literal["rule"] = "person"
    """``rule``: nobody was asked, a rule that a person has set decided."""


class Asker(Protocol):
    """Asks the person at the editor."""

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Ask for a decision; if nobody can be asked or answers in time, it is a rejection."""
        ...

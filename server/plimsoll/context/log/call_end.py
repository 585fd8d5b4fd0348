"""How a tool call ended, and who declined it; stored with the call's result."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class CallEnd(StrEnum):
    """How a call came to its end."""

    RAN = "ran"
    """Its tool ran to its end, with success or an error."""
    DECLINED = "declined"
    """It was not allowed; nothing was run."""
    NOT_RUN = "notRun"
    """A check that asks nobody refused it, or the turn ended before it began."""
    STOPPED = "stopped"
    """A person stopped the turn while it ran: it may have done all or part of its work."""
    INTERRUPTED = "interrupted"
    """The server's process ended while it ran: nobody knows how far it came."""


NEVER_RUN = frozenset({CallEnd.DECLINED, CallEnd.NOT_RUN})
"""The ends of calls that never ran."""

RejectedBy = Literal["person", "earlier", "nobody"]
"""Who declined: a person now, a person earlier in the session, or nobody as no answer came."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Who declined a call, and why."""

    by: RejectedBy
    reason: str | None = None

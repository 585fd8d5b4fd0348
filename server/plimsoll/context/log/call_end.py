"""How a tool call came to its end, and what a person said of it, as its result keeps it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class CallEnd(StrEnum):
    """How a call came to its end."""

    RAN = "ran"
    """Its tool did what it does, with success or in vain."""
    DECLINED = "declined"
    """It was not allowed; nothing was run."""
    NOT_RUN = "notRun"
    """It did not pass a gate that asks nobody, or the turn ended before it began."""
    STOPPED = "stopped"
    """A person stopped the turn while it ran: it may have done its work, or a part of it."""
    INTERRUPTED = "interrupted"
    """The process ended before it did: nobody knows how far it came."""


NEVER_RUN = frozenset({CallEnd.DECLINED, CallEnd.NOT_RUN})
"""Ends of calls of which nothing was run."""

RejectedBy = Literal["person", "earlier", "nobody"]
"""A person now, a person earlier in the session, or nobody: there was no answer."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Who declined a call, and why."""

    by: RejectedBy
    reason: str | None = None

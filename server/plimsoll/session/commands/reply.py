"""What a command of a person answers."""

from dataclasses import dataclass

from plimsoll.session.session import Session


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a command, for people."""

    markdown: str
    data: object = None
    """What the command's method answers, where it has one."""
    session: Session | None = None
    """The session that is open from now on, where it is another one."""

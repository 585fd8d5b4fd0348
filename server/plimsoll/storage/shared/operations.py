"""The operations that a machine sends to the team's server, and what becomes of each."""

from dataclasses import dataclass

from plimsoll.memory.types import Memory
from plimsoll.storage.chosen.base import WorkspacePin


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedMemory:
    """A memory as the team's server has it."""

    memory: Memory
    version: int
    """Counted from 1, raised by each change of it."""
    author_name: str
    """The role that shared it, as the server itself recorded it: it alone can forget it for all."""
    is_own: bool
    """Whether that is the role that asks."""
    written_by: str | None = None
    """The third role that wrote it as it is now; None if that is the author or the role that asks.
    Whoever may write can change a colleague's text, which is then no more to be trusted than they.
    """


@dataclass(frozen=True, slots=True)
class ShareMemory:
    """Share a memory that the server does not have yet; its scope says with whom."""

    memory: Memory


@dataclass(frozen=True, slots=True)
class ChangeMemory:
    """Change the text or fields of a shared memory."""

    memory: Memory
    """The memory as it is to be."""
    base: int
    """The version that was changed; another one at the server means that somebody was first."""


@dataclass(frozen=True, slots=True)
class ForgetMemory:
    """Remove the text of a shared memory for everyone, and leave a tombstone for good."""

    memory_id: str


@dataclass(frozen=True, slots=True)
class SharePin:
    """Share a pin of the folder; its scope says with whom."""

    pin: WorkspacePin


@dataclass(frozen=True, slots=True)
class RemovePin:
    """Remove a shared pin for everyone."""

    pin_id: str


@dataclass(frozen=True, slots=True)
class DeleteSession:
    """Delete a session that travels between a person's machines, with its log."""

    session_id: str


Operation = ShareMemory | ChangeMemory | ForgetMemory | SharePin | RemovePin | DeleteSession


@dataclass(frozen=True, slots=True)
class Queued:
    """An operation that waits on this machine until the server has it."""

    key: str
    """A UUID of its own: the server does an operation of one key once, however often it comes."""
    operation: Operation


@dataclass(frozen=True, slots=True)
class Done:
    """The server has it."""

    version: int | None = None
    """The version of the memory there; None for anything else."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Somebody changed the memory first; the server kept theirs, and this one as a suggestion."""

    current: SharedMemory
    suggestion: SharedMemory
    """The text that was sent, as a new memory that ``supersedes`` the current one."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The memory, pin or session was forgotten by somebody; it does not come back."""


@dataclass(frozen=True, slots=True)
class KnownAs:
    """The team has another memory that says the same."""

    memory_id: str


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """The role has no right to do it, or the server keeps no such text."""

    message: str
    """One sentence for the person, without a remedy."""


Outcome = Done | Overtaken | Gone | KnownAs | NotAllowed

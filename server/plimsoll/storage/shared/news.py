"""What has changed at the team's server since a machine asked last."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.storage.base import SessionRecord
from plimsoll.storage.chosen.base import WorkspacePin
from plimsoll.storage.shared.operations import SharedMemory


@dataclass(frozen=True, slots=True)
class SharedPin:
    """A pin as the team's server has it; its number there says nothing here."""

    pin: WorkspacePin
    author_name: str
    """The role that added it, as the server itself recorded it."""
    is_own: bool
    """Whether that is the role that asks."""


@dataclass(frozen=True, slots=True)
class SharedSession:
    """A session of the person's own that travels, as the team's server has it."""

    record: SessionRecord
    length: int
    """How many entries its log has there."""
    machine: str
    """The name of the machine that wrote it last, for people."""
    is_held: bool
    """Whether a machine holds its lease now, by the server's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The changes of a project from one position to another, oldest first."""

    position: int
    """All changes up to this number are told, in this or earlier news."""
    memories: Sequence[SharedMemory] = ()
    forgotten: Sequence[str] = ()
    """The ids of memories whose text is gone for good."""
    pins: Sequence[SharedPin] = ()
    removed_pins: Sequence[str] = ()
    sessions: Sequence[SharedSession] = ()
    deleted_sessions: Sequence[str] = ()
    more: bool = False
    """Whether there are later changes to be asked for at once."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed."""
        told = (self.memories, self.forgotten, self.pins, self.removed_pins)
        return not any((*told, self.sessions, self.deleted_sessions))

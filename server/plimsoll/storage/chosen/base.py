"""The interfaces of a person's choices for one folder: pins, permissions, skills switched off."""

from dataclasses import dataclass
from typing import Protocol

from plimsoll.memory.types import MemoryScope


class SkillSwitches(Protocol):
    """The skills that a person has switched off in one folder; raises StoreUnavailable.

    A custom command or agent has its kind and a colon before its name, as ``agent:reviewer``.
    """

    async def off(self) -> frozenset[str]:
        """Read the names of the skills that are off."""
        ...

    async def switch(self, name: str, at: str, *, on: bool) -> None:
        """Switch a skill on or off; durable when the call returns."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """A permission that a person gave for good in a folder."""

    number: int = 0
    """Counted from 1, never reused in a folder."""
    at: str
    kind: str
    """With ``subject`` it says what is permitted; there is one permission of each pair."""
    subject: str
    what: str
    """The subject in words for people, as ``covers`` describes it."""
    covers: str
    defined_by: str
    """JSON of the files that define what the subject runs."""


class PermissionStore(Protocol):
    """The permissions that a person gave in one folder; raises StoreUnavailable."""

    async def permissions(self) -> list[Permission]:
        """Read the permissions that were not revoked, by number."""
        ...

    async def keep(self, permission: Permission) -> Permission:
        """Store and number a permission, replacing one of the same kind and subject."""
        ...

    async def remove(self, number: int) -> Permission:
        """Revoke a permission and return it; raises NotFound."""
        ...


@dataclass(frozen=True, slots=True)
class PinSharing:
    """Who has a pin: this machine alone, the owner's machines, or the team."""

    scope: MemoryScope = MemoryScope.PRIVATE
    author_name: str | None = None
    """The role of the colleague who shared it; none for the person's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacePin:
    """A text that is in every request of every session of the folder."""

    id: str
    at: str
    text: str
    number: int
    """Counted from 1, never reused in a folder."""
    sharing: PinSharing = PinSharing()
    """Who else has it."""


class PinStore(Protocol):
    """The pins of one folder.

    Every write is one transaction, durable when the call returns.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
    """

    async def pins(self) -> list[WorkspacePin]:
        """Read the pins that were not removed, by number."""
        ...

    async def add(
        self, pin_id: str, text: str, at: str, scope: MemoryScope = MemoryScope.PRIVATE
    ) -> WorkspacePin:
        """Store a pin and number it; raises InvalidInput if the id is taken."""
        ...

    async def remove(self, pin_id: str) -> None:
        """Remove a pin; raises NotFound."""
        ...

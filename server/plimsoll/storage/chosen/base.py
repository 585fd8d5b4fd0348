"""The ports to what a person chose for one folder: skills that are off, and what is allowed."""

from dataclasses import dataclass
from typing import Protocol


class SkillSwitches(Protocol):
    """The skills that a person has switched off in one folder; raises StoreUnavailable."""

    async def off(self) -> frozenset[str]:
        """Read the names of the skills that are off."""
        ...

    async def switch(self, name: str, at: str, *, on: bool) -> None:
        """Switch a skill on or off; durable when the call returns."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What a person allowed for good in a folder."""

    number: int = 0
    """From 1, never given twice in a folder."""
    at: str
    kind: str
    """With ``subject`` it says what is covered; there is one permission of each."""
    subject: str
    what: str
    """In words for people, as ``covers``."""
    covers: str
    defined_by: str
    """What decides what its subject runs, as JSON."""


class PermissionStore(Protocol):
    """What a person allowed for good in one folder; raises StoreUnavailable."""

    async def permissions(self) -> list[Permission]:
        """Read those that were not taken back, by number."""
        ...

    async def keep(self, permission: Permission) -> Permission:
        """Keep one and number it, in the place of another of its kind and subject."""
        ...

    async def remove(self, number: int) -> Permission:
        """Take one back, and return it; raises NotFound."""
        ...

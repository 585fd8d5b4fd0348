"""The named sets of settings, as they are shown to people and chosen by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValueShown:
    """A value that a profile sets, for people."""

    setting: str
    """The name as in a file: ``pruning.protect_turns``."""
    value: str
    why: str
    overridden: bool
    """The person has set another one, which holds."""


@dataclass(frozen=True, slots=True)
class ProfileShown:
    """A named set of settings, for people."""

    name: str
    purpose: str
    values: tuple[ProfileValueShown, ...]


class Profiles(Protocol):
    """The named sets of settings of this server."""

    @property
    def held(self) -> str:
        """The name of the profile that holds."""
        ...

    def list_profiles(self) -> Sequence[ProfileShown]:
        """List all profiles."""
        ...

    async def choose(self, name: str) -> None:
        """Make another profile hold until the server ends; raises SettingsInvalid."""
        ...

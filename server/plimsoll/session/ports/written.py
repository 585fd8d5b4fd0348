"""What people have written for agents, as the sessions of a folder know it: found on disk.

Skills, and custom commands and agents; each with its switch.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from plimsoll.storage.chosen.base import SkillSwitches
from plimsoll.tools.ports.written import (
    CustomFile,
    CustomFiles,
    CustomKind,
    FoundSkill,
    Skills,
    SkillText,
)


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """A skill, and whether the person lets it be used."""

    skill: FoundSkill
    enabled: bool


class KnownSkills:
    """Finds skills; ``known`` are those of the last look."""

    def __init__(
        self, skills: Skills, switches: SkillSwitches, trusted: Callable[[], bool]
    ) -> None:
        """``trusted``: tells whether the folder's skills count now."""
        self._skills = skills
        self._switches = switches
        self._trusted = trusted
        self.known: tuple[ListedSkill, ...] = ()

    async def look(self) -> tuple[ListedSkill, ...]:
        """Find the skills as they are now; without trust the person's own alone."""
        found = await asyncio.to_thread(self._skills.find, trusted=self._trusted())
        off = await self._switches.off() if found else frozenset[str]()
        self.known = tuple(ListedSkill(skill, skill.name not in off) for skill in found)
        return self.known

    async def switch(self, name: str, at: str, *, on: bool) -> None:
        """Keep a person's switch for the folder."""
        await self._switches.switch(name, at, on=on)

    async def read(self, skill: FoundSkill, file: str | None) -> SkillText:
        """Read a skill's text, or another file of it; raises ToolFailed."""
        return await asyncio.to_thread(self._skills.read, skill, file)


@dataclass(frozen=True, slots=True)
class ListedCustom:
    """A custom command or agent, and whether the person lets it be used."""

    file: CustomFile
    enabled: bool

    @property
    def usable(self) -> bool:
        """Whether it is on, and its file can be used."""
        return self.enabled and self.file.problem is None


class KnownCustom:
    """Finds custom commands and agents; ``known_agents`` are those of the last look."""

    def __init__(
        self, files: CustomFiles, switches: SkillSwitches, trusted: Callable[[], bool]
    ) -> None:
        """``trusted``: tells whether the folder's files count now."""
        self._files = files
        self._switches = switches
        self._trusted = trusted
        self.known_agents: tuple[ListedCustom, ...] = ()

    async def commands(self) -> tuple[ListedCustom, ...]:
        """Find the commands as they are now; without trust the person's own alone."""
        return await self._find("command")

    async def agents(self) -> tuple[ListedCustom, ...]:
        """Find the agents as they are now; without trust the person's own alone."""
        self.known_agents = await self._find("agent")
        return self.known_agents

    async def switch(self, kind: CustomKind, name: str, at: str, *, on: bool) -> None:
        """Keep a person's switch for the folder."""
        await self._switches.switch(_key(kind, name), at, on=on)

    async def _find(self, kind: CustomKind) -> tuple[ListedCustom, ...]:
        found = await asyncio.to_thread(self._files.find, kind, trusted=self._trusted())
        off = await self._switches.off() if found else frozenset[str]()
        return tuple(ListedCustom(file, _key(kind, file.name) not in off) for file in found)


def _key(kind: CustomKind, name: str) -> str:
    """Return the name under which a switch is kept; no skill has a colon in its name."""
    return f"{kind}:{name}"

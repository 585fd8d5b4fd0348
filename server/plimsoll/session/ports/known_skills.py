"""The skills that the sessions of a folder know: found on disk, each with its switch."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from plimsoll.storage.chosen.base import SkillSwitches
from plimsoll.tools.ports.skills import FoundSkill, Skills, SkillText


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

"""The port to skills: folders with a ``SKILL.md``, of the workspace and of the person."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

SkillSource = Literal["person", "folder"]
"""Whose skill it is: the person's own, or one that the workspace brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSkill:
    """A skill on disk."""

    name: str
    description: str
    source: SkillSource
    folder: Path
    """The real path of its folder."""
    asks_for_tools: bool = False
    """It names tools that shall be allowed, which has no effect."""


@dataclass(frozen=True, slots=True)
class SkillText:
    """The text of a skill, or of a file of it, as it was read."""

    text: str
    path: Path
    version: str
    """The SHA-256 of the file's text."""
    others: tuple[str, ...]
    """The other files of the skill, by their paths below it."""


class Skills(Protocol):
    """Finds and reads the skills of one workspace, and of the person."""

    def find(self, *, trusted: bool) -> Sequence[FoundSkill]:
        """Find all skills, those of the workspace only if trusted. Blocks."""
        ...

    def read(self, skill: FoundSkill, file: str | None) -> SkillText:
        """Read a skill's text, or another file of it. Blocks; raises ToolFailed."""
        ...


class SkillReader(Protocol):
    """The session's gate to skills: which may be used in it."""

    async def read_skill(self, name: str, file: str | None) -> str:
        """Return a skill's text, or that of a file of it; raises ToolFailed."""
        ...

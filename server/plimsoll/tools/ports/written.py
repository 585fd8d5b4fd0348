"""The ports to what people have written for agents: skills, and custom commands and agents.

Skills are folders with a ``SKILL.md``, the others Markdown files; each is the workspace's or the
person's own.
"""

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


CustomKind = Literal["command", "agent"]
"""A prompt that a person sends by its name, or another agent that the model may call."""
CustomSource = Literal["person", "folder"]
"""Whose file it is: the person's own, or one that the workspace brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomFile:
    """A custom command or agent, as its file has it."""

    kind: CustomKind
    name: str
    """``name``, or ``folder:name`` of a command in a folder."""
    source: CustomSource
    path: Path
    """The file's real path."""
    shown: str
    """The file's path for people, below the workspace or the home folder."""
    description: str = ""
    hint: str = ""
    """Its arguments, in words for people."""
    text: str = ""
    """What stands behind the front matter."""
    version: str = ""
    """The SHA-256 of the file's text."""
    models: tuple[str, ...] = ()
    """The models that it asks for, the first one that is known counts."""
    tools: tuple[str, ...] | None = None
    """The names of the tools that it wants; None: it names none."""
    without: tuple[str, ...] = ()
    """The names of the tools that it wants not."""
    problem: str | None = None
    """Why it cannot be used, in words that follow the file's name."""


class CustomFiles(Protocol):
    """Finds the custom commands and agents of one workspace, and of the person."""

    def find(self, kind: CustomKind, *, trusted: bool) -> Sequence[CustomFile]:
        """Find all of a kind, those of the workspace only if trusted. Blocks."""
        ...

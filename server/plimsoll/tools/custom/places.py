"""Where custom commands and agents are: in a workspace, in a person's home, beside the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.ports.written import CustomKind, CustomSource


@dataclass(frozen=True, slots=True)
class CustomFolder:
    """A folder of such files, below a workspace or a home."""

    folder: str
    ending: str = ".md"
    nested: bool = False
    """Whether folders in it count, as the first part of a name."""


SHARED: Mapping[CustomKind, Sequence[CustomFolder]] = {
    "command": (
        CustomFolder(".agents/commands", nested=True),
        CustomFolder(".claude/commands", nested=True),
    ),
    "agent": (CustomFolder(".agents/agents"), CustomFolder(".claude/agents")),
}
"""In a workspace and in a home alike."""
WORKSPACE: Mapping[CustomKind, Sequence[CustomFolder]] = {
    "command": (*SHARED["command"], CustomFolder(".github/prompts", ".prompt.md")),
    "agent": (*SHARED["agent"], CustomFolder(".github/agents", ".agent.md")),
}
SETTINGS: Mapping[CustomKind, CustomFolder] = {
    "command": CustomFolder("commands", nested=True),
    "agent": CustomFolder("agents"),
}
"""Beside the person's settings."""


@dataclass(frozen=True, slots=True)
class CustomPlace:
    """A folder that is searched for such files, and whose it is."""

    kept: CustomFolder
    base: Path
    source: CustomSource

    @property
    def folder(self) -> Path:
        """The path of the folder, links not resolved."""
        return self.base / self.kept.folder

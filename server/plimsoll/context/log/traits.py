"""What a tool is, as far as reductions, digests and titles ask: the core knows no tool by name.

The traits stand with the tool. They are no part of a stored log, which names the tool and no more:
whoever folds a log hands in the traits of the tools that there are, so old logs gain what is known
today. What a reduction made of them is an ``Edited`` entry, so the view is a fold of entries alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ToolKind = Literal["read", "edit", "search", "execute", "fetch", "memory", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTraits:
    """What a tool is; of one that is not known nothing is assumed."""

    kind: ToolKind = "other"
    verb: str = ""
    """What it does, for people: ``Search for``."""
    subject: str = ""
    """The argument that says what a call is about."""
    reads: bool = False
    """Its result is the text of the file that the call names."""
    edits: bool = False
    """It changes the file that the call names."""
    runs: bool = False
    """It runs the command that the call names, and the result reports an exit code."""
    repeatable: bool = False
    """Its result quotes the files that the call names: reading them again brings it back."""
    remembers: bool = False
    """It keeps a memory, and its answer says no more than what became of it."""
    recalls: bool = False
    """It repeats what was said before."""
    delegates: bool = False
    """It lets another agent work; such calls of one answer run side by side."""
    weight: int | None = None
    """Points for pruning: how early its old results give way; none: as those of unknown tools."""


UNKNOWN = ToolTraits()
Tools = Mapping[str, ToolTraits]
"""The traits of the tools that there are, by name."""
NONE: Tools = {}

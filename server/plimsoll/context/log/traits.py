"""The traits of tools, by which reductions, digests and titles treat them without knowing names.

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
    """What a tool does; the default assumes nothing."""

    kind: ToolKind = "other"
    verb: str = ""
    """What it does, as a verb for people: ``Search for``."""
    subject: str = ""
    """The name of the argument that a call is about."""
    reads: bool = False
    """Whether its result is the text of the file that the call names."""
    edits: bool = False
    """Whether it changes the file that the call names."""
    runs: bool = False
    """Whether it runs the command that the call names and reports an exit code."""
    repeatable: bool = False
    """Whether its result quotes files that are named in the call, so that reading them restores
    it."""
    remembers: bool = False
    """Whether it stores a memory, and its result only confirms that."""
    recalls: bool = False
    """Whether its result repeats what was said before."""
    delegates: bool = False
    """Whether it runs a subagent; such calls of one answer run side by side."""
    weight: int | None = None
    """Points for pruning: more means earlier; none: as for unknown tools."""


UNKNOWN = ToolTraits()
Tools = Mapping[str, ToolTraits]
"""The traits of the available tools by name."""
NONE: Tools = {}

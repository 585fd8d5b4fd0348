"""What the sessions of a folder may do and use, as the settings have it."""

from dataclasses import dataclass, field
from typing import Literal

from plimsoll.memory.injection import InjectionLimits
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits
from plimsoll.tools.ports.hooks import Hook

ReadBy = Literal["model", "phrases", "off"]
"""Who reads what was said for memories: the utility model, set phrases alone, or nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRules:
    """The settings of memory and recall: how much sessions inject, extract and keep."""

    enabled: bool = True
    recall: int = 3
    """Fragments of earlier sessions for a new one; 0: nothing is recalled or kept for it."""
    injection: InjectionLimits = field(default_factory=InjectionLimits)
    consolidation: ConsolidationLimits = field(default_factory=ConsolidationLimits)
    extraction: ReadBy = "model"
    quiet_seconds: float = 20
    """Without a word from the person, before a model is asked what is to be remembered."""


@dataclass(frozen=True, slots=True)
class SpendLimit:
    """How much a turn, or a session, may spend before a person is asked."""

    scope: Literal["turn", "session"]
    unit: Literal["tokens", "money"]
    most: float
    """Tokens, or US dollars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRules:
    """The settings that bind the sessions of a folder: limits, memory, sandbox use."""

    memory: MemoryRules = field(default_factory=MemoryRules)
    steps: int = 200
    """Model requests of a turn before a person is asked to go on."""
    spending: tuple[SpendLimit, ...] = ()
    confined_unasked: bool = False
    """The person lets commands run unasked that a sandbox confines."""
    registries_unasked: bool = False
    """And also those of them that reach package registries."""
    agent_model: str | None = None
    """The model of subagents, ``provider/name``; none: that of their caller."""
    named_models: tuple[str, ...] = ()
    """The models that the settings name, which a custom agent may ask for."""
    agent_steps: int = 60
    """Model requests of a subagent, at the most."""
    hooks: tuple[Hook, ...] = ()
    """The person's own programs, in the order in which they run."""

"""The settings of the pipeline: marks, and a section for each stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from plimsoll.context.budget import BudgetSettings


@dataclass(frozen=True, slots=True)
class TruncationSettings:
    """Limits above which an output is truncated."""

    max_lines: int = 2_000
    max_bytes: int = 50_000
    keep_days: int = 7
    """How many days the file with the whole output is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSettings:
    """When and how the old part of a conversation is replaced by a summary."""

    auto: bool = True
    at_mark: Literal["model", "digest"] = "model"
    threshold: float = 0.85
    idle_threshold: float = 0.60
    idle_seconds: int = 240
    keep_turns: int = 3
    keep_messages: int = 0
    keep_fraction: float = 0.20
    """The share of effective that is kept; the largest of the three limits applies."""
    keep_user_tokens: int = 20_000
    max_failures: int = 3
    prompt: str = ""
    """A custom prompt; empty for the built-in one."""
    guidance: str = ""
    """What a person wants of every summary, appended to the prompt."""


@dataclass(frozen=True, slots=True)
class PinSettings:
    """Limits of pins."""

    max_tokens: int = 4_000
    """The tokens that all pins together may have."""


def own_weights() -> dict[str, int]:
    """Return the default pruning weights by tool name; ``unknown`` is for unknown tools."""
    return {"unknown": 50}


@dataclass(frozen=True, slots=True)
class ReferSettings:
    """Whether a result that is already in view enters as a pointer."""

    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningSettings:
    """When old tool results are replaced by one-line notes, and which ones first."""

    enabled: bool = True
    protect_turns: int = 2
    """How many turns before the current one keep their results below the compact mark; 0 protects
    no turn."""
    protect_tokens: int = 40_000
    """The tokens of newest tool output that are kept below the blocking mark, at most 36 % of
    effective."""
    min_savings_tokens: int = 20_000
    """The tokens that a prune must free, at full scale."""
    reference_points: int = 15
    """Subtracted from the weight for each later reference to the result."""
    decision_points: int = 10
    """Subtracted from the weight if the assistant announced a decision by the result."""
    weights: Mapping[str, int] = field(default_factory=own_weights)


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """Prices of a provider's prompt cache, relative to plain input tokens."""

    price_read: float = 0.1
    price_write: float = 1.25
    cache_seconds: int = 300
    """Seconds for which the provider keeps an unused prefix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineSettings:
    """Every setting of the pipeline."""

    budget: BudgetSettings = field(default_factory=BudgetSettings)
    truncation: TruncationSettings = field(default_factory=TruncationSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    pins: PinSettings = field(default_factory=PinSettings)
    refer: ReferSettings = field(default_factory=ReferSettings)
    pruning: PruningSettings = field(default_factory=PruningSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)

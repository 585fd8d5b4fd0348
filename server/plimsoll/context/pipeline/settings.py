"""Every setting of the pipeline: marks, and the sections of its stages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from plimsoll.context.budget import BudgetSettings


@dataclass(frozen=True, slots=True)
class TruncationSettings:
    """The limits of an output."""

    max_lines: int = 2_000
    max_bytes: int = 50_000
    keep_days: int = 7
    """How long the whole output stays in a file that the model can grep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSettings:
    """When and how the old part of a conversation gives way to a summary."""

    auto: bool = True
    at_mark: Literal["model", "digest"] = "model"
    threshold: float = 0.85
    idle_threshold: float = 0.60
    idle_seconds: int = 240
    keep_turns: int = 3
    keep_messages: int = 0
    keep_fraction: float = 0.20
    """The share of effective that is kept; the largest of the three stays."""
    keep_user_tokens: int = 20_000
    max_failures: int = 3
    prompt: str = ""
    """An own text instead of the built-in one; empty: the built-in one."""
    guidance: str = ""
    """What a person wants of every summary, beside the text that asks for it."""


@dataclass(frozen=True, slots=True)
class PinSettings:
    """The limits of pins."""

    max_tokens: int = 4_000
    """The tokens that all pins may have together."""


def own_weights() -> dict[str, int]:
    """Points by tool where they are not those of its traits; ``unknown``: of a tool without."""
    return {"unknown": 50}


@dataclass(frozen=True, slots=True)
class ReferSettings:
    """Whether a result that already stands in view enters as a pointer to it."""

    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningSettings:
    """When old tool results give way to one-line notes, and which ones first."""

    enabled: bool = True
    protect_turns: int = 2
    """The turns before the current one whose results stay below the compact mark, those of the
    current one too; 0: turns protect nothing."""
    protect_tokens: int = 40_000
    """The tokens of the newest tool output that stay below the blocking mark, or 36 % of effective
    where that is less."""
    min_savings_tokens: int = 20_000
    """The tokens that a prune must free, at full scale: less is not worth a rewritten prefix."""
    reference_points: int = 15
    """Taken from the weight for each later reference to the result."""
    decision_points: int = 10
    """Taken from the weight when the assistant decided by the result."""
    weights: Mapping[str, int] = field(default_factory=own_weights)


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """What a provider's prompt cache costs, in plain input tokens."""

    price_read: float = 0.1
    price_write: float = 1.25
    cache_seconds: int = 300
    """Seconds for which the provider keeps a prefix that no request uses again."""


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

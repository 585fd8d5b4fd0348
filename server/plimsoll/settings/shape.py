"""Every knob with its default; frozen, so that whoever reads one may keep it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from plimsoll.context.budget import BudgetSettings
from plimsoll.context.stages.pipeline import (
    CacheSettings,
    CompactionSettings,
    PinSettings,
    PipelineSettings,
    PruningSettings,
    ReferSettings,
)
from plimsoll.context.stages.truncate import TruncationSettings

DEFAULT_NAMES = {"embedded": "search", "scripted": "echo"}
"""Models of the providers that need no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Which model answers, where it is, and what its tokens cost."""

    provider: str = "embedded"
    name: str = ""
    """Empty: the provider's own default, where it has one."""
    base_url: str | None = None
    """Up to and with the version; none: the vendor's own."""
    api_key_env: str | None = None
    """The environment variable that holds the key; none: the vendor's usual one."""
    context_window: int | None = None
    """Tokens; none: what is known of the model."""
    price_read: float = 0.1
    """Of a token read from the provider's cache, as a fraction of a plain input token."""
    price_write: float = 1.25
    """Of a token written to the provider's cache, in plain input tokens."""
    cache_seconds: int = 300
    """How long the provider keeps a prefix that nobody asks for again."""

    @property
    def id(self) -> str:
        """``provider/name``."""
        return f"{self.provider}/{self.name or DEFAULT_NAMES.get(self.provider, '')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """What of earlier conversations enters a new one, and how long it is kept."""

    enabled: bool = True
    inject_limit: int = 6
    inject_tokens: int = 4_000
    working_limit: int = 5
    summary_limit: int = 3
    recall_limit: int = 3
    working_days: int = 14
    summaries_kept: int = 10
    index_lines: int = 200
    index_bytes: int = 25_000
    extraction: Literal["model", "phrases", "off"] = "model"
    """Who reads conversations for memories: the utility model, set phrases alone, or nobody."""
    extraction_seconds: int = 20
    """Of quiet, before a model is asked what is to be remembered."""


@dataclass(frozen=True, slots=True)
class PermissionSettings:
    """How long a question waits for its answer."""

    timeout_seconds: int = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every knob, with the values of all sources merged."""

    model: ModelSettings = field(default_factory=ModelSettings)
    utility_model: ModelSettings = field(default_factory=ModelSettings)
    """Writes summaries; what it does not set is as in ``model``."""
    budget: BudgetSettings = field(default_factory=BudgetSettings)
    """Its ``compact_at`` always is ``compaction.threshold``."""
    truncation: TruncationSettings = field(default_factory=TruncationSettings)
    refer: ReferSettings = field(default_factory=ReferSettings)
    pruning: PruningSettings = field(default_factory=PruningSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    permission: PermissionSettings = field(default_factory=PermissionSettings)
    pins: PinSettings = field(default_factory=PinSettings)
    models: "Mapping[str, Settings]" = field(default_factory=dict["str", "Settings"])
    """By ``provider/name``: the whole settings of each model that has some of its own."""

    @property
    def settings(self) -> PipelineSettings:
        """What the pipeline reads."""
        cache = CacheSettings(
            self.model.price_read, self.model.price_write, self.model.cache_seconds
        )
        return PipelineSettings(
            budget=self.budget,
            truncation=self.truncation,
            compaction=self.compaction,
            pins=self.pins,
            refer=self.refer,
            pruning=self.pruning,
            cache=cache,
        )

    def of(self, model: str) -> "Settings":
        """Return the settings that hold for a model, ``model`` being the model itself."""
        if model in self.models:
            return self.models[model]
        provider, _, name = model.partition("/")
        return replace(self, model=self.model_of(provider, name))

    def model_of(self, provider: str, name: str) -> ModelSettings:
        """Find how a model is reached: as a configured one of that name, else of that provider.

        Address and key of one provider never pass to another, the window never to another model.
        """
        same = [m for m in (self.model, self.utility_model) if m.provider == provider]
        exact = next((m for m in same if m.id == f"{provider}/{name}"), None)
        if exact is not None:
            return exact
        if same:
            return replace(same[0], name=name, context_window=None)
        return ModelSettings(provider=provider, name=name)

"""Every setting with its default; frozen, so that whoever reads one may keep it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from plimsoll.context.budget import BudgetSettings
from plimsoll.context.pipeline.settings import (
    CacheSettings,
    CompactionSettings,
    PinSettings,
    PipelineSettings,
    PruningSettings,
    ReferSettings,
    TruncationSettings,
)
from plimsoll.settings.hooks import HookSettings
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.profiles import DEFAULT_PROFILE

DEFAULT_NAMES = {"embedded": "search", "scripted": "echo"}
"""The model's name for providers whose model need not be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """A model: its provider and name, its address, and what its tokens cost."""

    provider: str = "embedded"
    name: str = ""
    """The model's name; empty: the provider's own default, where it has one."""
    base_url: str | None = None
    """The address of the API, with the version in it; none: the vendor's own."""
    api_key_env: str | None = None
    """The environment variable that holds the key; none: the vendor's usual one."""
    api_key_keyring: bool = False
    """Whether the key is in the system's keyring, where ``plimsoll connect`` keeps it."""
    context_window: int | None = None
    """The window in tokens; none: the size that is known for the model."""
    first_token_seconds: int | None = None
    """The longest wait for the first token of an answer; none: by the address. 0: no limit."""
    idle_seconds: int = 120
    """The longest silence within an answer; 0: no limit."""
    answer_seconds: int = 1_800
    """The longest answer, from its first token on; 0: no limit."""
    price_read: float = 0.1
    """The price of a token read from the provider's cache, in plain input tokens."""
    price_write: float = 1.25
    """The price of a token written to the provider's cache, in plain input tokens."""
    price_write_hour: float = 2.0
    """The same for a cache that keeps a prefix for an hour."""
    cache_seconds: int = 300
    """Seconds for which the provider keeps a prefix that no request uses again."""

    @property
    def cache_hour(self) -> bool:
        """Whether the provider's cache is asked to keep a prefix for an hour, at a higher price."""
        return self.cache_seconds >= 3_600

    @property
    def id(self) -> str:
        """The model's id, ``provider/name``."""
        return f"{self.provider}/{self.name or DEFAULT_NAMES.get(self.provider, '')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """Limits of memory: how much enters a new conversation, and how long it is kept."""

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
    """The reader of conversations for memories: the utility model, set phrases alone, or nobody."""
    extraction_seconds: int = 20
    """Seconds of quiet before a model is asked what is to be remembered."""


@dataclass(frozen=True, slots=True)
class PermissionSettings:
    """Questions to the person: how long they wait, and what is not asked about."""

    timeout_seconds: int = 300
    confined_commands: bool = False
    """Whether a command runs unasked where a sandbox keeps it in the folder, without network."""
    confined_registries: bool = False
    """Whether it then runs unasked too where it reaches package registries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """What confined commands may use besides the folder; only the person may set it."""

    readable: tuple[str, ...] = ()
    """Folders that they may read."""
    writable: tuple[str, ...] = ()
    """Folders that they may change."""
    network: bool | Literal["registries"] = False
    """Whether they may always use the network, or package registries alone."""
    registries: tuple[str, ...] = ()
    """Hosts of further registries."""
    unix_sockets: bool = False
    """Whether they may use Unix sockets; then each is asked about."""


@dataclass(frozen=True, slots=True)
class ShellSettings:
    """How commands are started; only the person may set it."""

    environment: tuple[str, ...] = ()
    """Variables that they get though programs run or load what these say."""


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """How far a turn may go by itself."""

    max_steps: int = 200
    """Model requests of one turn; then it stops and the person is asked to go on."""
    spend_limit_tokens: int = 0
    """Tokens, in and out, before a person is asked; 0: no limit."""
    spend_limit_money: float = 0.0
    """US dollars before a person is asked, where the prices are known; 0: no limit."""


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """How much a session may spend before a person is asked, as for a turn."""

    spend_limit_tokens: int = 0
    spend_limit_money: float = 0.0


@dataclass(frozen=True, slots=True)
class TelemetrySettings:
    """Where spans are sent to, without any text; only the person may set it."""

    otlp_endpoint: str | None = None
    """The address that spans go to by OpenTelemetry's protocol; none: to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSettings:
    """The proxy and certificates on the way to models; only the person may set them."""

    ca_file: str | None = None
    """A file of certificates (PEM) that are trusted besides the system's."""
    proxy: str | None = None
    """The proxy that leads to every address but those of this machine, without a password."""
    proxy_password_env: str | None = None
    """The environment variable that holds the proxy's password."""
    proxy_password_keyring: bool = False
    """Whether the proxy's password is in the system's keyring."""
    proxy_from_environment: bool = True
    """Whether HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are followed."""
    proxy_loopback: bool = False
    """Whether ``proxy`` leads to addresses of this machine too."""
    no_proxy: tuple[str, ...] = ()
    """Hosts that are reached without a proxy."""
    verify_proxy: bool = True
    """Whether the certificate of an https proxy itself is checked."""


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """What is shared with a team, and where; only the person may set it."""

    url: str | None = None
    """The address of the team's server, without a password, where joining names none."""
    project: str | None = None
    """The shared project, where joining names none and the folder suggests none."""
    accept: Literal["ask", "known", "all"] = "known"
    """Whose memories take effect without waiting in the inbox: nobody's, accepted colleagues', or
    everyone's."""
    sessions: bool = False
    """Whether one's own sessions travel between one's machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Pages and searches of the web; only the person may set it."""

    fetch: bool = False
    """Whether the agent may ask to fetch pages."""
    allow_hosts: tuple[str, ...] = ()
    """Hosts whose pages are fetched though their addresses are private."""
    proxy_resolves: bool = False
    """Whether a proxy is given the names of hosts, so that their addresses are not checked."""
    search_url: str | None = None
    """The address of a search service; none: the agent cannot search the web."""
    search_key_env: str | None = None
    """The environment variable that holds the key of the search service."""


@dataclass(frozen=True, slots=True)
class SubagentSettings:
    """Agents that the agent calls."""

    model: str = ""
    """The model that answers them, ``provider/name``; empty: that of whoever calls them."""
    max_steps: int = 60
    """Model requests of one subagent; then it stops and its caller is told so."""


@dataclass(frozen=True, slots=True)
class NotificationSettings:
    """When a person who looks elsewhere is notified."""

    long_turn_seconds: int = 30
    """Seconds of a turn whose end is told; 0: none is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, merged from all sources."""

    profile: str = DEFAULT_PROFILE
    """The named set of values that stands below what a person sets."""
    given: Mapping[tuple[str, ...], object] = field(
        default_factory=dict[tuple[str, ...], object], repr=False, compare=False
    )
    """What the sources set, by path."""
    model: ModelSettings = field(default_factory=ModelSettings)
    utility_model: ModelSettings = field(default_factory=ModelSettings)
    """The model that writes summaries; fields that are not set are as in ``model``."""
    budget: BudgetSettings = field(default_factory=BudgetSettings)
    """The marks of the load line; ``compact_at`` is always ``compaction.threshold``."""
    truncation: TruncationSettings = field(default_factory=TruncationSettings)
    refer: ReferSettings = field(default_factory=ReferSettings)
    pruning: PruningSettings = field(default_factory=PruningSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    permission: PermissionSettings = field(default_factory=PermissionSettings)
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    shell: ShellSettings = field(default_factory=ShellSettings)
    turn: TurnSettings = field(default_factory=TurnSettings)
    session: SessionSettings = field(default_factory=SessionSettings)
    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    team: TeamSettings = field(default_factory=TeamSettings)
    web: WebSettings = field(default_factory=WebSettings)
    hooks: HookSettings = field(default_factory=HookSettings)
    subagent: SubagentSettings = field(default_factory=SubagentSettings)
    pins: PinSettings = field(default_factory=PinSettings)
    notifications: NotificationSettings = field(default_factory=NotificationSettings)
    mcp: Mapping[str, McpSettings] = field(default_factory=dict[str, McpSettings])
    """The MCP servers of the person, by name."""
    models: "Mapping[str, Settings]" = field(default_factory=dict["str", "Settings"])
    """All settings for each model that has some of its own, by ``provider/name``."""

    @property
    def settings(self) -> PipelineSettings:
        """The settings that the pipeline reads."""
        model = self.model
        price_write = model.price_write_hour if model.cache_hour else model.price_write
        cache = CacheSettings(model.price_read, price_write, model.cache_seconds)
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
        """Return the settings for a model, those of its own table included."""
        if model in self.models:
            return self.models[model]
        provider, _, name = model.partition("/")
        return replace(self, model=self.model_of(provider, name))

    def at(self, model: str, reached: ModelSettings) -> "Settings":
        """Return the settings for a model whose id names its address.

        ``reached``: its address and key; the table of the model, if any, sets all else.
        """
        own = self.models.get(model)
        if own is None:
            return replace(self, model=reached)
        there = replace(
            own.model,
            provider=reached.provider,
            name=reached.name,
            base_url=reached.base_url,
            api_key_env=own.model.api_key_env or reached.api_key_env,
            api_key_keyring=own.model.api_key_keyring or reached.api_key_keyring,
        )
        return replace(own, model=there)

    def model_of(self, provider: str, name: str) -> ModelSettings:
        """Return a model's address and key: those set for its name, else for its provider.

        Address and key of one provider never pass to another, the window never to another model.
        """
        same = [m for m in (self.model, self.utility_model) if m.provider == provider]
        exact = next((m for m in same if m.id == f"{provider}/{name}"), None)
        if exact is not None:
            return exact
        if same:
            return replace(same[0], name=name, context_window=None)
        return ModelSettings(provider=provider, name=name)

"""What the sessions of one folder share: the clock, and their ports to the rest of the world."""

import itertools
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Protocol

from plimsoll.context.budget import Basis, Budget, WindowSource
from plimsoll.context.log.call_end import RejectedBy
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import Tools
from plimsoll.context.stages.pipeline import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.memory.consolidation import ConsolidationLimits
from plimsoll.memory.injection import InjectionLimits
from plimsoll.memory.service import Memories
from plimsoll.providers.base import Provider, ServedWindow
from plimsoll.redaction.secrets import Secrets, StreamRedactor
from plimsoll.session.log.readings import Readings, not_kept
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.session.ports.agent import Machine
from plimsoll.session.ports.events import CallShown, Listener
from plimsoll.session.ports.foreign import FOREIGN_TOOLS
from plimsoll.session.ports.known_skills import KnownSkills
from plimsoll.session.ports.models import ModelOffers, nothing_offered
from plimsoll.session.ports.profiles import Profiles
from plimsoll.storage.base import ProjectStore, Redactor, SessionRecord
from plimsoll.telemetry.base import NoTracer, Tracer
from plimsoll.tokens.correction import EXACT, Correction, RawCount
from plimsoll.tokens.counter import Counter
from plimsoll.tools.base import (
    AnyTool,
    AttachmentReader,
    Blobs,
    CallContext,
    Commands,
    FileRestorer,
    Reader,
    Spill,
)


class Clock(Protocol):
    """The port to ids and times."""

    def new_id(self, prefix: str) -> str:
        """Return an id that was never given before."""
        ...

    def now(self) -> str:
        """Return the time as RFC 3339 in UTC."""
        ...

    def today(self) -> str:
        """Return the date where the person is, such as ``2026-11-24``."""
        ...

    def seconds(self) -> float:
        """Return seconds on a clock that never goes back."""
        ...


def rfc3339(moment: datetime) -> str:
    """Write a time in UTC, with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class SystemClock:
    """Makes random ids and reads the system's clock."""

    def new_id(self, prefix: str) -> str:
        """Return the prefix with 64 random bits."""
        return f"{prefix}{secrets.token_hex(8)}"

    def now(self) -> str:
        """Return the time with milliseconds."""
        return rfc3339(datetime.now(UTC))

    def today(self) -> str:
        """Return the date in the system's time zone."""
        return datetime.now().astimezone().date().isoformat()

    def seconds(self) -> float:
        """Return the monotonic clock."""
        return time.monotonic()


class CountedClock:
    """Makes counted ids; its clock stands still. For replays and tests."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def new_id(self, prefix: str) -> str:
        """Return the prefix with the next number."""
        return f"{prefix}{next(self._numbers)}"

    def now(self) -> str:
        """Return always the same time."""
        return "2000-01-01T00:00:00.000Z"

    def today(self) -> str:
        """Return always the same day."""
        return "2000-01-01"

    def seconds(self) -> float:
        """Return always the same second."""
        return 0.0


Mode = Literal["edit", "plan", "ask"]
MODES: Mapping[str, Mode] = {"edit": "edit", "plan": "plan", "ask": "ask"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that a session talks to."""

    id: str
    """``provider/name``."""
    name: str
    """The name by which the provider knows it."""
    provider: Provider
    budget: Budget
    settings: PipelineSettings
    ledger: Ledger
    basis: Basis
    margin: Callable[[int], int]
    """By how many tokens a count may be wrong."""
    raw: Callable[[str], RawCount]
    """Counts a text by kind, without the correction."""
    counter: Counter | None = None
    """Counts with the model's vocabulary; what it has counted of a log can be kept beside it."""
    correction: Correction = EXACT
    """What the provider's reports have taught about our count."""
    sees_images: bool | None = None
    """Whether it takes images; none: nobody knows."""
    window_source: WindowSource = "setting"
    set_window: int | None = None
    """The window as it is set; none where nobody has set one."""
    address: str = ""
    """Scheme, host and port of its server; empty: it has none."""
    local: bool = False
    """Whether that server is on this machine, where it may answer one request at a time."""


class Models(Protocol):
    """Opens models by name.

    Raises:
        ProviderModel: There is no such provider or model.
    """

    @property
    def default(self) -> str:
        """The model that the settings name, ``provider/name``."""
        ...

    async def open(self, model: str) -> Model:
        """Open a model, ready to count and to be asked."""
        ...

    def address(self, model: str) -> ModelAddress:
        """Tell where requests to a model go as it is set now."""
        ...

    def utility_of(self, model: str) -> str:
        """Name the model that writes summaries for a session with this one."""
        ...

    def corrected(self, model: Model, correction: Correction) -> Model:
        """Return the model with another correction of its counts, or the same if they are exact."""
        ...

    def sized(self, model: Model, window: int, source: WindowSource) -> Model:
        """Return the model with another window, which it has from now on whoever opens it."""
        ...

    async def served(self, model: Model, *, keyed: bool = False) -> ServedWindow | None:
        """Ask the model's server how large the window is; none where it was or could not be asked.

        ``keyed``: not without a key, but on this machine.
        """
        ...

    def as_set(self, model: Model) -> Model:
        """Return an open model with the marks and stages that are set now; its window stays."""
        ...

    async def utility_for(self, model: str) -> Model:
        """Return the model that writes summaries for a session with this one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An answer to the question whether a call may run."""

    allowed: bool
    for_session: bool = False
    wider: bool = False
    """For the session, it covers all that the call's wider approval names."""
    always: int | None = None
    """It covers for good what the call offers at this place; none: nothing."""
    reason: str | None = None
    edited: str | None = None
    """What was proposed, as the person changed it before they took it."""
    kept: tuple[str, ...] | None = None
    """Of files that a command made, those that the person keeps, by their names; none: all."""
    kept_hunks: tuple[int, ...] | None = None
    """Of the hunks of a change, those that the person keeps; none: all."""
    by: RejectedBy | Literal["rule"] = "person"
    """``rule``: nobody was asked, a rule that a person has set decided."""


class Asker(Protocol):
    """Asks the person at the editor."""

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Ask for a decision; no answer in time, or nobody who can be asked, is a rejection."""
        ...


ReadBy = Literal["model", "phrases", "off"]
"""Who reads what was said for memories: the utility model, set phrases alone, or nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRules:
    """What sessions use of earlier ones, and what later ones are told of them."""

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
    """What the sessions of a folder may do, as the settings have it."""

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
    agent_steps: int = 60
    """Model requests of a subagent, at the most."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that some requests took; ``input`` includes ``cached``."""

    input: int
    cached: int
    output: int


CostOf = Callable[[str, Tokens], float | None]
"""Tells what tokens of a model, ``provider/name``, cost in US dollars; none: it is not known."""


def _no_price(_model: str, _tokens: Tokens) -> float | None:
    return None


def _nothing_secret() -> StreamRedactor:
    return StreamRedactor(Secrets({}))


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last change of a file by a tool."""

    session: str
    title: str
    """The title of the session."""
    version: str
    """The version in which it left the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The surroundings of a session."""

    workspace: str
    """URI of the folder, as the client gave it."""
    machine: Machine
    store: ProjectStore
    clock: Clock
    redact: Redactor
    open_stream: Callable[[], StreamRedactor] = _nothing_secret
    """Makes what takes the secrets out of one text that comes in pieces."""
    models: Models
    tools: Mapping[str, AnyTool]
    """The tools by name, in the order of the schemas."""
    brief_schemas: tuple[ToolSchema, ...] = ()
    """The tools that small windows are offered, with fewer words; none: all, as they are."""
    commands: Commands
    """The commands that tools have started."""
    call_context: CallContext
    spill: Callable[[str], Spill]
    blobs: Callable[[str], Blobs]
    """The texts of files that are kept with a session."""
    readings: Callable[[str], Readings] = not_kept
    """Where what was counted and read of a session's log is kept."""
    restorer: FileRestorer
    """Puts files back as they were."""
    asker: Asker
    listener: Listener
    trusted: Callable[[], bool]
    """Tells whether the person trusts the folder now."""
    memories: Memories
    rules: Callable[[], SessionRules] = SessionRules
    """The rules as the settings have them now."""
    cost_of: CostOf = _no_price
    profiles: Profiles
    offers: Callable[[], Awaitable[ModelOffers]] = nothing_offered
    """Lists the models that a session can be answered by; asks their addresses."""
    skills: KnownSkills
    """The skills of the folder and of the person, as far as they may be used."""
    read_attachment: AttachmentReader
    """Reads the files that a person attaches."""
    last_edits: dict[Path, LastEdit] = field(default_factory=dict[Path, LastEdit])
    """Which session changed each file last; the sessions of the folder share it."""
    read_text: Reader
    """Reads files of the folder for the server's own use."""
    tracer: Tracer = field(default_factory=NoTracer)

    @property
    def traits(self) -> Tools:
        """What is known of the tools that logs name: ours, and those that only imports use."""
        return traits_of(self.tools)

    @property
    def root(self) -> Path:
        """The folder's real path."""
        return self.call_context.root

    def redacted(self, record: SessionRecord) -> SessionRecord:
        """Take what is known as a secret by now out of what people gave of a session."""
        title, preview = self.redact(record.title), self.redact(record.preview)
        return replace(record, title=title, preview=preview, model=self.redact(record.model))


def traits_of(tools: Mapping[str, AnyTool]) -> Tools:
    """Return what is known of the tools that logs name: ours, and those that only imports use."""
    return {**FOREIGN_TOOLS, **{name: tool.traits for name, tool in tools.items()}}

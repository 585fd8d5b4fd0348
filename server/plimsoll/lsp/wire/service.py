"""The server itself: the negotiation in `initialize`, commands, status, keys and trust."""

from typing import Any, Literal

from pydantic import Field, SecretStr, StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import Confinement, Rung
from plimsoll.lsp.wire.context import MissCause, StageName
from plimsoll.lsp.wire.sessions import Purpose, SessionInfo
from plimsoll.lsp.wire.updates import WaitReason

StatusKind = TypeAliasType("StatusKind", Literal["ok", "busy", "warning", "error"])


StoreKind = TypeAliasType("StoreKind", Literal["disk", "memory", "damaged"])


class PlimsollClientCapabilities(Wire):
    """Abilities of the client; those left out are taken as false.

    `editorKnowledge`: it answers `plimsoll/editor/…`, within a few seconds.
    `plans`: a person can edit a plan there before they accept it.
    `presence`: it answers `plimsoll/window/present` as long as its window is there, and only then.
    `team`: it shows what `plimsoll/team/didChange` says of a team's server; without it that comes
    as `plimsoll/didChangeStatus`.
    """

    session_updates: StrictBool = False
    permission: StrictBool = False
    lenses: StrictBool = False
    editor_knowledge: StrictBool = False
    plans: StrictBool = False
    presence: StrictBool = False
    team: StrictBool = False


class PlimsollOptions(Wire):
    """`initializationOptions.plimsoll`; a folder is trusted only when `trusted` says so.

    With a `windowName`, a session that is open here is written here alone: another process with a
    `windowName` shows it with that name in `heldBy`. Without one, sessions are shared.
    `token`: `serve --tcp` alone asks for it. It stands in the file that the server names on its
    standard error; without it `initialize` is refused (`tokenRefused`) and the connection ends.
    """

    protocol_version: int
    capabilities: PlimsollClientCapabilities = Field(default_factory=PlimsollClientCapabilities)
    settings: dict[str, Any] | None = None
    trusted: StrictBool = False
    ripgrep_path: str | None = None
    resume: str | None = None
    window_name: str | None = Field(default=None, min_length=1)
    token: str | None = None


class InitializationOptions(Wire):
    """`initializationOptions` of LSP's `initialize`."""

    plimsoll: PlimsollOptions | None = None


class PlimsollServerCapabilities(Wire):
    """`capabilities.experimental.plimsoll`: the version, the methods and the commands."""

    protocol_version: int
    methods: tuple[str, ...]
    commands: tuple[str, ...]
    session: SessionInfo | None = None


class SendParams(Wire):
    """A prompt as text; `wait: false` answers on acceptance instead of at the turn's end."""

    text: str
    wait: StrictBool = True
    session_id: str | None = None
    workspace_folder: str | None = None


class CommandResult(Wire):
    """The answer of every command: a `message` in Markdown, and the result of its method."""

    message: str
    result: Any = None


class ModelSetKeyParams(Wire):
    """A provider's key from the client's secret store; the server keeps it in memory alone."""

    provider: str
    # Secret: shown as asterisks wherever the value is printed or logged by mistake.
    key: SecretStr = Field(min_length=1)
    base_url: str | None = None
    """The address that the key is for, as in `model.baseUrl`; left out: the vendor's own."""


class StoreStatus(Wire):
    """The path of the store, its size and where sessions are kept: on disk or in `memory`."""

    path: str
    bytes: int
    kind: StoreKind | str = "disk"


class StatusWarning(Wire):
    """Something that needs a person, and what to do about it."""

    code: str
    message: str
    remedy: str | None = None


class UnavailableRung(Wire):
    """A sandbox that does not work on this machine, and why."""

    rung: Rung | str
    why: str


class SandboxStatus(Wire):
    """What commands are kept from on this machine; `unavailable` are the stronger sandboxes.

    `less` says why that is less than it was on this machine; each command is asked about then.
    """

    confinement: Confinement
    unavailable: tuple[UnavailableRung, ...]
    less: str | None = None


class LogStatus(Wire):
    """The path of the log file, which all processes share; it is made with its first record."""

    path: str


class RequestCounter(Wire):
    """Requests for one purpose to one model, and their tokens as told; `cached` is of `input`."""

    model: str
    purpose: Purpose | str
    requests: int
    failed: int
    input: int
    cached: int
    output: int


class ReductionCounter(Wire):
    """Reductions of one stage, and the tokens that they freed."""

    stage: StageName | str
    times: int
    tokens: int


class CacheMissCounter(Wire):
    """Misses of the provider's cache by one cause, and the tokens that were sent anew."""

    cause: MissCause | str
    times: int
    tokens: int


class WaitCounter(Wire):
    """How often an answer was waited for, for one reason."""

    reason: WaitReason | str
    times: int


class Counters(Wire):
    """What the server did since it was started, over all sessions; nobody's text is in it."""

    turns: int
    requests: tuple[RequestCounter, ...]
    reductions: tuple[ReductionCounter, ...]
    cache_misses: tuple[CacheMissCounter, ...]
    waits: tuple[WaitCounter, ...]


class StatusResult(Wire):
    """The state of the server; `model` is `provider/name`, `sessions` how many the store holds.

    `profile` is the named set of settings that stands below what the person sets.
    """

    version: str
    model: str
    provider: str
    store: StoreStatus
    sessions: int
    warnings: tuple[StatusWarning, ...]
    sandbox: SandboxStatus | None = None
    profile: str = "default"
    log: LogStatus | None = None
    counters: Counters | None = None


class DidChangeStatusParams(Wire):
    """The server's state for a status bar; `command` is the id of a command that helps."""

    kind: StatusKind | str
    message: str
    command: str | None = None


class DidChangeTrustParams(Wire):
    """A folder is now trusted, or no longer is."""

    workspace_folder: str
    trusted: StrictBool

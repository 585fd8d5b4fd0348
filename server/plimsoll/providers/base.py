"""The port to a model provider: one request in, a stream of chunks out; and its options."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from plimsoll.context.log.messages import Message, ToolChoice, ToolSchema
from plimsoll.network.proxies import Network

if TYPE_CHECKING:
    from plimsoll.providers.mends.known import KnownMends


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOptions:
    """Which model, where, and how long to wait for it."""

    name: str
    """The model; for ``scripted`` a built-in name or the path of a script."""
    base_url: str | None = None
    """Up to and with the version, such as ``http://127.0.0.1:11434/v1``; none: the vendor's own."""
    api_key: str | None = field(default=None, repr=False)
    api_key_env: str | None = None
    """The environment variable that a remedy names; reading it is the caller's work."""
    cache_hour: bool = False
    """Whether a prefix is to be kept for an hour, where that can be chosen."""
    connect_seconds: float = 10.0
    first_token_seconds: float = 600.0
    """From the request to the first token of its answer, whatever else comes; 0: no limit."""
    idle_seconds: float = 120.0
    """Longest silence between two lines of the stream, once it speaks; 0: no limit."""
    answer_seconds: float = 1_800.0
    """Longest answer from its first token on, however steadily it drips; 0: no limit."""
    body_bytes: int = 64 * 1024 * 1024
    """Largest stream that is read."""
    told_after_seconds: float = 1.5
    """A wait that has lasted so long is told."""
    mends: "KnownMends | None" = field(default=None, repr=False)
    """What servers were found to refuse; none: it is learned for this provider alone."""
    network: Network = field(default_factory=Network)
    """By which way the address is reached, and who is trusted there."""


StopReason = Literal["endTurn", "toolCalls", "maxTokens", "refusal", "cut"]
"""Why an answer ended; ``cut``: the host ended it before it was whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One model request, already proved valid and within the window."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: ToolChoice = "auto"
    max_output: int | None = None
    """The most tokens of the answer; none: the provider's own limit."""
    cache_key: str | None = None
    """Equal for requests that share a beginning; says nothing of who asks."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of the reasoning; ``signature`` comes with its end where the provider signs it."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class TextWasReasoning:
    """All text of the answer so far was reasoning: its end has come, and had no beginning."""


@dataclass(frozen=True, slots=True)
class BegunAnew:
    """All that was reasoned so far is void: a fault came before a word, so it is asked again."""


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call has begun to arrive; shown, never run."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ArgumentsDelta:
    """More of the arguments of a call, as the model writes them; never parsed, never run."""

    text: str


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A whole tool call, given only after the stream reached its proper end.

    ``arguments`` is the text as the model sent it; the caller parses it strictly.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CacheWrites:
    """Tokens written to a cache at a surcharge, by how long it keeps them unused."""

    minutes: int = 0
    hour: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.minutes + self.hour


@dataclass(frozen=True, slots=True)
class Usage:
    """What the provider reported, in tokens; ``input`` includes ``cached`` and ``written``."""

    input: int
    output: int
    cached: int = 0
    """Input tokens that were read from the provider's cache."""
    written: CacheWrites = CacheWrites()
    """Input tokens that were written to the provider's cache."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The proper end of a stream; a stream without it must not be acted upon."""

    reason: StopReason
    said: str = ""
    """The host's own word, where it is unknown or the answer was cut."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A server refused the request as it was; another rendering of it is answered."""

    told: str
    """What it refused and what is done about it, in a sentence for a person."""


WaitReason = Literal["connecting", "loading", "firstToken", "rateLimited", "retrying"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Nothing has come yet, and it has lasted; over with the next chunk of another kind."""

    reason: WaitReason
    lasted: float = 0.0
    """Seconds for which it has been waited for this reason."""
    attempt: int | None = None
    """The try that comes next, from 1, where another one comes."""
    attempts: int | None = None
    """How often it is tried in all."""
    seconds: float | None = None
    """Until the next try."""


Chunk = (
    TextDelta
    | ReasoningDelta
    | TextWasReasoning
    | BegunAnew
    | CallStarted
    | ArgumentsDelta
    | CallFinished
    | Usage
    | Finished
    | Mended
    | Waiting
)


@dataclass(frozen=True, slots=True)
class ServedWindow:
    """What a server says of the window of one of its models."""

    window: int | None
    """Tokens; none: it does not say."""
    ollama: bool = False
    """Whether it is Ollama, which cuts a longer prompt without a word."""
    instead: str | None = None
    """The one model that it serves, where that is not the one that is set."""


class Provider(Protocol):
    """A model provider.

    Raises:
        ProviderAuth: The key is wrong or missing.
        ProviderRateLimited: Too many requests, after the port's own retries.
        ProviderOverflow: The provider says that the prompt is too long.
        ProviderUnavailable: Refused, timed out or failing.
        ProviderModel: There is no such model.
        ProviderAnswer: The stream broke its own protocol or ended early.
    """

    def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """Stream the answer in chunks: waits, deltas, whole calls, usage, ``Finished``."""
        ...

    async def close(self) -> None:
        """Give back connections; the provider is not used again."""
        ...

"""The interface of model providers: a request, the chunks of its answer, and the options."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from plimsoll.context.log.messages import Message, ToolChoice, ToolSchema
from plimsoll.network.proxies import Network

if TYPE_CHECKING:
    from plimsoll.providers.mends.known import KnownMends


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOptions:
    """The address, model and time limits of a provider."""

    name: str
    """The model; for ``scripted`` a built-in name or the path of a script."""
    base_url: str | None = None
    """Including the version, such as ``http://127.0.0.1:11434/v1``; none: the vendor's own."""
    api_key: str | None = field(default=None, repr=False)
    api_key_env: str | None = None
    """The environment variable of the key, named in remedies; the caller reads it."""
    cache_hour: bool = False
    """Whether to cache prefixes for an hour, if the API has the choice."""
    connect_seconds: float = 10.0
    first_token_seconds: float = 600.0
    """Seconds from the request to the first token of its answer; 0: no limit."""
    idle_seconds: float = 120.0
    """Longest pause in seconds between two lines of the stream after its first token; 0: no
    limit."""
    answer_seconds: float = 1_800.0
    """Longest answer in seconds from its first token; 0: no limit."""
    body_bytes: int = 64 * 1024 * 1024
    """Largest stream that is read."""
    told_after_seconds: float = 1.5
    """Seconds after which a wait is reported."""
    mends: "KnownMends | None" = field(default=None, repr=False)
    """What servers were found to refuse; none: learned only for this provider."""
    network: Network = field(default_factory=Network)
    """How the address is reached, and which certificates are trusted."""


StopReason = Literal["endTurn", "toolCalls", "maxTokens", "refusal", "cut"]
"""Why an answer ended; ``cut``: the host ended it before it was whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One model request, already checked."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: ToolChoice = "auto"
    max_output: int | None = None
    """The most tokens of the answer; none: the provider's default."""
    cache_key: str | None = None
    """The same for requests with the same beginning; does not identify the user."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of the reasoning; ``signature`` comes with its end if the provider signs it."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class TextWasReasoning:
    """All text of the answer so far was reasoning: an end of reasoning came without a beginning."""


@dataclass(frozen=True, slots=True)
class BegunAnew:
    """All reasoning so far is void: the request is sent again after a fault before any text."""


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call has begun to arrive; only shown, never run."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ArgumentsDelta:
    """More of the arguments of a call as they arrive; never parsed or run."""

    text: str


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A complete tool call, yielded only after the proper end of the stream.

    ``arguments`` is the text that the model sent; the caller parses it strictly.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CacheWrites:
    """Tokens written to the provider's cache at a surcharge, by how long it keeps them."""

    minutes: int = 0
    hour: int = 0

    @property
    def total(self) -> int:
        """All tokens written to the cache."""
        return self.minutes + self.hour


@dataclass(frozen=True, slots=True)
class Usage:
    """The reported usage, in tokens; ``input`` includes ``cached`` and ``written``."""

    input: int
    output: int
    cached: int = 0
    """Input tokens that were read from the provider's cache."""
    written: CacheWrites = CacheWrites()
    """Input tokens that were written to the provider's cache."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The proper end of a stream; a stream without it must not be acted on."""

    reason: StopReason
    said: str = ""
    """The host's own stop reason, if it is unknown or the answer was cut."""


@dataclass(frozen=True, slots=True)
class Mended:
    """Tells that a server refused the request and answers it in another form."""

    told: str
    """A sentence for people: what it refused and what is done about it."""


WaitReason = Literal["connecting", "loading", "firstToken", "rateLimited", "retrying"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Nothing has come for a while; ends with the next chunk of another kind."""

    reason: WaitReason
    lasted: float = 0.0
    """Seconds of waiting for this reason."""
    attempt: int | None = None
    """The number of the next attempt, from 1, if there is one."""
    attempts: int | None = None
    """The number of attempts in all."""
    seconds: float | None = None
    """Seconds until the next attempt."""


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
    """A server's report of the window of one of its models."""

    window: int | None
    """Tokens; none if it does not report it."""
    ollama: bool = False
    """Whether it is Ollama, which cuts longer prompts silently."""
    instead: str | None = None
    """The one model that it serves, if that is not the one that is set."""


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
        """Stream the answer in chunks: waits, deltas, complete calls, usage, ``Finished``."""
        ...

    async def close(self) -> None:
        """Close the connections; the provider must not be used again."""
        ...

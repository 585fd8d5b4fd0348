"""The interface of tracing: spans as values, tracers, sinks, and the names of attributes.

Attributes have the names of OpenTelemetry's semantic conventions for generative AI 1.41 if these
have one, else names that begin with ``plimsoll.``. Spans have only numbers and our own ids and
words: never what a person, a model or a tool has said.
"""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from plimsoll.errors import PlimsollError

SpanKind = Literal["turn", "preflight", "request", "tool", "stage", "compaction"]
Attribute = str | int | float | bool | tuple[str, ...]
Attributes = dict[str, Attribute]

OPERATION = "gen_ai.operation.name"
AGENT = "gen_ai.agent.name"
CONVERSATION = "gen_ai.conversation.id"
PROVIDER = "gen_ai.provider.name"
MODEL = "gen_ai.request.model"
MAX_TOKENS = "gen_ai.request.max_tokens"
FINISH_REASONS = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHE_READ_TOKENS = "gen_ai.usage.cache_read.input_tokens"
CACHE_WRITE_TOKENS = "gen_ai.usage.cache_creation.input_tokens"
TOOL = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
ERROR = "error.type"
TURN = "plimsoll.turn.id"
ITEM = "plimsoll.item.id"
EDIT = "plimsoll.edit.id"
STAGE = "plimsoll.stage"
PURPOSE = "plimsoll.purpose"
STOP_REASON = "plimsoll.stop_reason"
TOKENS_BEFORE = "plimsoll.tokens.before"
TOKENS_AFTER = "plimsoll.tokens.after"
MISSED_TOKENS = "plimsoll.cache.missed_tokens"
MISS_CAUSE = "plimsoll.cache.miss_cause"
WAITS = "plimsoll.waits"
"""Why the answer was waited for, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A piece of work that has ended."""

    kind: SpanKind
    name: str
    trace_id: str
    """32 hexadecimal digits, the same for all spans of a turn."""
    span_id: str
    """16 hexadecimal digits."""
    parent_id: str | None
    start: int
    """Nanoseconds since 1970, as ``end``."""
    end: int
    attributes: Mapping[str, Attribute]

    @property
    def error(self) -> str | None:
        """The kind of error with which it ended, if any."""
        found = self.attributes.get(ERROR)
        return None if found is None else str(found)


class Tracer(Protocol):
    """Opens spans."""

    def span(
        self, kind: SpanKind, name: str, attributes: Mapping[str, Attribute]
    ) -> AbstractContextManager[Attributes]:
        """Open a span below the current one; yields its attributes, which the caller may add to.

        An exception that leaves the span is recorded by its kind.
        """
        ...


class SpanSink(Protocol):
    """Receives ended spans; it never raises and never blocks."""

    def keep(self, span: Span) -> None:
        """Receive a span."""
        ...

    def close(self) -> None:
        """Send the spans that are still queued, for a second at most."""
        ...


class NoTracer:
    """Traces nothing."""

    @contextmanager
    def span(
        self, kind: SpanKind, name: str, attributes: Mapping[str, Attribute]
    ) -> Generator[Attributes]:
        """Do nothing."""
        del kind, name, attributes
        yield {}


def error_kind(error: BaseException) -> str:
    """Name an error by its kind, never by its message."""
    if isinstance(error, PlimsollError):
        return error.kind
    return "cancelled" if isinstance(error, asyncio.CancelledError) else type(error).__name__

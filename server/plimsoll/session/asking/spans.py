"""The spans of a session: what is told of a turn, a request and a call.

Nothing in them is a text of somebody: ids, counts, and words out of lists of our own. A tool that
is not ours is not named, since a model can call whatever it likes.
"""

from collections.abc import Container, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager

from plimsoll.context.report.history import PastRequest
from plimsoll.session.asking.response import ResponseBuilder
from plimsoll.session.ports.events import Purpose, TurnEnded
from plimsoll.session.ports.model import Model
from plimsoll.telemetry import base as names
from plimsoll.telemetry.base import Attributes, Tracer
from plimsoll.tools.ports.intent import Outcome

UNKNOWN_TOOL = "unknown"
"""The name of a tool that there is not."""


def turn_span(
    tracer: Tracer, session_id: str, turn: str, model: Model
) -> AbstractContextManager[Attributes]:
    """Open the span of a turn, the parent of all its other spans."""
    attributes = {
        names.OPERATION: "invoke_agent",
        names.AGENT: "plimsoll",
        names.CONVERSATION: session_id,
        names.TURN: turn,
        **_model(model),
    }
    return tracer.span("turn", "invoke_agent plimsoll", attributes)


def note_end(span: Attributes, ended: TurnEnded) -> None:
    """Set on a turn's span how the turn ended."""
    span[names.STOP_REASON] = ended.reason
    if ended.error is not None:
        span[names.ERROR] = names.error_kind(ended.error)


@contextmanager
def request_span(
    tracer: Tracer, model: Model, purpose: Purpose, response: ResponseBuilder
) -> Generator[Attributes]:
    """Open the span of a request, and set its result, also if it failed."""
    attributes = {
        names.OPERATION: "chat",
        names.PURPOSE: purpose,
        names.MAX_TOKENS: model.budget.reserve,
        **_model(model),
    }
    with tracer.span("request", f"chat {model.name}", attributes) as span:
        try:
            yield span
        finally:
            _note_response(span, response)


def _note_response(span: Attributes, response: ResponseBuilder) -> None:
    if response.finished is not None:
        span[names.FINISH_REASONS] = (response.finished,)
    if response.waits:
        span[names.WAITS] = tuple(response.waits)
    usage = response.usage
    if usage is None:
        return
    span[names.INPUT_TOKENS] = usage.input
    span[names.OUTPUT_TOKENS] = usage.output
    span[names.CACHE_READ_TOKENS] = usage.cached
    span[names.CACHE_WRITE_TOKENS] = usage.written.total


def note_miss(span: Attributes, requests: Sequence[PastRequest]) -> None:
    """Note on a request's span how many tokens the provider's cache missed, and why."""
    miss = requests[-1].miss if requests else None
    if miss is not None:
        span[names.MISSED_TOKENS] = miss.tokens
        span[names.MISS_CAUSE] = miss.cause


def tool_span(
    tracer: Tracer, tools: Container[str], item: str, name: str | None
) -> AbstractContextManager[Attributes]:
    """Open the span of a call, including questions to the person; ``tools``: our tools' names."""
    known = name if name is not None and name in tools else UNKNOWN_TOOL
    attributes = {
        names.OPERATION: "execute_tool",
        names.TOOL: known,
        names.TOOL_TYPE: "function",
        names.ITEM: item,
    }
    return tracer.span("tool", f"execute_tool {known}", attributes)


def note_outcome(span: Attributes, outcome: Outcome) -> None:
    """Set on a call's span how the call ended."""
    if outcome.failed:
        span[names.ERROR] = "rejected" if outcome.rejection is not None else "tool_failed"


def _model(model: Model) -> Attributes:
    return {names.PROVIDER: model.id.partition("/")[0], names.MODEL: model.name}
